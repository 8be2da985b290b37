"""Rounds without people: how many simulated probands judge instead, how often, and when.

What they say is up to server/simulated. Such judgements may not stand beside those of people, whose ratings they would
spoil; so both are refused in one database.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import pi, sin
from typing import Any, Final, Self

from lab.probands.factor import HumanFactor
from lab.refinement.pool import Pool
from lab.simulation.recorded import DAY

PATIENCE: Final = 12
"""Sessions that are held in vain, one after the other, before simulated probands give up."""


def usual_factor(pool: Pool) -> str:
    """What simulated probands take for human where nobody says anything else: the first and the last symbiont."""
    return ",".join(dict.fromkeys((*pool.symbionts[:1], *pool.symbionts[-1:]))) or pool.basics[0]


@dataclass(frozen=True)
class SimulatedProbands:
    """Who judges instead of people: so many persons, so many judgements of each per session, and the hidden truth.

    With `days` a session takes so long, and what people do beside judging is simulated too: questionnaires, waiting,
    leaving. Without, it takes a second, and only judgements are written.
    """

    planted: str = ""
    """Elements of the round's game; nothing stands for those that are usual in it."""
    persons: int = 100
    judgements: int = 30
    days: float = 0.0

    def __post_init__(self) -> None:
        if not 2 <= self.persons <= 10_000 or not 2 <= self.judgements <= 1000:
            raise ValueError(f"expected 2 to 10000 persons with 2 to 1000 judgements, got {self}")
        if not 0 <= self.days <= 100:
            raise ValueError(f"expected 0 to 100 days, got {self.days}")

    def factor(self, pool: Pool) -> HumanFactor:
        """Raises ValueError for elements that do not exist."""
        return HumanFactor(pool.named(self.planted), pool)

    def to_record(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        return cls(**record)


@dataclass(frozen=True)
class Span:
    """When a session is held, in seconds since 1970."""

    begin: float
    seconds: float


def span_of(simulation: SimulatedProbands, begin: float, number: int, at: float) -> Span:
    """Of session `number` of a round that began at `begin`; none reaches beyond now, which is `at`."""
    if not simulation.days:
        return Span(begin + number, 1.0)
    length = simulation.days * DAY
    start = min(begin + (number - 1) * length, at - 2 * DAY)
    return Span(start, min(length, at - DAY - start))


def rhythm(at: float) -> float:
    """People come more in the afternoon than at night, and some days more than others: time that runs unevenly."""
    return at + sum(period * 0.09 * sin(2 * pi * at / period) for period in (DAY, 7 * DAY))
