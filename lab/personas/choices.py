"""From what moves seem worth to what somebody does: a softmax of temperature κ, errors, and niceness.

With the probability `error` any move is made; otherwise a move with a weight of e^(κ · value). Where the best move is
better than the second by less than `nice`, the two change places, as in npc/mcts. κ, error and niceness need no new
search, so they are fitted afresh for every personality that is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from scipy.optimize import minimize

from lab.arrays import Bools, Floats, Ints
from lab.personas.games import HumanChoice, HumanGame, decisions

SOURCE_KAPPA: Final = 0.1
KAPPAS: Final = (0.005, 2.0)
ERRORS: Final = (0.002, 0.95)
NICE: Final = (0.0, 1.0, 3.0, 10.0, 30.0)


class Manner(NamedTuple):
    """What is made of a search."""

    kappa: float = SOURCE_KAPPA
    error: float = 0.0
    nice: float = 0.0


UNIFORM: Final = Manner(kappa=0.0)


@dataclass(frozen=True)
class Moments:
    """All decisions of some matches, as arrays; the values of moves lie one after another."""

    starts: Ints
    counts: Ints
    chosen: Ints
    """Where the person's move lies."""
    matches: Ints
    persons: Ints
    names: tuple[str, ...]
    groups: tuple[str, ...]
    """Of each person."""

    @cached_property
    def which(self) -> Ints:
        """By value: its decision."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @cached_property
    def weights(self) -> Floats:
        """By decision, adding up to 1: matches count alike, and in a match its decisions do."""
        inside = np.bincount(self.matches)
        return np.asarray(1 / (inside[self.matches] * np.count_nonzero(inside)), dtype=np.float64)

    def part(self, kept: Bools) -> tuple[Moments, Bools]:
        """Some of the decisions, and which values belong to them."""
        counts = self.counts[kept]
        starts = np.cumsum(counts) - counts
        chosen = starts + (self.chosen - self.starts)[kept]
        some = replace(
            self, starts=starts, counts=counts, chosen=chosen, matches=self.matches[kept], persons=self.persons[kept]
        )
        return some, np.repeat(kept, self.counts)


def moments_of(games: Sequence[HumanGame]) -> Moments:
    """Raises GamesError if a game cannot be played."""
    rows: list[tuple[int, HumanChoice]] = [
        (number, one) for number, game in enumerate(games) for one in decisions(game)
    ]
    counts = np.array([len(one.moves) for _, one in rows], dtype=np.int64)
    starts = np.cumsum(counts) - counts
    groups = {one.player.person: one.player.group for _, one in rows}
    numbers = {name: number for number, name in enumerate(groups)}
    return Moments(
        starts,
        counts,
        starts + np.array([one.chosen for _, one in rows], dtype=np.int64),
        np.array([number for number, _ in rows], dtype=np.int64),
        np.array([numbers[one.player.person] for _, one in rows], dtype=np.int64),
        tuple(numbers),
        tuple(groups.values()),
    )


def probabilities(moments: Moments, values: Floats, manner: Manner) -> Floats:
    """Of every move of every decision."""
    if manner.nice > 0:
        values = niced(moments, values, manner.nice)
    scaled = manner.kappa * values
    scaled = np.exp(scaled - np.repeat(np.maximum.reduceat(scaled, moments.starts), moments.counts))
    share = scaled / np.repeat(np.add.reduceat(scaled, moments.starts), moments.counts)
    even = np.repeat(1 / moments.counts, moments.counts)
    return np.asarray((1 - manner.error) * share + manner.error * even, dtype=np.float64)


def niced(moments: Moments, values: Floats, nice: float) -> Floats:
    """The best and the second best move exchanged wherever they are nearer to each other than that."""
    order = np.lexsort((-values, moments.which))
    first, second = order[moments.starts], order[moments.starts + 1]
    near = values[first] - values[second] < nice
    changed = values.copy()
    changed[first[near]], changed[second[near]] = values[second[near]], values[first[near]]
    return changed


def log_likelihoods(moments: Moments, values: Floats, manner: Manner) -> Floats:
    """Of every decision, as the person made it."""
    return np.log(np.maximum(probabilities(moments, values, manner)[moments.chosen], 1e-300))


def source_fitness(moments: Moments, values: Floats) -> float:
    """The geometric mean over matches of that over turns, with the source's fixed temperature and no errors."""
    return float(np.exp(moments.weights @ log_likelihoods(moments, values, Manner())))


def fitted(moments: Moments, values: Floats, niceness: Sequence[float] = NICE) -> tuple[Manner, float]:
    """The likeliest manner and its mean log-likelihood, matches weighing alike.

    Niceness is a number more to fit, so it has to be likelier than none by what the BIC asks of one: without that, a
    player who is not nice at all is found to be a little nice, by chance.
    """
    decisions = len(moments.counts)
    asked = float(np.log(decisions)) / (2 * decisions)
    limits = [(float(np.log(KAPPAS[0])), float(np.log(KAPPAS[1]))), (_logit(ERRORS[0]), _logit(ERRORS[1]))]
    best, most = Manner(), -np.inf
    for nice in niceness:
        used = niced(moments, values, nice) if nice else values

        def surprise(point: Floats, used: Floats = used) -> float:
            manner = Manner(float(np.exp(point[0])), _share(point[1]))
            return -float(moments.weights @ log_likelihoods(moments, used, manner))

        found = minimize(
            surprise,
            np.array([np.log(SOURCE_KAPPA), -2.0]),
            method="L-BFGS-B",
            bounds=limits,
        )
        likelihood = -float(found.fun)
        if likelihood - (asked if nice else 0.0) > most - (asked if best.nice else 0.0) + 1e-9:
            best, most = Manner(float(np.exp(found.x[0])), _share(found.x[1]), nice), likelihood
    return best, most


def _share(logit: float) -> float:
    return float(1 / (1 + np.exp(-logit)))


def _logit(share: float) -> float:
    return float(np.log(share / (1 - share)))
