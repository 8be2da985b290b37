"""The classifiers of `make blind` find what is there, and nothing where nothing is."""

from __future__ import annotations

import numpy as np
import pytest

from tests.blind.classifier import LEARNERS, area

MATCHES = 200


def seats(leak: str, seed: int) -> tuple[list[int], list[bool], list[dict[str, float]]]:
    """Two persons and a program in every match, and numbers about each, in which the leak is planted."""
    rng = np.random.default_rng(seed)
    matches, person, numbers = [], [], []
    for match in range(MATCHES):
        for seat in range(3):
            values = rng.standard_normal(6)
            if seat == 0 and leak == "slow":
                values[0] += 1
            if seat == 0 and leak == "alike":  # each number by itself looks the same, their signs together do not
                values[1] = np.copysign(values[1], values[0])
            matches.append(match)
            person.append(seat != 0)
            numbers.append({f"n{place}": float(value) for place, value in enumerate(values)})
    return matches, person, numbers


@pytest.mark.parametrize("learner", LEARNERS)
def test_nothing_is_found_where_nothing_is_and_a_plain_leak_is(learner: str) -> None:
    assert all(area(*seats("none", seed), learner=learner).value < 0.56 for seed in range(3))
    assert area(*seats("slow", 1), learner=learner).low > 0.6


def test_only_trees_see_that_two_numbers_go_together() -> None:
    assert area(*seats("alike", 2), learner="linear").is_chance
    assert area(*seats("alike", 2), learner="trees").low > 0.53
