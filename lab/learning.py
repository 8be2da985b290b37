"""How people learn to judge: at their first, second, … judgement, how many were right, programs and humans apart.

Who judges badly may stop earlier, and then the later points look better although nobody has learnt anything. `learning`
is the curve without that: what all who began would show, had all of them gone on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import fminbound

from lab.arrays import Floats
from lab.judgements import Judgement

LONGEST = 60
"""Up to which judgement of a person learning is looked at."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """The n-th judgements of all persons: how many were of programs and of humans, and how many of each right."""

    number: int
    programs: int
    programs_right: int
    humans: int
    humans_right: int


def lessons(judgements: Iterable[Judgement], longest: int = LONGEST) -> list[Lesson]:
    """From a log in order; at each number every person counts once."""
    judged: Counter[str] = Counter()
    tally: dict[int, list[int]] = {}
    for one in judgements:
        judged[one.person] += 1
        number = judged[one.person]
        if number <= longest:
            counts = tally.setdefault(number, [0, 0, 0, 0])
            kind = 2 if one.of_human else 0
            counts[kind] += 1
            counts[kind + 1] += one.right
    return [Lesson(number, *counts) for number, counts in sorted(tally.items())]


@dataclass(frozen=True, slots=True)
class LearningPoint:
    """The share right at the n-th judgement, corrected for drop-out, with its standard error."""

    number: int
    right: float
    se: float


def learning(
    judgements: Iterable[Judgement],
    wanted: Callable[[Judgement], bool] = lambda one: not one.of_human,
    longest: int = LONGEST,
) -> list[LearningPoint]:
    """From a log in order: right = curve[number] + person, the persons normal, fitted by maximum likelihood.

    A person who stopped after few mistakes or many still counts at the later numbers, as far as what he or she showed
    until then tells (missing at random given the past; whoever leaves because of what would have come is beyond it).
    Numbers are those of all judgements of a person, as in `lessons`; only the `wanted` ones enter.
    """
    judged: Counter[str] = Counter()
    people: dict[str, int] = {}
    rows: list[tuple[int, int, float]] = []
    for one in judgements:
        judged[one.person] += 1
        if judged[one.person] <= longest and wanted(one):
            rows.append((people.setdefault(one.person, len(people)), judged[one.person], float(one.right)))
    if not rows:
        return []
    person, number, right = (np.array(column) for column in zip(*rows, strict=True))
    numbers, place = np.unique(number, return_inverse=True)
    met = np.zeros((len(people), len(numbers)))
    met[person, place] = 1.0
    said = np.zeros_like(met)
    said[person, place] = right
    ratio = float(fminbound(lambda logs: _deviance(met, said, float(np.exp(logs))), -12.0, 4.0))
    curve, variance, information = _curve(met, said, float(np.exp(ratio)))
    errors = np.sqrt(np.diag(np.linalg.inv(information)) * variance)
    return [LearningPoint(int(n), float(p), float(se)) for n, p, se in zip(numbers, curve, errors, strict=True)]


def _curve(met: Floats, said: Floats, ratio: float) -> tuple[Floats, float, Floats]:
    """Generalised least squares for a given ratio of the persons' variance to that of the single judgement."""
    drawn = ratio / (1 + ratio * met.sum(axis=1))
    information = np.diag(met.sum(axis=0)) - (met * drawn[:, None]).T @ met
    curve = np.linalg.solve(information, said.sum(axis=0) - (met * drawn[:, None]).T @ said.sum(axis=1))
    residual = (said - curve) * met
    variance = float(np.sum(residual**2) - drawn @ residual.sum(axis=1) ** 2) / float(met.sum())
    return curve, variance, information


def _deviance(met: Floats, said: Floats, ratio: float) -> float:
    _, variance, _ = _curve(met, said, ratio)
    return float(met.sum() * np.log(max(variance, 1e-12)) + np.sum(np.log1p(ratio * met.sum(axis=1))))
