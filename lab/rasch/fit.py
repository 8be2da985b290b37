"""How well single persons and items follow the model: infit and outfit mean squares (expected 1).

Every single answer counts, repeated trials of a cell too. Outfit is the plain mean of the squared standardised
residuals and notices surprises far from a person's level; infit weighs them by their information.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from lab.arrays import Floats, Ints, sums
from lab.rasch.responses import Responses


@dataclass(frozen=True)
class MeanSquares:
    infit: Floats
    outfit: Floats


@dataclass(frozen=True)
class Fit:
    persons: MeanSquares
    items: MeanSquares


def mean_squares(responses: Responses, ability: Floats, difficulty: Floats) -> Fit:
    """Infit and outfit of all persons and items at the given estimates."""
    success = expit(ability[responses.person] - difficulty[responses.item])
    failures = responses.trials - responses.successes
    squares = responses.successes * (1 - success) ** 2 + failures * success**2
    variance = np.maximum(success * (1 - success), 1e-12)

    def over(index: Ints, size: int) -> MeanSquares:
        trials = sums(index, responses.trials, size)
        information = sums(index, responses.trials * variance, size)
        with np.errstate(invalid="ignore"):
            return MeanSquares(
                infit=sums(index, squares, size) / information,
                outfit=sums(index, squares / variance, size) / trials,
            )

    return Fit(over(responses.person, len(responses.persons)), over(responses.item, len(responses.items)))
