"""How well single persons and items follow the model: infit and outfit mean squares (expected 1).

Outfit is the plain mean of the squared standardised residuals and notices surprises far from a person's level; infit
weighs them by their information. Every single answer counts, repeated trials of a cell too.

The residuals are averaged over the posterior distribution of each ability instead of being taken at one estimate, as
in the marginal fit statistics after Wu (1997). An estimate is drawn towards the very answers it is compared with;
averaged over the posterior, the squares have expectation exactly 1 under the model, for short and extreme records too.
The usual rules of thumb (0.5 to 1.5) were made for squares at the estimate: `at_estimates` gives those.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from lab.arrays import Floats, Ints, sums
from lab.rasch.responses import Responses

CHUNK = 50_000
"""Cells worked on at a time, to bound the memory."""


@dataclass(frozen=True)
class Posteriors:
    """Each person's ability as a discrete distribution: values and weights of shape (patterns, nodes)."""

    values: Floats
    weights: Floats
    of_person: Ints


@dataclass(frozen=True)
class MeanSquares:
    infit: Floats
    outfit: Floats


@dataclass(frozen=True)
class Fit:
    persons: MeanSquares
    items: MeanSquares


def mean_squares(responses: Responses, posteriors: Posteriors, difficulty: Floats) -> Fit:
    """Infit and outfit of all persons and items."""
    return _summed(responses, _cells(responses, posteriors, difficulty))


def at_estimates(responses: Responses, ability: Floats, difficulty: Floats) -> Fit:
    """The conventional infit and outfit: residuals at one estimate per person, as Winsteps and eRm have them."""
    point = Posteriors(ability[:, None], np.ones((len(ability), 1)), np.arange(len(ability)))
    return _summed(responses, _cells(responses, point, difficulty))


def _summed(responses: Responses, cells: tuple[Floats, Floats, Floats]) -> Fit:
    squares, standardised, variance = cells

    def over(index: Ints, size: int) -> MeanSquares:
        with np.errstate(invalid="ignore"):
            return MeanSquares(
                infit=sums(index, squares, size) / sums(index, variance, size),
                outfit=sums(index, standardised, size) / sums(index, responses.trials, size),
            )

    return Fit(over(responses.person, len(responses.persons)), over(responses.item, len(responses.items)))


def _cells(responses: Responses, posteriors: Posteriors, difficulty: Floats) -> tuple[Floats, Floats, Floats]:
    """Per cell, summed over its trials: squared residuals, the same standardised, and the variance they should have."""
    squares, standardised, variance = (np.empty(len(responses.person)) for _ in range(3))
    for start in range(0, len(responses.person), CHUNK):
        part = slice(start, start + CHUNK)
        pattern = posteriors.of_person[responses.person[part]]
        weights = posteriors.weights[pattern]
        eta = posteriors.values[pattern] - difficulty[responses.item[part], None]
        success = expit(eta)
        ones, trials = responses.successes[part], responses.trials[part]
        zeros = trials - ones
        missed, solved = _mean(weights, (1 - success) ** 2), _mean(weights, success**2)
        squares[part] = ones * missed + zeros * solved
        # (1 − P)² / P(1 − P) = e^−η and P² / P(1 − P) = e^η
        standardised[part] = ones * _mean(weights, np.exp(-eta)) + zeros * _mean(weights, np.exp(eta))
        variance[part] = trials * _mean(weights, success * (1 - success))
    return squares, standardised, variance


def _mean(weights: Floats, values: Floats) -> Floats:
    return np.asarray(np.einsum("cq,cq->c", weights, values), dtype=np.float64)
