"""Persons or programs? Two classifiers, cross-validated by match, and their areas under the curve.

One is a logistic regression with a ridge; numbers enter as they are and squared, because programs may differ by lying
nearer to the middle. The other is made of boosted trees (boosting.py), which also see numbers that go together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.stats import rankdata

from tests.blind.boosting import boosted_scores

Floats = NDArray[np.float64]
Truth = NDArray[np.bool_]

FOLDS = 10
RIDGES = (3.0, 30.0, 300.0)
FAR = 4.0
DRAWS = 300


class Area(NamedTuple):
    """The probability that a person scores higher than a program, with a 95 % interval; the match is the unit."""

    value: float
    low: float
    high: float

    @property
    def is_chance(self) -> bool:
        """Below a half nothing is told either: who learns from noise is wrong a little more often than right."""
        return self.low <= 0.5

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f}–{self.high:.2f})"


def area(
    matches: Sequence[int],
    person: Sequence[bool],
    numbers: Sequence[Mapping[str, float]],
    seed: int = 1,
    learner: str = "linear",
) -> Area:
    """How well a classifier of `LEARNERS` tells persons from programs in matches that it has not seen."""
    rng = np.random.default_rng(seed)
    which, truth = np.array(matches), np.array(person)
    names = rng.permutation(np.unique(which))
    scores = np.zeros(len(truth))
    for fold in range(FOLDS):
        held_out = np.isin(which, names[fold::FOLDS])
        scores[held_out] = LEARNERS[learner](numbers, truth, which, held_out)
    return with_interval(which, truth, scores, rng)


def with_interval(which: NDArray[np.intp], truth: Truth, scores: Floats, rng: np.random.Generator) -> Area:
    """How well scores tell, and how sure that is: matches are drawn again."""
    names = np.unique(which)
    rows = {name: np.flatnonzero(which == name) for name in names}
    drawn = [np.concatenate([rows[name] for name in rng.choice(names, len(names))]) for _ in range(DRAWS)]
    low, high = np.quantile([under_curve(scores[some], truth[some]) for some in drawn], [0.025, 0.975])
    return Area(under_curve(scores, truth), float(low), float(high))


def learnt_scores(
    numbers: Sequence[Mapping[str, float]], truth: Truth, matches: NDArray[np.intp], held_out: Truth
) -> Floats:
    """Scores of what was held out; the strength of the ridge is chosen within the rest."""
    table = design(numbers, ~held_out)
    inner = np.isin(matches, np.unique(matches[~held_out])[::4]) & ~held_out
    rest = ~held_out & ~inner
    trials = [under_curve(table[inner] @ fit(table[rest], truth[rest], ridge), truth[inner]) for ridge in RIDGES]
    return np.asarray(table[held_out] @ fit(table[~held_out], truth[~held_out], RIDGES[int(np.argmax(trials))]))


def tree_scores(numbers: Sequence[Mapping[str, float]], truth: Truth, _: NDArray[np.intp], held_out: Truth) -> Floats:
    table = design(numbers, ~held_out)
    return boosted_scores(table[:, 1 : 1 + table.shape[1] // 2], truth, held_out)


Learner = Callable[[Sequence[Mapping[str, float]], Truth, NDArray[np.intp], Truth], Floats]
LEARNERS: Final[Mapping[str, Learner]] = {"linear": learnt_scores, "trees": tree_scores}


def areas(matches: Sequence[int], person: Sequence[bool], numbers: Sequence[Mapping[str, float]]) -> str:
    """By both classifiers, as the tables show them."""
    return " / ".join(str(area(matches, person, numbers, learner=learner)) for learner in LEARNERS)


def design(numbers: Sequence[Mapping[str, float]], known: Truth) -> Floats:
    """Standardised by what is known, and squared; what a seat does not have is the average."""
    names = sorted({name for one in numbers for name in one})
    table = np.array([[one.get(name, np.nan) for name in names] for one in numbers], np.float64)
    with np.errstate(all="ignore"):
        present = ~np.isnan(table[known]).all(axis=0)
        table = table[:, present]
        mean, spread = np.nanmean(table[known], axis=0), np.nanstd(table[known], axis=0)
    kept = spread > 1e-9
    scaled = np.clip(np.nan_to_num((table[:, kept] - mean[kept]) / spread[kept]), -FAR, FAR)
    return np.column_stack([np.ones(len(table)), scaled, scaled**2 - 1])


def fit(table: Floats, truth: Truth, ridge: float) -> Floats:
    """The two classes weigh the same."""
    share = float(np.clip(truth.mean(), 0.02, 0.98))
    weight = np.where(truth, 0.5 / share, 0.5 / (1 - share))
    sign = np.where(truth, 1.0, -1.0)

    def loss(theta: Floats) -> tuple[float, Floats]:
        margin = sign * (table @ theta)
        penalty = ridge * np.r_[0.0, theta[1:]]
        slope = -weight * sign / (1 + np.exp(np.clip(margin, -500, 500)))
        return float((weight * np.logaddexp(0, -margin)).sum() + 0.5 * penalty @ theta), table.T @ slope + penalty

    return np.asarray(minimize(loss, np.zeros(table.shape[1]), jac=True, method="L-BFGS-B").x)


def under_curve(scores: Floats, truth: Truth) -> float:
    persons = int(truth.sum())
    others = len(truth) - persons
    if not persons or not others:
        return 0.5
    return float((rankdata(scores)[truth].sum() - persons * (persons + 1) / 2) / (persons * others))
