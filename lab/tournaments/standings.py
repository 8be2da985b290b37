"""How a tournament stands: the table of the entrants with points and ratings, and the cross table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from lab.intervals import Interval
from lab.tournaments.ratings import Ratings, Result, rate
from lab.tournaments.schedules import Past, Plan, flat, points_of, rungs, swiss_points
from lab.tournaments.tables import DRAWN, WON, Score


@dataclass(frozen=True, slots=True)
class Line:
    """One entrant in the table. In challenges of more than two, who got the most has won and all others have lost."""

    entrant: int
    score: Score
    points: int
    """3 for a win, 1 for a draw; in a Swiss tournament also 3 for sitting out."""
    rating: float
    within: Interval


@dataclass(frozen=True, slots=True)
class Standings:
    """The table from the first to the last, and how each did against each other."""

    lines: tuple[Line, ...]
    cross: dict[tuple[int, int], Score]


def standings(plan: Plan, past: Past) -> Standings:
    """Of the challenges that were played so far, also those of a round that is not over."""
    results = list(flat(past))
    ratings, scores = rate(plan.entrants, results), _scores(plan.entrants, results)
    points = swiss_points(plan, past) if plan.form == "swiss" else [score.points for score in scores]
    intervals, rated = ratings.intervals, ratings.points
    order = ORDERS[plan.form](plan, past, points, ratings)
    lines = (Line(each, scores[each], points[each], rated[each], intervals[each]) for each in order)
    return Standings(tuple(lines), _cross(results))


def _scores(entrants: int, results: Iterable[Result]) -> list[Score]:
    scores = [Score(0, 0, 0)] * entrants
    for who, got in results:
        for entrant, points in points_of(who, got):
            scores[entrant] += Score(int(points == WON), int(points == DRAWN), int(points == 0))
    return scores


def _cross(results: Iterable[Result]) -> dict[tuple[int, int], Score]:
    """By pair, how the first did: who got more in a challenge has won against the other."""
    cross: dict[tuple[int, int], Score] = {}
    for who, got in results:
        for (one, ones), (other, others) in combinations(zip(who, got, strict=True), 2):
            score = Score(int(ones > others), int(ones == others), int(ones < others))
            cross[one, other] = cross.get((one, other), Score(0, 0, 0)) + score
            cross[other, one] = cross.get((other, one), Score(0, 0, 0)) + score.reversed()
    return cross


def _by_points(plan: Plan, past: Past, points: list[int], ratings: Ratings) -> list[int]:  # noqa: ARG001  # one of several
    return sorted(range(plan.entrants), key=lambda each: (-points[each], -ratings.points[each]))


def _by_rating(plan: Plan, past: Past, points: list[int], ratings: Ratings) -> list[int]:  # noqa: ARG001  # as above
    """Where some have met more often than others, points tell nothing."""
    return sorted(range(plan.entrants), key=lambda each: -ratings.points[each])


def _by_rungs(plan: Plan, past: Past, points: list[int], ratings: Ratings) -> list[int]:  # noqa: ARG001  # as above
    return rungs(plan, past)


ORDERS: Final[dict[str, Callable[[Plan, Past, list[int], Ratings], list[int]]]] = {
    "round-robin": _by_points,
    "swiss": _by_points,
    "ladder": _by_rungs,
    "uncertainty": _by_rating,
}
"""Who is before whom, by the form of the tournament."""
