"""How researchers read a match: decisions explained, what others would have done, and what was judged."""
