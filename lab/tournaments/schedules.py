"""Who meets whom: every form of tournament is a function from the past to the challenges of the next round.

So a tournament that was stopped anywhere goes on as if nothing had been, and anybody can check why two have met.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Final

import numpy as np

from lab.tournaments.contest import Challenge
from lab.tournaments.ratings import Floats, Result, information, rate
from lab.tournaments.tables import DRAWN, WON

PORTION: Final = 32
"""Challenges in a round of a tournament that goes by uncertainty: enough to keep some processors busy."""
_MOST_TRIES: Final = 20_000

Group = tuple[int, ...]
Past = Sequence[Sequence[Result]]
"""The results of each round."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is decided before the first challenge."""

    form: str
    entrants: int
    seats: int
    rounds: int
    seed: str
    precision: float = 0.0
    """It ends early when all ratings are known to so many points on either side; 0: it never does."""


def next_round(plan: Plan, past: Past) -> list[Challenge]:
    """The challenges of the round after `past`; none if that was the last one."""
    if len(past) >= plan.rounds or (plan.precision and past and widest(plan, past) <= plan.precision):
        return []
    met = Counter(frozenset(who) for results in past for who, _ in results)
    challenges = []
    for group in FORMS[plan.form].groups(plan, past):
        world = met[frozenset(group)]
        met[frozenset(group)] += 1
        challenges.append(Challenge(_mixed(plan, group, world), world))
    return challenges


def most_challenges(plan: Plan) -> int:
    """How many it has if it does not end early."""
    return plan.rounds * FORMS[plan.form].each_round(plan)


def widest(plan: Plan, past: Past) -> float:
    """How many points the least certain rating reaches to either side."""
    intervals = rate(plan.entrants, flat(past)).intervals
    return max((each.high - each.low) / 2 for each in intervals)


def flat(past: Past) -> Iterator[Result]:
    return (result for results in past for result in results)


def _mixed(plan: Plan, group: Group, world: int) -> Group:
    """Around a table of three or four it matters who sits next to whom, so that is drawn anew each time."""
    ordered = sorted(group)
    if plan.seats > 2:
        random.Random(f"{plan.seed}:{world}:{ordered}").shuffle(ordered)
    return tuple(ordered)


# --------------------------------------------------------------------------------------------------------- round robin


def _everybody(plan: Plan, past: Past) -> list[Group]:  # noqa: ARG001  # the past does not matter
    return list(combinations(range(plan.entrants), plan.seats))


# --------------------------------------------------------------------------------------------------------------- Swiss


def swiss_points(plan: Plan, past: Past) -> list[int]:
    """Points with those for sitting out, which is worth a win."""
    points = [0] * plan.entrants
    for results in past:
        idle = set(range(plan.entrants))
        for who, got in results:
            idle -= set(who)
            for entrant, gained in points_of(who, got):
                points[entrant] += gained
        for entrant in idle:
            points[entrant] += WON
    return points


def points_of(who: Group, got: Sequence[float]) -> Iterator[tuple[int, int]]:
    """Who got the most wins, if it was one alone."""
    best = max(got)
    alone = sum(each == best for each in got) == 1
    return ((entrant, (WON if alone else DRAWN) if each == best else 0) for entrant, each in zip(who, got, strict=True))


def _neighbours(plan: Plan, past: Past) -> list[Group]:
    """Those with equal points meet, but nobody the same again as long as that can be; who is left over sits out."""
    lots = list(range(plan.entrants))
    random.Random(f"{plan.seed}:swiss").shuffle(lots)
    points, byes = swiss_points(plan, past), [len(past)] * plan.entrants
    for who, _ in flat(past):
        for entrant in who:
            byes[entrant] -= 1
    order = sorted(lots, key=lambda entrant: -points[entrant])
    left_over = plan.entrants % plan.seats
    idle = sorted(order, key=lambda entrant: (byes[entrant], -order.index(entrant)))[:left_over]
    playing = [entrant for entrant in order if entrant not in idle]
    met = Counter(frozenset(pair) for who, _ in flat(past) for pair in combinations(who, 2))
    return (_paired(playing, met) if plan.seats == 2 else None) or list(_gathered(playing, met, plan.seats))


