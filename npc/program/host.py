"""Who runs programs, as npc/ sees it: on a server its sandbox, on an author's machine the author's own processes.

Nobody runs them in a browser; there the lot decides, and the server computes every decision itself.
"""

from dataclasses import dataclass
from typing import Protocol

from npc.decision import Fault, FaultKind


class LostError(Exception):
    """A program has lost what it was asked, and with it the sweep."""

    def __init__(self, kind: FaultKind, message: str) -> None:
        super().__init__(message)
        self.fault = Fault(kind, message)


@dataclass(frozen=True, slots=True)
class Used:
    """What a program took, for its author alone."""

    errors: str = ""
    """What it wrote to stderr, as far as it is kept."""
    memory: int = 0
    """The most bytes that its processes had together."""
    seconds: float = 0.0
    """Of computing."""


class Running(Protocol):
    """A program that has been started for one seat in one game."""

    def ask(self, question: str, seconds: float) -> str:
        """Hands it a line and gives the line that it answers. Raises LostError, and then it is ended."""
        ...

    def close(self) -> Used:
        """Ends it, with all that it has started."""
        ...


class Allowed(Protocol):
    """The limits that a program is told."""

    @property
    def action_seconds(self) -> float: ...

    @property
    def sweep_seconds(self) -> float: ...

    @property
    def memory(self) -> int: ...


class Host(Protocol):
    """Starts programs."""

    @property
    def limits(self) -> Allowed: ...

    def start(self, language: str, source: str) -> Running:
        """Raises LostError if the source cannot be translated or nothing may run here; the message says why."""
        ...


_host: Host | None = None


def use_programs(host: Host | None) -> None:
    """Makes `host` run the programs of this process."""
    global _host  # there is one sandbox per process
    _host = host


def current_programs() -> Host:
    """Who runs programs. Raises LostError."""
    if _host is None:
        raise LostError(FaultKind.NO_ENGINE, "nobody runs programs here")
    return _host
