"""Shares and their differences when the same judge answers several times.

Answers of one judge resemble each other, so intervals that count every answer as independent are too narrow. Here the
judge is the unit: variances come from the judges' sums (linearised cluster-robust variance), quantiles from Student's t
with one degree of freedom less than there are judges. Where the judged differ as well, use `lab.turing.crossed`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import stdtr, stdtrit

from lab.arrays import Floats, sums
from lab.intervals import Interval, score_interval


@dataclass(frozen=True)
class Answers:
    """Yes-or-no answers summed by judge: trials and yes-answers, one entry per judge."""

    judges: tuple[str, ...]
    trials: Floats
    yes: Floats

    @property
    def total(self) -> int:
        return int(self.trials.sum())

    @property
    def share(self) -> float:
        return float(self.yes.sum() / self.trials.sum()) if self.total else float("nan")

    def influence(self) -> dict[str, float]:
        """How much each judge moves the share away from its value."""
        return dict(zip(self.judges, _pulls(self.trials, self.yes).tolist(), strict=True))


def answers(rows: Iterable[tuple[str, bool]]) -> Answers:
    """Sum single answers (judge, yes?) by judge."""
    index: dict[str, int] = {}
    judge, yes = [], []
    for who, said_yes in rows:
        judge.append(index.setdefault(who, len(index)))
        yes.append(said_yes)
    where = np.array(judge, dtype=np.int64)
    return Answers(
        judges=tuple(index),
        trials=sums(where, np.ones(len(where)), len(index)),
        yes=sums(where, np.array(yes, dtype=np.float64), len(index)),
    )


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its interval clustered by judge."""

    share: float
    interval: Interval
    judgements: int
    judges: int


def clustered_share(given: Answers, level: float = 0.95) -> Share:
    return share_of_sums(given.trials, given.yes, level)


def share_of_sums(trials: Floats, yes: Floats, level: float = 0.95) -> Share:
    """The share of yes in answers that are summed by judge: one entry per judge, each with at least one answer.

    Wilson's interval with the *effective* number of answers, at most the real one. Effective means: how many
    independent answers would have the variance that the judges' sums show. Where all answers agree no variance can be
    seen, and every judge counts as one answer.
    """
    judges = len(trials)
    if judges == 0:
        return Share(float("nan"), Interval(0.0, 1.0), 0, 0)
    total = int(trials.sum())
    share = float(yes.sum() / total)
    variance = _cluster_variance(_pulls(trials, yes))
    if share in (0.0, 1.0) or judges == 1:
        effective = float(judges)
    elif variance == 0.0:
        effective = float(total)
    else:
        effective = min(float(total), share * (1 - share) / variance)
    return Share(share, score_interval(share, effective, _quantile(judges, level)), total, judges)


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean on a scale with two ends, with its interval clustered by judge."""

    mean: float
    interval: Interval
    answers: int
    judges: int


def mean_of_sums(trials: Floats, sums_: Floats, ends: tuple[float, float], level: float = 0.95) -> Mean:
    """The mean of answers that are summed by judge: one entry per judge, each with at least one answer.

    Where no variance can be seen, because all agree or there is one judge, every judge counts as one answer that could
    only have been one of the two ends: no answers on a scale vary more.
    """
    judges, (low, high) = len(trials), ends
    if judges == 0:
        return Mean(float("nan"), Interval(low, high), 0, 0)
    total = int(trials.sum())
    mean, quantile = float(sums_.sum() / total), _quantile(judges, level)
    variance = _cluster_variance(_pulls(trials, sums_))
    if 0.0 < variance < float("inf"):
        reach = quantile * sqrt(variance)
        interval = Interval(max(low, mean - reach), min(high, mean + reach))
    else:
        within = score_interval((mean - low) / (high - low), judges, quantile)
        interval = Interval(low + (high - low) * within.low, low + (high - low) * within.high)
    return Mean(mean, interval, total, judges)


def _pulls(trials: Floats, sums_: Floats) -> Floats:
    """How much each judge moves the mean of all answers away from its value."""
    total = trials.sum()
    pulls: Floats = (sums_ - sums_.sum() / total * trials) / total
    return pulls


def _quantile(judges: int, level: float) -> float:
    return float(stdtrit(max(judges - 1, 1), 0.5 + level / 2))


def _cluster_variance(influence: Floats) -> float:
    judges = len(influence)
    return float(np.sum(influence**2)) * judges / (judges - 1) if judges > 1 else float("inf")


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Two one-sided tests: `p` is the larger of both; below the level the shares are equivalent within the margin."""

    margin: float
    p: float
    level: float

    @property
    def equivalent(self) -> bool:
        return self.p < self.level


@dataclass(frozen=True, slots=True)
class Difference:
    """Difference of two shares, first minus second, with its clustered standard error and degrees of freedom."""

    estimate: float
    se: float
    df: int

    def interval(self, level: float = 0.95) -> Interval:
        if not np.isfinite(self.se):
            return Interval(-1.0, 1.0)
        reach = float(stdtrit(self.df, 0.5 + level / 2)) * self.se
        return Interval(max(-1.0, self.estimate - reach), min(1.0, self.estimate + reach))

    def p_above(self, bound: float) -> float:
        """One-sided p of "not above the bound": small means the difference lies above it."""
        return self._upper_tail((self.estimate - bound) / self.se)

    def p_below(self, bound: float) -> float:
        """One-sided p of "not below the bound": small means the difference lies below it."""
        return self._upper_tail((bound - self.estimate) / self.se)

    def equivalence(self, margin: float = 0.10, level: float = 0.05) -> Equivalence:
        """Is the difference within ±margin? Not finding a difference would be no proof that there is none."""
        return Equivalence(margin, max(self.p_above(-margin), self.p_below(margin)), level)

    def _upper_tail(self, t: float) -> float:
        return float(stdtr(self.df, -t)) if np.isfinite(self.se) else 1.0


def difference(first: Answers, second: Answers) -> Difference:
    """First share minus second; judges who gave answers of both kinds are one cluster, hence compared with themselves.

    Each share's pulls carry the correction for its own number of judges, and the degrees of freedom are those of the
    share that fewer judges stand behind: a program that three judges met is not known better because a hundred others
    judged humans. A share of exactly 0 or 1 shows no variance; then that of the share with two yes and two no added is
    used for it.
    """
    fewest = min(len(first.judges), len(second.judges))
    if fewest < 2:
        return Difference(first.share - second.share, float("inf"), 1)
    pulls: dict[str, float] = defaultdict(float)
    for sign, given in ((1, first), (-1, second)):
        judges = len(given.judges)
        for judge, pull in given.influence().items():
            pulls[judge] += sign * sqrt(judges / (judges - 1)) * pull
    variance = sum(pull**2 for pull in pulls.values()) + softening(first) + softening(second)
    if variance == 0.0:
        return Difference(first.share - second.share, float("inf"), 1)
    return Difference(first.share - second.share, sqrt(variance), fewest - 1)


def softening(given: Answers) -> float:
    """The variance that a share of exactly 0 or 1 does not show: that of the share with two yes and two no added."""
    if given.share not in (0.0, 1.0):
        return 0.0
    softened = (float(given.yes.sum()) + 2) / (given.total + 4)
    return softened * (1 - softened) / (given.total + 4)
