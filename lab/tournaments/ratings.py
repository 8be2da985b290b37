"""Ratings of a tournament: Bradley and Terry's model with Davidson's draws, and intervals.

The odds that one beats another are the ratio of their strengths; a draw is the likelier, the closer two are. In a
challenge of more than two everybody is compared with everybody, and as these comparisons are not independent, all of
them together count as one fewer than there are entrants. A weak prior keeps the rating of somebody who won all or met
nobody finite. Ratings are told as in chess: 1500 on average, and 400 points more are odds of ten to one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lab.intervals import Interval, normal_quantile

MEAN: Final = 1500.0
SCALE: Final = 400 / log(10)
"""Points per unit of the logarithm of odds."""
PRIOR: Final = 3.0
"""Standard deviation of strengths before anything is known: about 520 points."""
DRAW_PRIOR: Final = 2.0
"""The same for the logarithm of how frequent draws are."""
_STEPS: Final = 200
_CLOSE: Final = 1e-10

Floats = NDArray[np.float64]
Result = tuple[tuple[int, ...], tuple[float, ...]]
"""The entrants of a challenge, and what each of them got."""


@dataclass(frozen=True)
class Ratings:
    """Strengths as logarithms, their mean 0; `covariance` is theirs; `draw` the logarithm of the frequency of draws."""

    strengths: Floats
    covariance: Floats
    draw: float
    """-inf if no draw was seen."""

    @property
    def points(self) -> list[float]:
        return [MEAN + SCALE * float(strength) for strength in self.strengths]

    @property
    def errors(self) -> list[float]:
        """Standard errors, in points."""
        return [SCALE * float(error) for error in np.sqrt(np.diagonal(self.covariance).clip(0))]

    @property
    def intervals(self) -> list[Interval]:
        """In which the ratings lie with 95 %."""
        reach = normal_quantile(0.95)
        return [Interval(p - reach * e, p + reach * e) for p, e in zip(self.points, self.errors, strict=True)]


def rate(entrants: int, results: Iterable[Result], prior: float | None = PRIOR) -> Ratings:
    """The most likely strengths. Without a prior everybody must be tied to everybody by wins and losses."""
    wins, draws = _counted(entrants, results)
    first, second = np.array(list(combinations(range(entrants), 2)), dtype=np.int64).reshape(-1, 2).T
    won, lost, drawn = wins[first, second], wins[second, first], draws[first, second]
    with_draws = bool(drawn.sum())
    contrasts = np.zeros((len(first), entrants))
    contrasts[np.arange(len(first)), first], contrasts[np.arange(len(first)), second] = 1, -1
    penalty = np.zeros(entrants + 1)
    if prior is not None:
        penalty[:entrants], penalty[entrants] = prior**-2, DRAW_PRIOR**-2
    values = np.zeros(entrants + 1)
    size = entrants + with_draws

    def at(values: Floats) -> tuple[float, Floats, Floats]:
        """Logarithm of the likelihood, its slope and its curvature (with the sign turned)."""
        half = contrasts @ values[:entrants] / 2
        parts = np.stack([half, -half, np.full_like(half, values[entrants] if with_draws else -np.inf)])
        total = np.logaddexp.reduce(parts, axis=0)
        win, loss, draw = np.exp(parts - total)
        played = won + lost + drawn
        likelihood = won @ (parts[0] - total) + lost @ (parts[1] - total) - penalty @ values**2 / 2
        if with_draws:
            likelihood += drawn @ (parts[2] - total)
        mean = (win - loss) / 2
        slope = np.append(contrasts.T @ ((won - lost) / 2 - played * mean), drawn.sum() - played @ draw)
        curve = np.zeros((entrants + 1, entrants + 1))
        curve[:entrants, :entrants] = contrasts.T @ ((played * ((win + loss) / 4 - mean**2))[:, None] * contrasts)
        curve[:entrants, entrants] = curve[entrants, :entrants] = contrasts.T @ (-played * mean * draw)
        curve[entrants, entrants] = played @ (draw * (1 - draw))
        return float(likelihood), slope - penalty * values, curve + np.diag(penalty)

    likelihood, slope, curve = at(values)
    for _ in range(_STEPS):
        step = np.zeros(entrants + 1)
        step[:size] = np.linalg.lstsq(curve[:size, :size], slope[:size], rcond=1e-12)[0]
        while (found := at(values + step))[0] < likelihood - 1e-12 and np.abs(step).max() > _CLOSE:
            step /= 2
        values, (likelihood, slope, curve) = values + step, found
        if np.abs(step).max() < _CLOSE:
            break
    centred = np.eye(entrants) - 1 / entrants
    covariance = centred @ np.linalg.pinv(curve[:size, :size], rcond=1e-12)[:entrants, :entrants] @ centred
    return Ratings(centred @ values[:entrants], covariance, float(values[entrants]) if with_draws else -np.inf)


def information(ratings: Ratings) -> Floats:
    """How much a challenge of two tells about the difference of their strengths, for every pair."""
    half = (ratings.strengths[:, None] - ratings.strengths[None, :]) / 2
    total = np.exp(half) + np.exp(-half) + np.exp(ratings.draw)
    win, loss = np.exp(half) / total, np.exp(-half) / total
    return np.asarray((win + loss) / 4 - ((win - loss) / 2) ** 2)


def _counted(entrants: int, results: Iterable[Result]) -> tuple[Floats, Floats]:
    """Who beat whom how often, and who drew with whom."""
    wins, draws = np.zeros((entrants, entrants)), np.zeros((entrants, entrants))
    for who, got in results:
        weight = 2 / len(who)
        for (one, ones), (other, others) in combinations(zip(who, got, strict=True), 2):
            if ones == others:
                draws[one, other] += weight
                draws[other, one] += weight
            else:
                better, worse = (one, other) if ones > others else (other, one)
                wins[better, worse] += weight
    return wins, draws
