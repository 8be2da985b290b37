"""The command line `grintu`; one module per group of commands."""
