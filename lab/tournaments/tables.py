"""Tables of a tournament: wins, draws, losses and what follows from them, with intervals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, sqrt

from lab.intervals import Interval, normal_quantile, wilson
from lab.tournaments.challenge import Outcome

WON, DRAWN, LOST = 3, 1, 0
"""Points."""


@dataclass(frozen=True, slots=True)
class Score:
    """How one player did against another, or against several."""

    wins: int
    draws: int
    losses: int

    @property
    def played(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> int:
        return WON * self.wins + DRAWN * self.draws + LOST * self.losses

    @property
    def not_lost_per_loss(self) -> float:
        """(W+D)/L"""
        return _ratio(self.wins + self.draws, self.losses)

    @property
    def won_per_loss(self) -> float:
        """W/L"""
        return _ratio(self.wins, self.losses)

    @property
    def won(self) -> Interval:
        """In which the share of challenges that it wins lies, with 95 %."""
        return wilson(self.wins, self.played)

    @property
    def not_lost(self) -> Interval:
        return wilson(self.wins + self.draws, self.played)

    @property
    def margin(self) -> Interval:
        """In which the mean of its points less the other's in a challenge lies, with 95 %.

        That is 3 times the mean of +1, 0 and -1. A game is added to each of the three, so that a few equal results do
        not seem certain.
        """
        wins, draws, losses = self.wins + 1, self.draws + 1, self.losses + 1
        every = wins + draws + losses
        mean = (wins - losses) / every
        half = normal_quantile(0.95) * sqrt(((wins + losses) / every - mean * mean) / every)
        return Interval(WON * (mean - half), WON * (mean + half))

    def reversed(self) -> Score:
        """The other's."""
        return Score(self.losses, self.draws, self.wins)

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


def _ratio(many: int, losses: int) -> float:
    return many / losses if losses else inf if many else 0.0


def score(outcomes: Iterable[Outcome]) -> Score:
    """How the first of a pair did."""
    wins = draws = losses = 0
    for outcome in outcomes:
        first, second = outcome.leaves
        wins += first > second
        draws += first == second
        losses += first < second
    return Score(wins, draws, losses)
