"""The crossed mixed model of the verdicts: signal detection with judges, judged persons and matches as random draws.

A judge calls a seat human when it seems human enough. On the scale of that impression every strategy, and the humans
together, have a mean; around it vary the judge's criterion, the judge's sensitivity (how far apart programs and humans
seem), the judged person, and the match or, where judges meet strategies again, the judge's own view of a strategy:

    P(judged human) = Φ(β[truth] + criterion[judge] ± ½·sensitivity[judge] + person[judged] + view[judge, truth])

All of them are normal, their spreads are estimated by Laplace's approximation (that of lme4's `glmer(nAGQ = 0)`), and
the means are turned into what would be seen with new judges and new people: Φ(β / √(1 + all variances)). Because the
model knows what had been said before, showing misjudged strategies again does not bias it, as far as it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import fmin_l_bfgs_b
from scipy.sparse import csr_array, diags_array, hstack
from scipy.special import log_ndtr, ndtr

from lab.arrays import Floats, sums
from lab.judgements import HUMAN, Judgement, in_order
from lab.turing.shares import Difference

MOST_JUDGES: Final = 300
"""More judges than these are represented by so many of them: then two-way clustering is exact enough for the rest."""
SPREADS_FROM: Final = 80
"""So many judges tell how much judges and people vary (a spread to a twelfth of its size), which has to be tried a
hundred times; the means then take all of them."""
LEAST_UNITS: Final = 10
LOG_SD: Final = (-3.0, 1.5)
STEPS: Final = 40
CLOSE: Final = 1e-7
WEAK: Final = 1e-3
"""Precision of the prior on the means: it matters only where all verdicts agree."""
SMALLEST_STEP: Final = 1e-10


@dataclass(frozen=True, slots=True)
class MixedStrategy:
    """`latent` is β[strategy] − β[human], a d′ of judges in general; `share` and `difference` are shares."""

    share: float
    difference: Difference
    latent: float
    latent_se: float


@dataclass(frozen=True, slots=True)
class Mixed:
    """`spreads` are the standard deviations by name; `judges` is how many of them the model was fitted to."""

    humans: float
    strategies: dict[str, MixedStrategy]
    spreads: dict[str, float]
    log_likelihood: float
    judges: int


@dataclass(frozen=True)
class _Factor:
    """One kind of random effect: rows × levels, with the value with which each row takes part."""

    design: csr_array

    @property
    def levels(self) -> int:
        return int(self.design.shape[1])

    @property
    def repeats(self) -> bool:
        return self.levels > 1 and self.design.nnz > 1.05 * self.levels


def tells_enough(judgements: Iterable[Judgement]) -> bool:
    """Whether there are enough judges and judged persons to tell how they vary."""
    log = list(judgements)
    persons = {one.judged for one in log if one.judged is not None}
    return min(len({one.person for one in log}), len(persons)) >= LEAST_UNITS


def mixed_model(judgements: Iterable[Judgement]) -> Mixed | None:
    """The model of a log; None without judgements of both humans and programs."""
    log = _represented(in_order(judgements), MOST_JUDGES)
    truths = sorted({one.seat_truth for one in log} - {HUMAN})
    if not truths or not any(one.of_human for one in log):
        return None
    names = [HUMAN, *truths]
    effects = _told(log)
    fit, some = _Fit(log, names, effects), _represented(log, SPREADS_FROM)
    spreads = (fit if len(some) == len(log) else _Fit(some, names, effects)).climb()
    means, covariance, log_likelihood = fit.means(spreads)
    return _report(log, names, means, covariance, dict(zip(effects, spreads.tolist(), strict=True)), log_likelihood)


def _represented(log: list[Judgement], most: int) -> list[Judgement]:
    """What so many of the judges said, drawn without a look at their verdicts."""
    judges = sorted({one.person for one in log})
    if len(judges) <= most:
        return log
    kept = set(np.random.default_rng(0).choice(np.array(judges), most, replace=False).tolist())
    return [one for one in log if one.person in kept]


Effect = tuple[Callable[[Judgement], Hashable], Callable[[Judgement], float]]
"""To which level a judgement belongs, and with which value it takes part."""

EFFECTS: Final[Mapping[str, Effect]] = {
    "criterion": (lambda one: one.person, lambda _: 1.0),
    "sensitivity": (lambda one: one.person, lambda one: -0.5 if one.of_human else 0.5),
    "person": (lambda one: one.judged, lambda one: float(one.judged is not None)),
    "view": (lambda one: (one.person, one.seat_truth), lambda one: float(not one.of_human)),
    "match": (lambda one: one.match, lambda _: 1.0),
}


def _told(log: Sequence[Judgement]) -> list[str]:
    """The random effects that this log can tell: a level that is never met twice tells nothing about its spread.

    Of views and matches only one is taken, and last: views if judges met strategies again.
    """
    coarse = [name for name in ("criterion", "sensitivity", "person") if _factor(name, log).repeats]
    return [*coarse, "view" if _factor("view", log).repeats else "match"]


def _factor(name: str, log: Sequence[Judgement]) -> _Factor:
    level, value = EFFECTS[name]
    levels: dict[Hashable, int] = {}
    values = np.array([value(one) for one in log])
    rows = np.flatnonzero(values)
    codes = np.array([levels.setdefault(level(log[row]), len(levels)) for row in rows.tolist()], dtype=np.int64)
    return _Factor(csr_array((values[rows], (rows, codes)), shape=(len(log), len(levels))))


class _Fit:
    """Laplace's approximation of the likelihood, as a function of the logarithms of the spreads.

    The last factor has the most levels, and no row belongs to two of them: its part of the information is diagonal and
    eliminated first, which leaves a matrix of the size of the means, judges and persons.
    """

    def __init__(self, log: Sequence[Judgement], names: Sequence[str], effects: Sequence[str]) -> None:
        place = {name: number for number, name in enumerate(names)}
        truth = np.array([place[one.seat_truth] for one in log], dtype=np.int64)
        fixed = csr_array((np.ones(len(log)), (np.arange(len(log)), truth)), shape=(len(log), len(names)))
        factors = [_factor(name, log) for name in effects]
        self.sign = np.array([1.0 if one.judged_human else -1.0 for one in log])
        self.fixed = len(names)
        self.levels = [factor.levels for factor in factors]
        self.coarse = self.fixed + sum(self.levels[:-1])
        self.design = csr_array(hstack([fixed, *(factor.design for factor in factors)]))
        self.left = csr_array(hstack([fixed, *(factor.design for factor in factors[:-1])]))
        self.fine = factors[-1].design
        self.squares = _Squares(self.left)
        self.start = np.zeros(self.design.shape[1])

    def climb(self) -> Floats:
        """The spreads at which the likelihood is largest."""
        at, _, _ = fmin_l_bfgs_b(
            lambda logs: -self.value(np.exp(logs)),
            [-1.0] * len(self.levels),
            approx_grad=True,
            epsilon=5e-3,
            bounds=[LOG_SD] * len(self.levels),
            factr=1e-7 / np.finfo(float).eps,
        )
        return np.exp(np.asarray(at, dtype=np.float64))

    def value(self, spreads: Floats) -> float:
        effects, information, height = self._mode(spreads)
        self.start = effects
        # The means are not integrated out: only the random effects' part of the determinant counts.
        means = float(np.linalg.slogdet(information.covariance(self.fixed))[1])
        return height - 0.5 * (information.log_determinant + means) - float(np.log(spreads) @ np.array(self.levels))

    def means(self, spreads: Floats) -> tuple[Floats, Floats, float]:
        """With their covariance, and the log-likelihood of the spreads."""
        log_likelihood = self.value(spreads)
        effects, information, _ = self._mode(spreads)
        return effects[: self.fixed], information.covariance(self.fixed), log_likelihood

    def _mode(self, spreads: Floats) -> tuple[Floats, _Information, float]:
        """Where means and effects together are likeliest, by Newton's method with expected information."""
        precision = np.concatenate((np.full(self.fixed, WEAK), np.repeat(spreads**-2.0, self.levels)))
        effects, height = self.start, self._height(self.start, precision)
        for _ in range(STEPS):
            slope, weight = self._slope(effects)
            information = _Information(self.left, self.squares, self.fine, weight, precision)
            gradient = self.design.T @ slope - precision * effects
            move = information.solve(gradient)
            if float(gradient @ move) < CLOSE:
                break
            step = 1.0
            while (reached := self._height(effects + step * move, precision)) < height and step > SMALLEST_STEP:
                step /= 2
            effects, height = effects + step * move, reached
        return effects, information, height

    def _height(self, effects: Floats, precision: Floats) -> float:
        return float(np.sum(log_ndtr(self.sign * (self.design @ effects))) - 0.5 * precision @ effects**2)

    def _slope(self, effects: Floats) -> tuple[Floats, Floats]:
        """Of each verdict's log-likelihood, and the information that it is expected to carry."""
        eta = self.design @ effects
        density = -0.5 * eta**2 - 0.5 * np.log(2 * np.pi)
        slope = self.sign * np.exp(density - log_ndtr(self.sign * eta))
        return slope, np.exp(2 * density - log_ndtr(eta) - log_ndtr(-eta))


