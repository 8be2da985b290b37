"""Rasch model by conditional maximum likelihood, for complete tables of single answers.

Conditional on the persons' scores the abilities drop out, so nothing need be assumed about their distribution. It
cannot use missing cells; here it is an independent check of the marginal estimate, and an estimate for test-like data.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lab.arrays import Floats
from lab.rasch.marginal import NotConvergedError
from lab.rasch.responses import Responses

MAX_STEPS = 100


@dataclass(frozen=True)
class Conditional:
    """Difficulties with sum zero."""

    difficulty: Floats
    difficulty_se: Floats
    log_likelihood: float


def fit_conditional(responses: Responses) -> Conditional:
    """Fit a complete table; raises ValueError for missing cells, repeated trials and items without variation."""
    people, size = len(responses.persons), len(responses.items)
    if len(responses.person) != people * size or np.any(responses.trials != 1):
        raise ValueError("conditional estimation needs one answer in every cell of persons × items")
    if responses.perfect_items.any():
        perfect = [name for name, is_so in zip(responses.items, responses.perfect_items, strict=True) if is_so]
        raise ValueError(f"items that everybody or nobody solved have no finite estimate: {', '.join(perfect)}")
    item_scores = responses.item_scores
    with_score = np.bincount(responses.person_scores.astype(np.int64), minlength=size + 1).astype(np.float64)
    difficulty = np.zeros(size)
    for _ in range(MAX_STEPS):
        value, expected, information = _moments(difficulty, with_score)
        step = _sum_zero_inverse(information) @ (expected - item_scores)
        difficulty = difficulty + np.clip(step, -1, 1)
        difficulty -= difficulty.mean()
        if np.max(np.abs(step)) < 1e-10:
            value, _, information = _moments(difficulty, with_score)
            se = np.sqrt(np.diag(_sum_zero_inverse(information)))
            return Conditional(difficulty, se, float(-item_scores @ difficulty) - value)
    raise NotConvergedError(f"conditional likelihood: no maximum after {MAX_STEPS} steps")


def _moments(difficulty: Floats, with_score: Floats) -> tuple[float, Floats, Floats]:
    """Σ log γ over the persons, expected item scores, and their covariance given the persons' scores."""
    easiness = np.exp(-difficulty)
    size = len(easiness)
    gamma = symmetric_functions(easiness)
    without = np.array([symmetric_functions(np.delete(easiness, i)) for i in range(size)])
    # π[i, r]: probability of solving item i given score r
    solve = np.zeros((size, size + 1))
    solve[:, 1:] = easiness[:, None] * without / gamma[None, 1:]
    both = np.zeros((size, size, size + 1))
    for i in range(size):
        both[i, i] = solve[i]
        for j in range(i):
            rest = symmetric_functions(np.delete(easiness, (i, j)))
            both[i, j, 2:] = both[j, i, 2:] = easiness[i] * easiness[j] * rest / gamma[2:]
    information = (both - solve[:, None, :] * solve[None, :, :]) @ with_score
    return float(with_score @ np.log(gamma)), solve @ with_score, information


def _sum_zero_inverse(information: Floats) -> Floats:
    """The inverse among difficulties with sum zero; adding a constant to all of them changes no probability."""
    constant = np.full_like(information, 1 / len(information))
    return np.asarray(np.linalg.inv(information + constant) - constant)


def symmetric_functions(values: Floats) -> Floats:
    """Elementary symmetric functions γ₀ … γₙ of the values, by adding one value after the other."""
    gamma = np.zeros(len(values) + 1)
    gamma[0] = 1.0
    for value in values:
        gamma[1:] += value * gamma[:-1]
    return gamma
