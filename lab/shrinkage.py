"""What one person's or strategy's few data say once it is known how all of them vary: empirical Bayes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.special import log_ndtr

from lab.arrays import Floats, Ints

STEP: Final = 0.2
D_PRIMES: Final = np.arange(-2.0, 6.01, STEP)
CRITERIA: Final = np.arange(-2.5, 2.51, 0.25)
ROUNDS: Final = 60
MOST_PATTERNS: Final = 3_000
"""So many different records are enough to learn how d′ and criterion vary; also how many are worked on at a time."""
LEAST_SPREAD: Final = 0.1


def d_prime_above(counts: Floats, bound: float) -> Floats:
    """The probability that each person's d′ exceeds the bound, given the person's counts and how all persons vary.

    One row per person: hits, judged programs, false alarms, judged humans.
    d′ and criterion are normal in the population; their means and spreads are found by expectation–maximisation over
    a grid. Whoever has judged little is near the others, so nobody becomes an expert by a lucky start; whoever has
    judged much is known by it.
    """
    if len(counts) == 0:
        return np.zeros(0)
    records, where = np.unique(counts, axis=0, return_inverse=True)
    persons = np.bincount(where.ravel()).astype(np.float64)
    above = np.empty(len(records))
    beyond = np.clip((D_PRIMES - bound) / STEP + 0.5, 0, 1)
    sample = _sample(len(records))
    prior = _learnt(_likelihood(records[sample]), persons[sample])
    for start in range(0, len(records), MOST_PATTERNS):
        part = slice(start, start + MOST_PATTERNS)
        above[part] = _posterior(_likelihood(records[part]), prior).sum(axis=2) @ beyond
    return np.asarray(above[where.ravel()], dtype=np.float64)


def _sample(records: int) -> Ints:
    return np.unique(np.linspace(0, records - 1, min(records, MOST_PATTERNS)).astype(np.int64))


def _likelihood(records: Floats) -> Floats:
    """Of every record at every d′ and criterion, as a multiple of its largest."""
    hit = D_PRIMES[:, None] / 2 - CRITERIA
    alarm = -D_PRIMES[:, None] / 2 - CRITERIA
    said = np.stack([log_ndtr(hit), log_ndtr(-hit), log_ndtr(alarm), log_ndtr(-alarm)])
    yes, programs, false, humans = records.T
    logs = np.tensordot(np.column_stack((yes, programs - yes, false, humans - false)), said, axes=1)
    return np.asarray(np.exp(logs - logs.max(axis=(1, 2), keepdims=True)), dtype=np.float64)


def _learnt(likelihood: Floats, counts: Floats) -> Floats:
    """The normal prior of d′ and criterion under which these records are likeliest."""
    prior = np.outer(_normal(D_PRIMES, 0.5, 1.0), _normal(CRITERIA, 0.0, 0.7))
    for _ in range(ROUNDS):
        seen = np.tensordot(counts, _posterior(likelihood, prior), axes=1) / counts.sum()
        prior = np.outer(_fitted(D_PRIMES, seen.sum(axis=1)), _fitted(CRITERIA, seen.sum(axis=0)))
    return prior


def _posterior(likelihood: Floats, prior: Floats) -> Floats:
    joint = likelihood * prior
    return np.asarray(joint / joint.sum(axis=(1, 2), keepdims=True), dtype=np.float64)


def _fitted(values: Floats, weights: Floats) -> Floats:
    mean = float(weights @ values)
    return _normal(values, mean, max(float(np.sqrt(weights @ (values - mean) ** 2)), LEAST_SPREAD))


def _normal(values: Floats, mean: float, spread: float) -> Floats:
    weights = np.exp(-0.5 * ((values - mean) / spread) ** 2)
    return np.asarray(weights / weights.sum(), dtype=np.float64)


@dataclass(frozen=True)
class Shrunk:
    """Estimates drawn to their common mean, each by as much as its error is large beside the true spread."""

    mean: float
    mean_se: float
    spread: float
    estimate: Floats
    se: Floats


def shrink(estimates: Floats, errors: Floats) -> Shrunk:
    """Normal–normal empirical Bayes with the spread of Paule and Mandel.

    The true spread is the one at which the estimates' squared distances from their mean, each in units of its own
    variance, add up to as many as there are degrees of freedom. For rankings and for the best of many strategies,
    whose plain estimate is too good because it was chosen for being the largest.
    """
    if len(estimates) == 0 or not np.all(np.isfinite(errors)) or np.any(errors <= 0):
        raise ValueError("every estimate needs a finite standard error above 0")
    low, high = 0.0, float(np.var(estimates)) * len(estimates) + float(np.max(errors)) ** 2
    if _surplus(estimates, errors, 0.0) <= 0:
        high = 0.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _surplus(estimates, errors, middle) > 0 else (low, middle)
    variance = (low + high) / 2
    weights = 1 / (errors**2 + variance)
    mean = float(weights @ estimates / weights.sum())
    trust = variance / (variance + errors**2)
    posterior = trust * errors**2 + (1 - trust) ** 2 / weights.sum()
    return Shrunk(
        mean=mean,
        mean_se=float(weights.sum() ** -0.5),
        spread=float(np.sqrt(variance)),
        estimate=np.asarray(mean + trust * (estimates - mean), dtype=np.float64),
        se=np.sqrt(posterior),
    )


def _surplus(estimates: Floats, errors: Floats, variance: float) -> float:
    weights = 1 / (errors**2 + variance)
    mean = weights @ estimates / weights.sum()
    return float(weights @ (estimates - mean) ** 2 - (len(estimates) - 1))
