"""Rasch model by marginal maximum likelihood: abilities are normal, N(0, σ²), and integrated out.

P(success) = logistic(θ − δ). The integral over θ uses adaptive Gauss–Hermite quadrature (nodes around each pattern's
own mode, hence exact enough for two answers and for two thousand); the parameters (δ, log σ) are found by Newton's
method with the analytic gradient and the observed information (Louis' formula), which also gives the standard errors.

Weak priors stand in only where the data alone would give nonsense: items that everybody or nobody solved get half a
success and half a failure at the mean ability; and where the likelihood drives σ to nothing or without bounds (too few
answers), σ gets a gamma prior with density σ·e^−σ, which is 0 at σ = 0 and largest at 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from lab.arrays import Floats, sums
from lab.rasch.fit import Posteriors
from lab.rasch.joint import fit_joint
from lab.rasch.patterns import Block, Patterns, lay_out
from lab.rasch.responses import Responses

NODES = 21
LOG_SIGMA_LIMIT = 6.0
SIGMA_CREDIBLE = (0.05, 8.0)
"""Outside of this the data do not tell the spread of abilities, and the prior on σ comes in."""
MAX_STEPS = 60
TOLERANCE = 1e-10
"""Of the Newton decrement: every parameter then is within 0.00001 standard errors of the maximum."""


class NotConvergedError(RuntimeError):
    """The likelihood could not be maximised; the message says how far it got."""


@dataclass(frozen=True)
class Marginal:
    """The fitted model on the scale on which the mean ability is 0."""

    responses: Responses
    difficulty: Floats
    sigma: float
    covariance: Floats
    """Of the difficulties, then log σ."""
    log_likelihood: float
    ability: Floats
    ability_se: Floats
    """Expected a posteriori abilities of the persons and their posterior standard deviations."""
    posteriors: Posteriors
    sigma_by_prior: bool
    """True where the data alone did not tell σ."""
    steps: int

    @property
    def difficulty_se(self) -> Floats:
        return np.sqrt(np.diag(self.covariance)[: len(self.difficulty)])


@dataclass
class _Evaluation:
    value: float
    gradient: Floats
    information: Floats


class _Likelihood:
    """The marginal log-likelihood as a function of (δ, log σ)."""

    def __init__(self, responses: Responses, patterns: Patterns, nodes: int, sigma_prior: bool = False) -> None:
        self.sigma_prior = float(sigma_prior)
        self.items = len(responses.items)
        self.item_scores = responses.item_scores
        self.perfect = responses.perfect_items
        self.patterns = patterns
        self.modes = np.zeros(patterns.patterns)
        roots, weights = np.polynomial.hermite.hermgauss(nodes)
        self.roots = np.sqrt(2.0) * roots
        self.log_weights = np.log(weights) + roots**2 + 0.5 * np.log(2.0)

    def value(self, parameters: Floats) -> float:
        difficulty, sigma = parameters[:-1], float(np.exp(parameters[-1]))
        total = self._fixed_part(difficulty, sigma)
        for block in self.patterns.blocks:
            total += float(block.count @ self._integrate(block, difficulty, sigma).log_marginal)
        return total

    def evaluate(self, parameters: Floats) -> _Evaluation:
        difficulty, sigma = parameters[:-1], float(np.exp(parameters[-1]))
        value = self._fixed_part(difficulty, sigma)
        prior = expit(-difficulty)
        gradient = np.zeros(self.items + 1)
        gradient[:-1] = -self.item_scores + self.perfect * (prior - 0.5)
        gradient[-1] = self.sigma_prior * (1.0 - sigma)
        hessian = np.zeros((self.items + 1) ** 2)
        for block in self.patterns.blocks:
            value += self._add_block(block, difficulty, sigma, gradient, hessian)
        matrix = hessian.reshape(self.items + 1, self.items + 1)
        matrix[np.arange(self.items), np.arange(self.items)] -= self.perfect * prior * (1 - prior)
        matrix[-1, -1] -= self.sigma_prior * sigma
        return _Evaluation(value, gradient, -matrix)

    def posteriors(self, parameters: Floats) -> Posteriors:
        difficulty, sigma = parameters[:-1], float(np.exp(parameters[-1]))
        values, weights = np.zeros((2, self.patterns.patterns, len(self.roots)))
        for block in self.patterns.blocks:
            part = self._integrate(block, difficulty, sigma)
            values[block.pattern], weights[block.pattern] = part.ability, part.weights
        return Posteriors(values, weights, self.patterns.of_person)

    def _fixed_part(self, difficulty: Floats, sigma: float) -> float:
        """What needs no integral: the items' scores, and the logarithms of the priors."""
        prior = -0.5 * (np.logaddexp(0, difficulty) + np.logaddexp(0, -difficulty))
        spread = self.sigma_prior * (np.log(sigma) - sigma)
        return float(-self.item_scores @ difficulty + self.perfect @ prior + spread)

    def _integrate(self, block: Block, difficulty: Floats, sigma: float) -> _Integral:
        delta = difficulty[block.items]
        mode, spread = _mode(block, delta, sigma, self.modes[block.pattern])
        self.modes[block.pattern] = mode
        ability = mode[:, None] + spread[:, None] * self.roots
        eta = ability[:, None, :] - delta[:, :, None]
        success = expit(eta)
        # log(1 + e^η) without overflow: max(η, 0) − log(larger of P and 1 − P)
        log_odds = np.maximum(eta, 0.0) - np.log(np.maximum(success, 1.0 - success))
        joint = block.score[:, None] * ability - np.einsum("nk,nkq->nq", block.trials, log_odds)
        joint += -0.5 * (ability / sigma) ** 2 - np.log(sigma) - 0.5 * np.log(2 * np.pi)
        joint += self.log_weights + np.log(spread)[:, None]
        top = joint.max(axis=1, keepdims=True)
        weights = np.exp(joint - top)
        norm = weights.sum(axis=1, keepdims=True)
        return _Integral(ability, success, weights / norm, (top + np.log(norm))[:, 0])

    def _add_block(self, block: Block, difficulty: Floats, sigma: float, gradient: Floats, hessian: Floats) -> float:
        part = self._integrate(block, difficulty, sigma)
        size, width = self.items + 1, block.items.shape[1]
        expected = block.trials[:, :, None] * part.success
        scale = (part.ability / sigma) ** 2 - 1.0
        scores = np.concatenate((expected, scale[:, None, :]), axis=1)
        mean = np.einsum("nkq,nq->nk", scores, part.weights)
        index = np.concatenate((block.items, np.full((len(block.items), 1), self.items)), axis=1)
        gradient += sums(index.ravel(), (block.count[:, None] * mean).ravel(), size)
        deviations = scores - mean[:, :, None]
        covariance = (deviations * (block.count[:, None] * part.weights)[:, None, :]) @ deviations.transpose(0, 2, 1)
        cells = index[:, :, None] * size + index[:, None, :]
        hessian += sums(cells.ravel(), covariance.ravel(), size * size)
        curvature = -np.einsum("nkq,nq->nk", expected * (1.0 - part.success), part.weights)
        own = np.concatenate((curvature, -2.0 * (1.0 + mean[:, width:])), axis=1) * block.count[:, None]
        hessian += sums((index * (size + 1)).ravel(), own.ravel(), size * size)
        return float(block.count @ part.log_marginal)


