"""Intervals for shares."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from scipy.special import ndtri


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def normal_quantile(level: float) -> float:
    """How many standard errors a two-sided interval of this level reaches to each side (1.96 for 0.95)."""
    return float(ndtri(0.5 + level / 2))


def wilson(successes: float, trials: float, level: float = 0.95) -> Interval:
    """Wilson's score interval; counts may be weighted (fractional). Without trials nothing is known: 0 to 1."""
    if trials <= 0:
        return Interval(0.0, 1.0)
    return score_interval(successes / trials, trials, normal_quantile(level))


def score_interval(share: float, trials: float, z: float) -> Interval:
    """All shares from which the observed one is at most z of *their* standard errors away."""
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)) / (1 + z * z / trials)
    return Interval(max(0.0, centre - half), min(1.0, centre + half))
