"""What a program can be asked, how a process replies, and what it means if it does not."""

from __future__ import annotations

from typing import Final, NamedTuple

ANSWERED: Final = b"+"
"""How a reply of a process begins; JSON follows."""
ANSWERED_LAST: Final = b"."
"""Answered as well, but the process has grown and wants to be replaced."""
BROKE: Final = b"-"


LIVE_SECONDS: Final = 1.0
"""So long a heavy player may keep a table waiting for its move; then the lot decides. It is told so at its trial."""


class Ask(NamedTuple):
    """A player in a match is to decide."""

    match: int
    game: str
    """The reference of the rules."""
    source: str
    """The source of the rules; empty for games of the library."""
    player: str
    """The text `kind:body`."""
    seed: str
    seat: int | None
    """The seat whose views the player follows; None in games without secrets, where all seats see the same."""
    asked: int
    """The seat that decides."""
    moves: tuple[str, ...]
    """All moves so far, chance included."""


class Along(NamedTuple):
    """A player is to say what it would have decided at several moments of a match, the earliest first."""

    game: str
    source: str
    player: str
    seed: str
    seat: int | None
    moments: tuple[tuple[int, int], ...]
    """At which ply, and for which seat."""
    moves: tuple[str, ...]


class ProgramsError(Exception):
    """The computing itself broke, and when it was tried again it broke again. The message says how."""


class TookTooLong(ProgramsError):  # noqa: N818 - the name says what happened
    """An answer did not come within its time; the process that computed it was ended."""


class WaitedTooLong(TookTooLong):
    """Nobody was asked at all, because others who were asked before took all the time."""
