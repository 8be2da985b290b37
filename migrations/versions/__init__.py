"""The dated steps."""
