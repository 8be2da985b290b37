"""Ratings against a published fit, under what must not change them, and how often their intervals are right."""

from __future__ import annotations

import random
from itertools import combinations
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.tournaments.ratings import Result, rate

BASEBALL = """
Milwaukee  - 7 9 7 7 9 11
Detroit    6 - 7 5 11 9 9
Toronto    4 6 - 7 7 8 12
New-York   6 8 6 - 6 7 10
Boston     6 2 6 7 - 7 12
Cleveland  4 4 5 6 6 - 6
Baltimore  2 4 1 3 1 7 -
"""
"""Wins of the row against the column, American League East 1987: the textbook example of the model."""
PUBLISHED = {
    "Milwaukee": (1.5814, 0.3433),
    "Detroit": (1.4364, 0.3396),
    "Toronto": (1.2945, 0.3367),
    "New-York": (1.2476, 0.3359),
    "Boston": (1.1077, 0.3339),
    "Cleveland": (0.6839, 0.3319),
    "Baltimore": (0.0, 0.0),
}
"""Estimates and standard errors with the last one at 0, as generalised linear models in R find them."""


def won(one: int, other: int, times: int = 1) -> list[Result]:
    return [((one, other), (200.0, 0.0))] * times


def drawn(one: int, other: int, times: int = 1) -> list[Result]:
    return [((one, other), (100.0, 100.0))] * times


def test_the_textbook_example_comes_out_as_published() -> None:
    names, *columns = zip(*(line.split() for line in BASEBALL.split("\n") if line), strict=True)
    results = [
        result
        for column, wins in enumerate(columns)
        for row, number in enumerate(wins)
        if number != "-"
        for result in won(row, column, int(number))
    ]
    found = rate(len(names), results, prior=None)
    last = len(names) - 1
    for number, name in enumerate(names):
        estimate, error = PUBLISHED[name]
        assert found.strengths[number] - found.strengths[last] == pytest.approx(estimate, abs=2e-4)
        contrast = np.zeros(len(names))
        contrast[number] += 1
        contrast[last] -= 1
        assert contrast @ found.covariance @ contrast == pytest.approx(error**2, abs=2e-4)


def test_two_players_have_what_can_be_computed_by_hand() -> None:
    found = rate(2, won(0, 1, 30) + won(1, 0, 10) + drawn(0, 1, 20), prior=None)
    difference = found.strengths[0] - found.strengths[1]
    # Three kinds of results and two free numbers: the model gives the shares exactly.
    total = exp(difference / 2) + exp(-difference / 2) + exp(found.draw)
    assert exp(difference / 2) / total == pytest.approx(0.5)
    assert exp(found.draw) / total == pytest.approx(1 / 3)
    assert difference == pytest.approx(np.log(3))


def test_who_won_all_or_met_nobody_has_a_rating_and_a_wide_interval() -> None:
    found = rate(3, won(0, 1, 20))
    assert found.points[0] > found.points[2] > found.points[1]
    assert all(np.isfinite([each.low, each.high]).all() for each in found.intervals)
    assert found.errors[2] > 300, "nothing is known of the third"
    assert sum(found.points) == pytest.approx(4500)
    assert rate(3, []).points == pytest.approx([1500, 1500, 1500])


RESULTS = st.lists(
    st.permutations(range(4)).flatmap(
        lambda order: st.integers(2, 4).flatmap(
            lambda seats: st.tuples(
                st.just(tuple(order[:seats])),
                st.lists(st.sampled_from([0.0, 50.0, 100.0]), min_size=seats, max_size=seats).map(tuple),
            )
        )
    ),
    max_size=12,
)


@given(RESULTS, st.permutations(range(4)))
@settings(max_examples=40, deadline=None)
def test_ratings_follow_names_and_not_the_order_of_anything(results: list[Result], names: list[int]) -> None:
    found = rate(4, results)
    renamed = rate(4, [(tuple(names[each] for each in who), got) for who, got in reversed(results)])
    for entrant in range(4):
        assert renamed.points[names[entrant]] == pytest.approx(found.points[entrant], abs=1e-4)
        assert renamed.errors[names[entrant]] == pytest.approx(found.errors[entrant], abs=1e-4)


@given(RESULTS, st.integers(0, 3), st.integers(0, 2))
@settings(max_examples=40, deadline=None)
def test_another_win_never_harms(results: list[Result], winner: int, step: int) -> None:
    loser = (winner + 1 + step) % 4
    before, after = rate(4, results), rate(4, results + won(winner, loser))
    assert after.points[winner] - after.points[loser] >= before.points[winner] - before.points[loser] - 1e-6


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_intervals_hold_the_truth_about_as_often_as_they_say(seats: int) -> None:
    """Strengths that are known, challenges drawn by them: the best is drawn first, and so on."""
    rng = random.Random(seats)
    truth = np.array([-1.0, -0.5, 0.0, 0.2, 0.5, 0.8])
    groups = list(combinations(range(len(truth)), seats))
    inside = tried = 0
    for _ in range(60):
        results: list[Result] = []
        for number in range(180 // seats):
            left, order = list(groups[number % len(groups)]), []
            while left:
                order.append(rng.choices(left, [exp(truth[each]) for each in left])[0])
                left.remove(order[-1])
            results.append((tuple(order), tuple(float(seats - place) for place in range(seats))))
        found = rate(len(truth), results)
        wanted = 1500 + 400 / np.log(10) * (truth - truth.mean())
        inside += sum(value in within for value, within in zip(wanted, found.intervals, strict=True))
        tried += len(truth)
    assert 0.91 <= inside / tried <= 0.99
