"""Falsifier flags: signs of answers that are not in earnest, for researchers to confirm or lift. A flag never deletes."""
