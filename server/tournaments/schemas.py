"""The form of a new tournament, and what a replay of one of its matches is."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, Field

from server.base.errors import N_
from server.web.forms import Form

FORM_TITLES: Final = {
    "round-robin": N_("Round robin: everybody meets everybody in every round"),
    "swiss": N_("Swiss: those with equal points meet, nobody twice"),
    "ladder": N_("Ladder: neighbours meet, and who wins climbs"),
    "uncertainty": N_("By uncertainty: challenges where they narrow the ratings most, in portions of 32"),
}
"""What the forms of lab.tournaments.schedules are called."""


class TournamentForm(Form):
    """Whether somebody can play the game, the game decides."""

    name: str = Field(min_length=1, max_length=100)
    game: str = Field(min_length=1, max_length=200)
    form: Literal["round-robin", "swiss", "ladder", "uncertainty"] = "round-robin"
    entrants: Annotated[str, Field(min_length=1, max_length=50_000)]
    rounds: int = Field(default=10, ge=1, le=100_000)
    precision: float = Field(default=0, ge=0, le=1000, allow_inf_nan=False)
    seed: str = Field(min_length=1, max_length=100)

    @property
    def lines(self) -> list[str]:
        """The entrants as they were written, one per line."""
        return [line.strip() for line in self.entrants.splitlines() if line.strip()]


class ReplayedMove(BaseModel):
    """Nobody asked how long a program thought, so no time is told."""

    ply: int
    seat: int
    move: str
    ms: None = None


class MatchOfPrograms(BaseModel):
    """A match for the replay viewer."""

    game: str
    you: None = None
    moves: list[ReplayedMove]
