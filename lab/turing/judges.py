"""How good the judges are: Brier score, ROC curve and calibration of their graded verdicts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from math import sqrt

import numpy as np
from scipy.special import stdtrit

from lab.arrays import Floats, sums
from lab.intervals import Interval
from lab.judgements import Judgement, Verdict
from lab.turing.shares import Share, answers, clustered_share


def probability_artificial(judgement: Judgement) -> float | None:
    """What the verdict and its sureness (0 to 100) say about "artificial", as a probability.

    Sure by 100 is certainty, sure by 0 a coin; "cannot tell" is a coin however sure. A verdict without sureness says
    how it tends, not how much, and gives None.
    """
    if judgement.verdict is Verdict.CANNOT_TELL:
        return 0.5
    if judgement.sureness is None:
        return None
    lean = judgement.sureness / 200
    return 0.5 + lean if judgement.judged_artificial else 0.5 - lean


@dataclass(frozen=True, slots=True)
class JudgeQuality:
    """`brier`: 0 perfect, 0.25 a coin. `auc`: 1 perfect, 0.5 a coin; None without both kinds of seats."""

    judgements: int
    without_sureness: int
    brier: float | None
    auc: float | None
    auc_interval: Interval | None


def judge_quality(judgements: Iterable[Judgement], level: float = 0.95) -> JudgeQuality:
    """Quality of all judges together, or of one if only that person's judgements are given."""
    judges: dict[str, int] = {}
    who, said, artificial = [], [], []
    skipped = 0
    for judgement in judgements:
        probability = probability_artificial(judgement)
        if probability is None:
            skipped += 1
            continue
        who.append(judges.setdefault(judgement.person, len(judges)))
        said.append(probability)
        artificial.append(not judgement.of_human)
    if not said:
        return JudgeQuality(0, skipped, None, None, None)
    probabilities, truth = np.array(said), np.array(artificial, dtype=np.float64)
    brier = float(np.mean((probabilities - truth) ** 2))
    if truth.all() or not truth.any():
        return JudgeQuality(len(said), skipped, brier, None, None)
    auc, interval = _auc(probabilities, truth == 1, np.array(who, dtype=np.int64), len(judges), level)
    return JudgeQuality(len(said), skipped, brier, auc, interval)


def _auc(
    said: Floats, artificial: np.ndarray[tuple[int], np.dtype[np.bool_]], judge: np.ndarray, judges: int, level: float
) -> tuple[float, Interval | None]:
    """Area by ranks, ties half; variance from the judges' sums of placements (Obuchowski's clustered form)."""
    ones, zeros = int(artificial.sum()), int((~artificial).sum())
    ranks = _ranks(said)
    placements = np.empty(len(said))
    placements[artificial] = (ranks[artificial] - _ranks(said[artificial])) / zeros
    placements[~artificial] = 1 - (ranks[~artificial] - _ranks(said[~artificial])) / ones
    auc = float(placements[artificial].mean())
    if judges < 2:
        return auc, None
    pulls = sums(judge, (placements - auc) / np.where(artificial, ones, zeros), judges)
    se = sqrt(float(np.sum(pulls**2)) * judges / (judges - 1))
    reach = float(stdtrit(judges - 1, 0.5 + level / 2)) * se
    return auc, Interval(max(0.0, auc - reach), min(1.0, auc + reach))


def _ranks(values: Floats) -> Floats:
    """From 1; equal values share the mean of their ranks. scipy.stats has this, too, but every process that imports it
    starts most of a second later."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(count) - (count - 1) / 2)[place], np.float64)


@dataclass(frozen=True, slots=True)
class RocPoint:
    """Everything from this stated probability on counts as "artificial": hits and false alarms then."""

    from_probability: float
    hits: float
    false_alarms: float


def roc(judgements: Iterable[Judgement]) -> list[RocPoint]:
    """The curve from (0, 0) to (1, 1), one point per probability that was stated; empty without both kinds of seats."""
    said = [(value, not one.of_human) for one in judgements if (value := probability_artificial(one)) is not None]
    programs = sum(artificial for _, artificial in said)
    if programs in (0, len(said)):
        return []
    points, hits, alarms = [RocPoint(1.01, 0.0, 0.0)], 0, 0
    for probability, group in groupby(sorted(said, reverse=True), key=lambda one: one[0]):
        kinds = [artificial for _, artificial in group]
        hits += sum(kinds)
        alarms += len(kinds) - sum(kinds)
        points.append(RocPoint(probability, hits / programs, alarms / (len(said) - programs)))
    return points


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Judgements whose stated probability of "artificial" lies in this tenth, and how many were of programs."""

    stated: float
    artificial: Share


@dataclass(frozen=True, slots=True)
class Calibration:
    """Brier = miscalibration − resolution + uncertainty, with the probabilities as they were stated (Murphy 1973)."""

    bins: tuple[CalibrationBin, ...]
    miscalibration: float
    resolution: float
    uncertainty: float


def calibration(judgements: Iterable[Judgement], bins: int = 10, level: float = 0.95) -> Calibration | None:
    """Are seats that are called artificial with 80 % sureness programs in so many cases? Intervals are by judge."""
    said = [(value, one) for one in judgements if (value := probability_artificial(one)) is not None]
    if not said:
        return None
    base = sum(not one.of_human for _, one in said) / len(said)
    shown: dict[int, list[tuple[float, Judgement]]] = defaultdict(list)
    exact: dict[float, list[bool]] = defaultdict(list)
    for value, one in said:
        shown[min(int(value * bins), bins - 1)].append((value, one))
        exact[value].append(not one.of_human)
    rates = {value: sum(kinds) / len(kinds) for value, kinds in exact.items()}
    return Calibration(
        bins=tuple(
            CalibrationBin(
                sum(value for value, _ in own) / len(own),
                clustered_share(answers((one.person, not one.of_human) for _, one in own), level),
            )
            for _, own in sorted(shown.items())
        ),
        miscalibration=sum(len(exact[value]) * (value - rate) ** 2 for value, rate in rates.items()) / len(said),
        resolution=sum(len(exact[value]) * (rate - base) ** 2 for value, rate in rates.items()) / len(said),
        uncertainty=base * (1 - base),
    )