class _Squares:
    """X′WX of a design whose rows have few entries, for one W after another: where each product goes is known."""

    def __init__(self, design: csr_array) -> None:
        rows, self.size = int(design.shape[0]), int(design.shape[1])
        entries = np.diff(design.indptr)
        row = np.repeat(np.arange(rows), entries)
        place = np.arange(len(row)) - np.repeat(design.indptr[:-1], entries)
        column = np.zeros((rows, int(entries.max())), dtype=np.int64)
        value = np.zeros(column.shape)
        column[row, place], value[row, place] = design.indices, design.data
        self.where = (column[:, :, None] * self.size + column[:, None, :]).ravel()
        self.products = (value[:, :, None] * value[:, None, :]).reshape(rows, -1)

    def weighted(self, weight: Floats) -> Floats:
        products = (self.products * weight[:, None]).ravel()
        return sums(self.where, products, self.size**2).reshape(self.size, self.size)


class _Information:
    """The information of means and effects, factorised: the diagonal part by itself, the rest by Cholesky."""

    def __init__(self, left: csr_array, squares: _Squares, fine: csr_array, weight: Floats, precision: Floats) -> None:
        self.size = int(left.shape[1])
        weighted = left.multiply(weight[:, None])
        self.diagonal = fine.multiply(fine).T @ weight + precision[self.size :]
        self.across = csr_array(weighted.T @ fine)
        across = self.across @ diags_array(1 / self.diagonal)
        rest = squares.weighted(weight) - (across @ self.across.T).toarray()
        rest[np.diag_indices(self.size)] += precision[: self.size]
        self.factor = cho_factor(rest, lower=True, check_finite=False)

    @property
    def log_determinant(self) -> float:
        return float(np.sum(np.log(self.diagonal)) + 2 * np.sum(np.log(np.diag(self.factor[0]))))

    def solve(self, right: Floats) -> Floats:
        top, bottom = right[: self.size], right[self.size :]
        first = cho_solve(self.factor, top - self.across @ (bottom / self.diagonal), check_finite=False)
        return np.concatenate((first, (bottom - self.across.T @ first) / self.diagonal))

    def covariance(self, first: int) -> Floats:
        """Of the first so many."""
        return np.asarray(
            cho_solve(self.factor, np.eye(self.size, first), check_finite=False)[:first], dtype=np.float64
        )


