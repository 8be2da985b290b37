"""`python -m server.cli` is `grintu`."""

from server.cli.main import app

app()