@dataclass
class _Integral:
    ability: Floats
    success: Floats
    weights: Floats
    log_marginal: Floats


def _mode(block: Block, delta: Floats, sigma: float, start: Floats) -> tuple[Floats, Floats]:
    """Where each pattern's posterior has its top, and how wide it is there."""
    mode = start.copy()
    precision = 1.0 / sigma**2
    for _ in range(50):
        success = expit(mode[:, None] - delta)
        slope = block.score - np.sum(block.trials * success, axis=1) - precision * mode
        curvature = np.sum(block.trials * success * (1.0 - success), axis=1) + precision
        step = np.clip(slope / curvature, -1.0, 1.0)
        mode += step
        if np.max(np.abs(step)) < 1e-6:
            break
    return mode, 1.0 / np.sqrt(curvature)


def fit_marginal(responses: Responses, nodes: int = NODES) -> Marginal:
    """Fit the model; raises NotConvergedError if the maximum cannot be reached."""
    if len(responses.person) == 0:
        raise ValueError("no responses to fit")
    patterns, start = lay_out(responses), _start(responses)
    likelihood = _Likelihood(responses, patterns, nodes)
    top = _climb(likelihood, start)
    by_prior = top is None or not _tells_sigma(top)
    if by_prior:
        likelihood = _Likelihood(responses, patterns, nodes, sigma_prior=True)
        top = _climb(likelihood, start)
    if top is None:
        raise NotConvergedError(f"the likelihood of {len(responses.person)} cells has no maximum within reach")
    sigma = float(np.exp(top.parameters[-1]))
    posteriors = likelihood.posteriors(top.parameters)
    mean = np.sum(posteriors.weights * posteriors.values, axis=1)
    sd = np.sqrt(np.sum(posteriors.weights * (posteriors.values - mean[:, None]) ** 2, axis=1))
    # Of persons without answers only the distribution of abilities is known.
    answered = patterns.of_person >= 0
    return Marginal(
        responses=responses,
        difficulty=top.parameters[:-1].copy(),
        sigma=sigma,
        covariance=top.covariance,
        log_likelihood=top.value,
        ability=np.where(answered, mean[patterns.of_person], 0.0),
        ability_se=np.where(answered, sd[patterns.of_person], sigma),
        posteriors=posteriors,
        sigma_by_prior=by_prior,
        steps=top.steps,
    )


