"""Rasch model by marginal maximum likelihood: abilities are normal, N(0, σ²), and integrated out.

P(success) = logistic(θ − δ). The integral over θ uses adaptive Gauss–Hermite quadrature (nodes around each pattern's
own mode, hence exact enough for two answers and for two thousand); the parameters (δ, log σ) are found by Newton's
method with the analytic gradient and the observed information (Louis' formula), which also gives the standard errors.

Items that everybody or nobody solved get half a success and half a failure at the mean ability as a weak prior; other
items have none.
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

NODES = 15
SIGMA_RANGE = (0.01, 20.0)
MAX_STEPS = 60
TOLERANCE = 1e-9


class NotConvergedError(RuntimeError):
    """The likelihood could not be maximised; the message says how far it got."""


@dataclass(frozen=True)
class Marginal:
    """The fitted model on the scale on which the mean ability is 0."""

    responses: Responses
    difficulty: Floats
    sigma: float
    covariance: Floats
    """Of the difficulties, then log σ (zero row and column where σ sits at its lower bound)."""
    log_likelihood: float
    ability: Floats
    ability_se: Floats
    """Expected a posteriori abilities of the persons and their posterior standard deviations."""
    posteriors: Posteriors
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

    def __init__(self, responses: Responses, patterns: Patterns, nodes: int) -> None:
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
        total = self._fixed_part(difficulty)
        for block in self.patterns.blocks:
            total += float(block.count @ self._integrate(block, difficulty, sigma).log_marginal)
        return total

    def evaluate(self, parameters: Floats) -> _Evaluation:
        difficulty, sigma = parameters[:-1], float(np.exp(parameters[-1]))
        value = self._fixed_part(difficulty)
        prior = expit(-difficulty)
        gradient = np.zeros(self.items + 1)
        gradient[:-1] = -self.item_scores + self.perfect * (prior - 0.5)
        hessian = np.zeros((self.items + 1) ** 2)
        for block in self.patterns.blocks:
            value += self._add_block(block, difficulty, sigma, gradient, hessian)
        matrix = hessian.reshape(self.items + 1, self.items + 1)
        matrix[np.arange(self.items), np.arange(self.items)] -= self.perfect * prior * (1 - prior)
        return _Evaluation(value, gradient, -matrix)

    def posteriors(self, parameters: Floats) -> Posteriors:
        difficulty, sigma = parameters[:-1], float(np.exp(parameters[-1]))
        values, weights = np.zeros((2, self.patterns.patterns, len(self.roots)))
        for block in self.patterns.blocks:
            part = self._integrate(block, difficulty, sigma)
            values[block.pattern], weights[block.pattern] = part.ability, part.weights
        return Posteriors(values, weights, self.patterns.of_person)

    def _fixed_part(self, difficulty: Floats) -> float:
        prior = -0.5 * (np.logaddexp(0, difficulty) + np.logaddexp(0, -difficulty))
        return float(-self.item_scores @ difficulty + self.perfect @ prior)

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
    patterns = lay_out(responses)
    likelihood = _Likelihood(responses, patterns, nodes)
    parameters, steps = _climb(likelihood, _start(responses))
    at = likelihood.evaluate(parameters)
    free = _free(parameters, at.gradient)
    covariance = np.zeros_like(at.information)
    covariance[np.ix_(free, free)] = np.linalg.inv(at.information[np.ix_(free, free)])
    posteriors = likelihood.posteriors(parameters)
    mean = np.sum(posteriors.weights * posteriors.values, axis=1)
    sd = np.sqrt(np.sum(posteriors.weights * (posteriors.values - mean[:, None]) ** 2, axis=1))
    return Marginal(
        responses=responses,
        difficulty=parameters[:-1].copy(),
        sigma=float(np.exp(parameters[-1])),
        covariance=covariance,
        log_likelihood=at.value,
        ability=mean[patterns.of_person],
        ability_se=sd[patterns.of_person],
        posteriors=posteriors,
        steps=steps,
    )


def _start(responses: Responses) -> Floats:
    quick = fit_joint(responses)
    middle = float(np.average(quick.ability, weights=responses.person_trials))
    return np.append(quick.difficulty - middle, 0.0)


def _free(parameters: Floats, gradient: Floats) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """The parameters that may still move: all, but log σ not across its bounds."""
    low, high = np.log(SIGMA_RANGE)
    stuck = (parameters[-1] <= low and gradient[-1] <= 1e-6) or (parameters[-1] >= high and gradient[-1] >= -1e-6)
    return np.arange(len(parameters) - 1 if stuck else len(parameters))


def _climb(likelihood: _Likelihood, parameters: Floats) -> tuple[Floats, int]:
    """Newton's method, damped where the surface is not yet concave or a full step would overshoot."""
    low, high = np.log(SIGMA_RANGE)
    for step in range(1, MAX_STEPS + 1):
        at = likelihood.evaluate(parameters)
        free = _free(parameters, at.gradient)
        move = np.zeros_like(parameters)
        move[free] = np.clip(_solve(at.information[np.ix_(free, free)], at.gradient[free]), -2.0, 2.0)
        factor = 1.0
        while True:
            trial = parameters + factor * move
            trial[-1] = np.clip(trial[-1], low, high)
            if likelihood.value(trial) >= at.value - 1e-9 * abs(at.value) or factor < 1e-6:
                break
            factor /= 2
        change = float(np.max(np.abs(trial - parameters)))
        parameters = trial
        if change < TOLERANCE**0.5 and factor == 1.0 and float(at.gradient[free] @ move[free]) < TOLERANCE:
            return parameters, step
    raise NotConvergedError(f"no maximum after {MAX_STEPS} steps; the last one still moved by {change:.2g}")


def _solve(information: Floats, gradient: Floats) -> Floats:
    ridge = 0.0
    for _ in range(40):
        try:
            factor = np.linalg.cholesky(information + ridge * np.eye(len(gradient)))
        except np.linalg.LinAlgError:
            ridge = max(10 * ridge, 1e-6 * float(np.max(np.abs(np.diag(information)))))
            continue
        half = np.linalg.solve(factor, gradient)
        return np.asarray(np.linalg.solve(factor.T, half))
    raise NotConvergedError("the information matrix has no usable direction")
