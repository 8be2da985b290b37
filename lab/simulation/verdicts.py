"""Verdicts with a planted truth, for asking the statistics whether they find it.

Standard matches: two people and a program, everybody judges both others. How artificial a seat seems is normal around
what it is; above the judge's criterion the verdict is "artificial". Everything that a sceptic may suspect can be
switched on: judges and people that differ, judges with views of their own, comparing, drifting, and being shown again
what they misjudged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import ndtr

from lab.judgements import HUMAN, Judgement, Verdict


@dataclass(frozen=True)
class World:
    """`looks` is how artificial each strategy seems on average, where people are at 0; the rest are spreads.

    `comparing`: how much of the difference between the two others is added to it. `drift`: by how much every criterion
    moves from a person's first match to the last. `again`: misjudged strategies are shown again, as `lab.selection`
    does once all have been met.
    """

    looks: tuple[float, ...] = (0.0, 0.8, 0.8, 0.8)
    persons: int = 40
    matches: int = 20
    criterion: float = 0.25
    criteria: float = 0.4
    sensitivities: float = 0.0
    people: float = 0.0
    plays: float = 0.0
    views: float = 0.0
    comparing: float = 0.0
    drift: float = 0.0
    again: bool = False

    @property
    def humans(self) -> float:
        """The share of humans that new judges would call human; exact while nobody compares or drifts."""
        return self._share(0.0, self.people**2)

    def share(self, strategy: int = 0) -> float:
        """The same of a strategy."""
        return self._share(self.looks[strategy], self.sensitivities**2 + self.plays**2 + self.views**2)

    def gap(self, strategy: int = 0) -> float:
        return self.share(strategy) - self.humans

    def _share(self, look: float, variance: float) -> float:
        return float(ndtr((self.criterion - look) / sqrt(1 + self.criteria**2 + variance)))


def verdicts(world: World, seed: int) -> list[Judgement]:
    """A log in order, its persons p0, p1, …, its strategies s0, s1, …"""
    return list(_SimulatedLog(world, np.random.default_rng(seed)).judgements())


class _SimulatedLog:
    def __init__(self, world: World, rng: np.random.Generator) -> None:
        self.world, self.rng = world, rng
        people, kinds = world.persons, len(world.looks)
        self.criterion = world.criterion + world.criteria * rng.standard_normal(people)
        self.look = world.people * rng.standard_normal(people)
        own = world.sensitivities * rng.standard_normal((people, 1)) + world.views * rng.standard_normal(
            (people, kinds)
        )
        self.seen_as = np.array(world.looks) + own
        self.met = np.zeros((people, kinds))
        self.wrong = np.zeros((people, kinds))

    def judgements(self) -> Iterator[Judgement]:
        world, number = self.world, 0
        for turn in range(world.matches):
            order = self.rng.permutation(world.persons).tolist()
            for first, second in zip(order[::2], order[1::2], strict=False):
                number += 1
                strategy = self._next((first, second))
                play = world.plays * self.rng.standard_normal()
                moved = world.drift * turn / max(world.matches - 1, 1)
                for judge, other in ((first, second), (second, first)):
                    yield from self._judge(judge, other, strategy, play, moved, number)

    def _next(self, both: tuple[int, int]) -> int:
        """The strategy that the two have met least; once they know all, with `again`, one that they misjudged."""
        met, wrong = self.met[list(both)].sum(axis=0), self.wrong[list(both)].sum(axis=0)
        rank = met + self.rng.random(len(met))
        if self.world.again and met.min() > 0 and wrong.any():
            rank = np.where(wrong > 0, rank, np.inf)
        return int(np.argmin(rank))

    def _judge(
        self, judge: int, other: int, strategy: int, play: float, moved: float, number: int
    ) -> Iterator[Judgement]:
        person = self.look[other] + self.rng.standard_normal()
        program = self.seen_as[judge, strategy] + play + self.rng.standard_normal()
        apart = self.world.comparing * (program - person)
        bar = self.criterion[judge] + moved
        self.met[judge, strategy] += 1
        self.wrong[judge, strategy] = program + apart <= bar
        for truth, seems, judged in ((HUMAN, person - apart, f"p{other}"), (f"s{strategy}", program + apart, None)):
            verdict = Verdict.ARTIFICIAL if seems > bar else Verdict.HUMAN
            yield Judgement(number, f"m{number:06d}", f"p{judge}", truth, verdict, judged=judged)
