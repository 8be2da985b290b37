"""Personalities of search players fitted to how people play: their games, and the likelihood of their moves."""