def _paired(order: Sequence[int], met: Counter[frozenset[int]]) -> list[Group] | None:
    """Pairs of which none has met, as close in the order as can be from the top on; None if there are none."""
    tries = 0

    def rest(left: tuple[int, ...]) -> list[Group] | None:
        nonlocal tries
        if not left:
            return []
        first, *others = left
        for other in others:
            tries += 1
            if tries > _MOST_TRIES:
                return None
            if not met[frozenset((first, other))]:
                found = rest(tuple(each for each in others if each != other))
                if found is not None:
                    return [(first, other), *found]
        return None

    return rest(tuple(order))


def _gathered(order: Iterable[int], met: Counter[frozenset[int]], seats: int) -> Iterator[Group]:
    """Tables from the top on: who has met the others least comes first, and among those the next in order."""
    left = list(order)
    while left:
        group = [left.pop(0)]
        while len(group) < seats:
            group.append(min(left, key=lambda one: sum(met[frozenset((one, each))] for each in group)))
            left.remove(group[-1])
        yield tuple(group)


# -------------------------------------------------------------------------------------------------------------- ladder


def rungs(plan: Plan, past: Past) -> list[int]:
    """Who stands where on the ladder, from the top. It begins in the order of entry; a draw changes nothing."""
    order = list(range(plan.entrants))
    for results in past:
        for who, got in results:
            gained = dict(zip(who, got, strict=True))
            places = sorted(order.index(entrant) for entrant in who)
            better = sorted((order[place] for place in places), key=lambda entrant: -gained[entrant])
            for place, entrant in zip(places, better, strict=True):
                order[place] = entrant
    return order


def _on_rungs(plan: Plan, past: Past) -> list[Group]:
    """Whoever stands next to each other, one rung further down in every round."""
    order, begin = rungs(plan, past), len(past) % plan.seats
    begin = begin if begin + plan.seats <= plan.entrants else 0
    return [
        tuple(order[place : place + plan.seats]) for place in range(begin, plan.entrants - plan.seats + 1, plan.seats)
    ]


# --------------------------------------------------------------------------------------------------------- uncertainty


def _uncertain(plan: Plan, past: Past) -> list[Group]:
    """A portion of challenges, each the one that is expected to narrow the intervals of the ratings most.

    What a challenge tells lets the uncertainty shrink before the next one is chosen, so a portion is spread.
    """
    ratings = rate(plan.entrants, flat(past))
    tells, covariance = information(ratings) * 2 / plan.seats, ratings.covariance.copy()
    groups = []
    for _ in range(PORTION):
        gain = np.round(tells / (1 + tells * _differences(covariance)) * _differences(covariance @ covariance), 9)
        np.fill_diagonal(gain, -np.inf)
        group = [int(each) for each in np.unravel_index(int(gain.argmax()), gain.shape)]
        while len(group) < plan.seats:
            group.append(int(gain[group].sum(axis=0).argmax()))
        for one, other in combinations(group, 2):
            known, told = covariance[:, one] - covariance[:, other], tells[one, other]
            covariance -= np.outer(known, known) * told / (1 + told * (known[one] - known[other]))
        groups.append(tuple(group))
    return groups


def _differences(products: Floats) -> Floats:
    """Of a matrix of inner products, the squared distances."""
    squares = np.diagonal(products)
    return np.asarray(squares[:, None] + squares[None, :] - 2 * products)


# ------------------------------------------------------------------------------------------------------------ registry


@dataclass(frozen=True, slots=True)
class Form:
    """A form of tournament: who meets in the next round, and how many challenges a round has."""

    groups: Callable[[Plan, Past], list[Group]]
    each_round: Callable[[Plan], int]


FORMS: Final[dict[str, Form]] = {
    "round-robin": Form(_everybody, lambda plan: comb(plan.entrants, plan.seats)),
    "swiss": Form(_neighbours, lambda plan: plan.entrants // plan.seats),
    "ladder": Form(_on_rungs, lambda plan: plan.entrants // plan.seats),
    "uncertainty": Form(_uncertain, lambda _: PORTION),
}
"""By name."""
