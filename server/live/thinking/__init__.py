"""How long people think, learned from matches, and how long programs therefore seem to."""
