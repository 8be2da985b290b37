"""Local dependence: pairs of strategies that the same persons detect or miss beyond what their ability explains.

Yen's Q3 is the correlation of the residuals of two items over the persons who answered both. Strategies that play alike
show up here. Residuals are slightly negatively correlated by construction, so a pair is held against the mean of all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit

from lab.arrays import Floats
from lab.rasch.responses import Responses

LEAST_PERSONS = 20
CONSPICUOUS = 0.2
"""How far above the mean a correlation is conspicuous (Christensen, Makransky and Horton 2017)."""


@dataclass(frozen=True, slots=True)
class Dependence:
    first: str
    second: str
    persons: int
    q3: float
    above_mean: float

    @property
    def conspicuous(self) -> bool:
        return self.above_mean > CONSPICUOUS


def dependences(responses: Responses, ability: Floats, difficulty: Floats) -> list[Dependence]:
    """All pairs that enough persons have answered both of, the most dependent first."""
    expected = expit(ability[responses.person] - difficulty[responses.item])
    residual = responses.successes / responses.trials - expected
    shape, where = (len(responses.persons), len(responses.items)), (responses.person, responses.item)
    left, met = csr_array((residual, where), shape=shape), csr_array((np.ones(len(residual)), where), shape=shape)
    squared = csr_array((residual**2, where), shape=shape)
    both = (met.T @ met).toarray()
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = (left.T @ met).toarray() / both
        spread = (squared.T @ met).toarray() / both - mean**2
        q3 = ((left.T @ left).toarray() / both - mean * mean.T) / np.sqrt(spread * spread.T)
    first, second = np.nonzero(np.triu(both >= LEAST_PERSONS, 1) & np.isfinite(q3))
    if len(first) == 0:
        return []
    values = q3[first, second]
    middle = float(values.mean())
    return [
        Dependence(responses.items[a], responses.items[b], int(both[a, b]), float(q3[a, b]), float(q3[a, b]) - middle)
        for a, b in sorted(zip(first.tolist(), second.tolist(), strict=True), key=lambda two: -q3[two])
    ]
