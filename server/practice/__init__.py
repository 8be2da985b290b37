"""What needs no account and leaves no record: the practice game and the rules."""
