"""The matches that are being played: the table, its referee, its clock, its commits, and the house that holds all."""
