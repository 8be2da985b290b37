"""What the replay viewer is told about a match beyond its moves."""

from __future__ import annotations

from pydantic import BaseModel


class Explained(BaseModel):
    """A program's decision: what it preferred and why, in words; whether it is what was really played.

    `ply` is that of the move. Where several seats chose at once, all of them had decided before the first of the moves.
    """

    ply: int
    seat: int
    strategy: str
    words: str
    values: list[tuple[str, float]]
    """What each move seemed worth to it, from 0 to 100, the best first; empty for players that cannot tell."""
    visits: dict[str, int] = {}
    """How often each move was tried; empty for players that do not search."""
    move: str
    played: bool


class Alternative(BaseModel):
    """What the members of the panel would have done in the same place; members with the same choice stand together."""

    ply: int
    move: str
    strategies: list[str]


class Judged(BaseModel):
    """What a person said about a seat, and the move that gave it away, if one was marked."""

    seat: int
    judge: str
    verdict: str
    sureness: int | None
    right: bool
    aim: str | None
    marked_ply: int | None


class Notes(BaseModel):
    explained: list[Explained]
    alternatives: list[Alternative]
    judged: list[Judged]


class Trace(BaseModel):
    """How the person on a seat used the board. Times are milliseconds since the match began, places hundredths of a
    percent of the board's width and height."""

    seat: int
    points: list[tuple[int, int, int]]
    """Where the pointer was: time, x, y."""
    clicks: list[tuple[int, int, int]]
    pauses: list[tuple[int, int]]
    """When nothing happened: from when, and how long."""
