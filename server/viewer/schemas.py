"""What the replay viewer is told about a match beyond its moves."""

from __future__ import annotations

from pydantic import BaseModel


class Explained(BaseModel):
    """A program's decision: what it preferred and why, in words; whether it is what was really played."""

    ply: int
    seat: int
    strategy: str
    words: str
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
