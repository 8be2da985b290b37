"""How well personalities foretell moves of matches that nobody learnt from, beside what knows nothing.

Moves of one match are not independent, so intervals come from drawing whole matches again.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from lab.arrays import Floats
from lab.intervals import Interval
from lab.personas.choices import Manner, Moments, log_likelihoods

DRAWS: Final = 2000
MEASURES: Final = ("log-likelihood", "agreement", "top 3", "ΔQ")


class Measured(NamedTuple):
    """Of each decision: the logarithm of the move's probability, whether it was the best or among three, and by how
    much the best was better."""

    log_likelihood: Floats
    agreement: Floats
    top_three: Floats
    lost: Floats


def measured(moments: Moments, values: Floats, manner: Manner) -> Measured:
    """Moves that seem equally good share the agreement."""
    chosen = values[moments.chosen]
    above = np.add.reduceat((values > np.repeat(chosen, moments.counts)).astype(np.float64), moments.starts)
    equal = np.add.reduceat((values == np.repeat(chosen, moments.counts)).astype(np.float64), moments.starts)
    return Measured(
        log_likelihoods(moments, values, manner),
        np.where(above == 0, 1 / equal, 0.0),
        np.clip((3 - above) / equal, 0.0, 1.0),
        np.maximum.reduceat(values, moments.starts) - chosen,
    )


def mean(moments: Moments, row: Floats) -> tuple[float, Interval]:
    """Per move, with the interval of 95 % over matches drawn again."""
    matches = np.unique(moments.matches, return_inverse=True)[1]
    sums, sizes = np.bincount(matches, row), np.bincount(matches).astype(np.float64)
    lots = np.random.default_rng(19).multinomial(len(sums), np.full(len(sums), 1 / len(sums)), size=DRAWS)
    low, high = np.quantile((lots @ sums) / (lots @ sizes), [0.025, 0.975])
    return float(row.mean()), Interval(float(low), float(high))


def average(rows: list[Measured]) -> Measured:
    """Of many personalities, decision by decision."""
    return Measured(*[np.mean(column, axis=0) for column in zip(*rows, strict=True)])