def _report(
    log: Sequence[Judgement],
    names: Sequence[str],
    means: Floats,
    covariance: Floats,
    spreads: dict[str, float],
    log_likelihood: float,
) -> Mixed:
    def spread(*of: str) -> float:
        return sum(spreads.get(name, 0.0) ** 2 for name in of)

    shared = 1 + spread("criterion", "match") + spread("sensitivity") / 4
    scale = np.full(len(names), sqrt(shared + spread("view")))
    scale[0] = sqrt(shared + spread("person"))
    shares = ndtr(means / scale)
    slope = np.exp(-0.5 * (means / scale) ** 2) / sqrt(2 * np.pi) / scale
    people = len({one.judged for one in log if one.judged is not None}) or len(log)
    met: dict[str, set[str]] = {name: set() for name in names}
    for one in log:
        met[one.seat_truth].add(one.person)
    strategies = {}
    for number, name in enumerate(names[1:], start=1):
        pull = np.zeros(len(names))
        pull[[0, number]] = -slope[0], slope[number]
        apart = np.zeros(len(names))
        apart[[0, number]] = -1, 1
        units = min(len(met[name]), len(met[HUMAN]), people)
        strategies[name] = MixedStrategy(
            share=float(shares[number]),
            difference=Difference(
                float(shares[number] - shares[0]),
                sqrt(float(pull @ covariance @ pull)) if units > 1 else float("inf"),
                max(units - 1, 1),
            ),
            latent=float(means[number] - means[0]),
            latent_se=sqrt(float(apart @ covariance @ apart)),
        )
    return Mixed(float(shares[0]), strategies, spreads, log_likelihood, len({one.person for one in log}))
