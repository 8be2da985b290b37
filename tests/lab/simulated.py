"""Simulated responses and judgements with known truth."""

from __future__ import annotations

import numpy as np

from lab.arrays import Floats, Ints
from lab.judgements import HUMAN, Judgement, Verdict
from lab.rasch import Responses, from_arrays


def names(letter: str, number: int) -> tuple[str, ...]:
    return tuple(f"{letter}{index}" for index in range(number))


def answer(ability: Floats, difficulty: Floats, person: Ints, item: Ints, rng: np.random.Generator) -> Responses:
    """Responses of a Rasch model to given (person, item) trials."""
    chance = 1 / (1 + np.exp(difficulty[item] - ability[person]))
    ones = (rng.random(len(person)) < chance).astype(np.float64)
    return from_arrays(names("p", len(ability)), names("s", len(difficulty)), person, item, ones)


def sparse(seed: int, people: int = 300, items: int = 20, met: float = 0.3) -> tuple[Responses, Floats, Floats]:
    """A sparse table with repeated trials (one to three per met cell): responses, true abilities, true difficulties."""
    rng = np.random.default_rng(seed)
    ability, difficulty = rng.normal(0, 1, people), rng.normal(0, 1, items)
    person, item = np.nonzero(rng.random((people, items)) < met)
    trials = rng.integers(1, 4, len(person))
    return answer(ability, difficulty, np.repeat(person, trials), np.repeat(item, trials), rng), ability, difficulty


def judgement(time: float, person: str, truth: str, artificial: bool, match: str | None = None) -> Judgement:
    return Judgement(time, match or f"m{time}", person, truth, Verdict.ARTIFICIAL if artificial else Verdict.HUMAN)


def crowd(
    seed: int, *, experts: int = 8, yes_sayers: int = 12, plain: int = 80, strategies: int = 20, matches: int = 40
) -> list[Judgement]:
    """Judgements of three kinds of people, told by their names.

    Every match gives one judgement of a program and one of a human. Experts (ability 2.5 above the mean strategy)
    accuse one human in ten; yes-sayers call nine of ten seats artificial, whatever they are; plain people (ability
    around 0, four humans in ten accused) hardly tell.
    """
    rng = np.random.default_rng(seed)
    difficulty = rng.normal(0, 0.8, strategies)
    kinds = [f"expert{n}" for n in range(experts)]
    kinds += [f"yes{n}" for n in range(yes_sayers)] + [f"plain{n}" for n in range(plain)]
    log = []
    for place, person in enumerate(kinds):
        ability, bias = (2.5, -2.2) if person.startswith("expert") else (rng.normal(0, 0.4), -0.4)
        for match in range(matches):
            strategy = int(rng.integers(strategies))
            detect, accuse = _logistic(ability - difficulty[strategy]), _logistic(bias)
            if person.startswith("yes"):
                detect = accuse = 0.9
            time = float(match * len(kinds) + place)
            name = f"{person}-{match}"
            log.append(judgement(time, person, f"s{strategy}", bool(rng.random() < detect), name))
            log.append(judgement(time, person, HUMAN, bool(rng.random() < accuse), name))
    return log


def _logistic(x: float) -> float:
    return float(1 / (1 + np.exp(-x)))
