"""The two-parameter model beside Rasch: do some strategies tell able from less able judges better than others?

P(success) = logistic(a·θ + d) with abilities N(0, 1); the Rasch model is the case in which all a are equal (to σ).
Twice the difference of the log-likelihoods is chi-squared under Rasch, with one degree of freedom less than there are
items. Use it to check the Rasch model before its difficulties are believed; these need fewer data.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import fmin_l_bfgs_b
from scipy.sparse import csr_array
from scipy.special import chdtrc

from lab.arrays import Floats
from lab.rasch.marginal import fit_marginal
from lab.rasch.responses import Responses

NODES = 41
WIDEST_SLOPE = 6.0


@dataclass(frozen=True)
class TwoParameter:
    """`slope` a and `intercept` d of every item; the difficulty on the ability's scale is −d / a."""

    slope: Floats
    intercept: Floats
    log_likelihood: float

    @property
    def difficulty(self) -> Floats:
        return np.asarray(-self.intercept / self.slope, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class SlopeTest:
    """Likelihood-ratio test of equal slopes: a small `p` speaks against the Rasch model."""

    chi_squared: float
    df: int
    p: float
    slopes: dict[str, float]


def fit_two_parameter(responses: Responses) -> TwoParameter:
    """Marginal maximum likelihood over fixed nodes, wide and dense enough for records of some hundred answers."""
    return _climb(_Likelihood(responses), _start(responses))


def slope_test(responses: Responses) -> SlopeTest:
    """Rasch against the two-parameter model, both over the same nodes, so that their likelihoods compare."""
    likelihood, start = _Likelihood(responses), _start(responses)
    free = _climb(likelihood, start)
    common = _climb(likelihood, start, common=True)
    chi = max(0.0, 2 * (free.log_likelihood - common.log_likelihood))
    df = len(responses.items) - 1
    # Turned around, abilities and slopes say the same: more is better where most items say so.
    towards = free.slope if free.slope.sum() >= 0 else -free.slope
    slopes = dict(zip(responses.items, towards.tolist(), strict=True))
    return SlopeTest(chi, df, float(chdtrc(df, chi)) if df else 1.0, slopes)


def _start(responses: Responses) -> Floats:
    rasch = fit_marginal(responses)
    return np.concatenate((np.full(len(rasch.difficulty), rasch.sigma), -rasch.difficulty))


class _Likelihood:
    def __init__(self, responses: Responses) -> None:
        shape = (len(responses.persons), len(responses.items))
        where = (responses.person, responses.item)
        self.ones = csr_array((responses.successes, where), shape=shape)
        self.zeros = csr_array((responses.trials - responses.successes, where), shape=shape)
        nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
        self.nodes, self.log_weights = nodes, np.log(weights / weights.sum())

    def evaluate(self, parameters: Floats) -> tuple[float, Floats]:
        """The log-likelihood and its gradient, by slopes and then intercepts."""
        slope, intercept = np.split(parameters, 2)
        eta = slope[:, None] * self.nodes + intercept[:, None]
        log_one, log_zero = -np.logaddexp(0, -eta), -np.logaddexp(0, eta)
        joint = self.ones @ log_one + self.zeros @ log_zero + self.log_weights
        top = joint.max(axis=1, keepdims=True)
        weights = np.exp(joint - top)
        norm = weights.sum(axis=1, keepdims=True)
        weights /= norm
        one, zero = self.ones.T @ weights, self.zeros.T @ weights
        success = np.exp(log_one)
        residual = one * (1 - success) - zero * success
        return float(np.sum(top + np.log(norm))), np.concatenate((residual @ self.nodes, residual.sum(axis=1)))


def _climb(likelihood: _Likelihood, start: Floats, common: bool = False) -> TwoParameter:
    items = len(start) // 2

    def whole(parameters: Floats) -> Floats:
        return np.concatenate((np.full(items, parameters[0]), parameters[1:])) if common else parameters

    def drop(parameters: Floats) -> tuple[float, Floats]:
        value, gradient = likelihood.evaluate(whole(parameters))
        if common:
            gradient = np.concatenate(([gradient[:items].sum()], gradient[items:]))
        return -value, -gradient

    slopes = 1 if common else items
    at, lowest, _ = fmin_l_bfgs_b(
        drop,
        start[items - slopes :],
        bounds=[(-WIDEST_SLOPE, WIDEST_SLOPE)] * slopes + [(-20.0, 20.0)] * items,
        factr=1e3,
        maxiter=1000,
    )
    slope, intercept = np.split(whole(np.asarray(at, dtype=np.float64)), 2)
    return TwoParameter(slope, intercept, -float(lowest))
