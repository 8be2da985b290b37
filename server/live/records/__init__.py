"""What play leaves behind: the match with its book and its dice, and the interaction log."""
