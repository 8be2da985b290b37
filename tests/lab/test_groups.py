"""Groups of persons with similar detections."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from lab.groups import find_groups
from lab.judgements import HUMAN, Judgement
from tests.lab.simulated import judgement

STRATEGIES = 16
RATES = {
    1: [[0.5] * STRATEGIES],
    2: [[0.85] * 8 + [0.15] * 8, [0.15] * 8 + [0.85] * 8],
    3: [[0.85] * 8 + [0.15] * 8, [0.15] * 8 + [0.85] * 8, [0.8, 0.2] * 8],
}


def study(groups: int, seed: int, people: int = 90, trials: int = 2) -> list[Judgement]:
    """Persons of planted groups (p0 in group 0, p1 in group 1, …), a fifth of the cells missing."""
    rng = np.random.default_rng(seed)
    log: list[Judgement] = []
    for person in range(people):
        rates = RATES[groups][person % groups]
        for strategy in range(STRATEGIES):
            for _ in range(trials if rng.random() < 0.8 else 0):
                log.append(judgement(len(log), f"p{person}", f"s{strategy}", bool(rng.random() < rates[strategy])))
    return log


@pytest.mark.parametrize("planted", [1, 2, 3])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_data_choose_the_planted_number_of_groups(planted: int, seed: int) -> None:
    groups = find_groups(study(planted, seed))
    assert groups.number == planted
    pure = sum(
        Counter(int(person[1:]) % planted for person in groups.members(group)).most_common(1)[0][1]
        for group in range(groups.number)
    )
    assert pure >= 0.95 * 90


def test_few_data_give_one_group() -> None:
    assert find_groups([judgement(n, f"p{n}", "s", n % 2 == 0) for n in range(6)]).number == 1


def test_equal_input_gives_equal_groups_in_every_order() -> None:
    log = study(2, 5)
    assert find_groups(log).of_person == find_groups(log).of_person
    other = find_groups(log[::-1])
    assert {person: other.of_person[person] for person in find_groups(log).of_person}.keys() == other.of_person.keys()


def test_judgements_of_humans_do_not_group() -> None:
    log = study(2, 1)
    humans = [judgement(10_000 + n, f"p{n % 90}", HUMAN, n % 3 == 0) for n in range(300)]
    assert find_groups(log + humans).strategies == find_groups(log).strategies


def test_nobody_gives_no_groups() -> None:
    assert find_groups([]).number == 0


@pytest.mark.parametrize("seed", range(4))
def test_people_who_merely_differ_in_ability_are_one_group(seed: int) -> None:
    """By BIC alone two or three groups would be found in such a population nearly always."""
    rng = np.random.default_rng(seed)
    ability, difficulty = rng.normal(0, 1, 100), rng.normal(0, 1, STRATEGIES)
    log = [
        judgement(n, f"p{n}", f"s{s}", bool(rng.random() < 1 / (1 + np.exp(difficulty[s] - ability[n]))))
        for n in range(100)
        for s in range(STRATEGIES)
        for _ in range(2)
    ]
    groups = find_groups(log)
    assert min(groups.bic, key=lambda number: groups.bic[number]) > 1
    assert groups.number == 1
    assert groups.rasch_bic is not None
