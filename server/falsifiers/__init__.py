"""Falsifier flags: signs of answers not given in earnest, for researchers to confirm or lift. A flag never deletes."""
