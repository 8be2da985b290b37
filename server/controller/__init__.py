"""Described games over HTTP: our players for foreign game managers, and a manager for foreign players."""