def _start(responses: Responses) -> Floats:
    quick = fit_joint(responses)
    middle = float(np.average(quick.ability, weights=responses.person_trials))
    return np.append(quick.difficulty - middle, 0.0)


@dataclass(frozen=True)
class _Top:
    parameters: Floats
    covariance: Floats
    value: float
    steps: int


def _tells_sigma(top: _Top) -> bool:
    """Whether the data say anything about σ: no if it left the credible range, or is unknown by a factor of e."""
    low, high = np.log(SIGMA_CREDIBLE)
    return bool(low < top.parameters[-1] < high and top.covariance[-1, -1] < 1.0)


def _climb(likelihood: _Likelihood, parameters: Floats) -> _Top | None:
    """Newton's method, damped where the surface is not yet concave or a full step would overshoot.

    It has arrived when a further step would gain nothing; None if it runs off or gets stuck before.
    """
    for step in range(1, MAX_STEPS + 1):
        at = likelihood.evaluate(parameters)
        move = _solve(at.information, at.gradient)
        if float(at.gradient @ move) < TOLERANCE:
            return _top(parameters, at, step)
        move = np.clip(move, -2.0, 2.0)
        while likelihood.value(parameters + move) < at.value - 1e-9 * abs(at.value):
            move = move / 2
            if np.max(np.abs(move)) < 1e-7:
                return None
        parameters = parameters + move
        if abs(parameters[-1]) > LOG_SIGMA_LIMIT:
            return None
    return None


def _top(parameters: Floats, at: _Evaluation, steps: int) -> _Top | None:
    try:
        np.linalg.cholesky(at.information)
    except np.linalg.LinAlgError:
        return None  # level ground or a saddle, not a maximum
    return _Top(parameters, np.asarray(np.linalg.inv(at.information)), at.value, steps)


def _solve(information: Floats, gradient: Floats) -> Floats:
    """The Newton step; a ridge is added until the matrix is positive definite."""
    ridge = 0.0
    while True:
        try:
            factor = np.linalg.cholesky(information + ridge * np.eye(len(gradient)))
        except np.linalg.LinAlgError:
            ridge = max(10 * ridge, 1e-6 * float(np.max(np.abs(np.diag(information)))), 1e-12)
            continue
        return np.asarray(np.linalg.solve(factor.T, np.linalg.solve(factor, gradient)))
