"""Tables on the terminal, or into a pipe whose reader may have enough at any time."""

from __future__ import annotations

from rich.console import Console


class Printer(Console):
    """Rich ends a command as failed when its reader (head, less) has enough; here that is no failure."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        raise BrokenPipeError  # the group of all commands ends with 0
