"""All ratings of a judgement log at once: persons' weights, experts, groups, strategies' ratings and Turing statistics.

A pure function of the log and the settings: recomputed from scratch it gives the same numbers at any time, in whatever
order the rows come.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from lab.experts import ByExpert, CrossFitted, Expertise, ExpertSettings, assess, cross_fitted
from lab.groups import Groups, find_groups
from lab.judgements import Judgement, in_order, without
from lab.smoothing import Smoothing, SmoothingSettings, smooth
from lab.turing import TuringSettings, TuringTable, turing_table
from lab.turing.shares import Mean, mean_of_sums


@dataclass(frozen=True, slots=True)
class RatingSettings:
    smoothing: SmoothingSettings = field(default_factory=SmoothingSettings)
    experts: ExpertSettings = field(default_factory=ExpertSettings)
    turing: TuringSettings = field(default_factory=TuringSettings)
    group_seed: int = 0


@dataclass(frozen=True, slots=True)
class ExpertCount:
    """How often super experts judged a strategy (or humans), and how often they judged it artificial."""

    judgements: int = 0
    detections: int = 0


@dataclass(frozen=True, slots=True)
class PlainMeans:
    """What was said about a strategy without weights and smoothing; the intervals are clustered by judge."""

    detection: Mean
    fun: Mean
    challenge: Mean


@dataclass(frozen=True, slots=True)
class Ratings:
    judgements: int
    expertise: Expertise
    groups: Groups
    smoothing: Smoothing
    plain: dict[str, PlainMeans]
    turing: TuringTable
    by_expert: CrossFitted
    by_experts: dict[str, ExpertCount]
    settings: RatingSettings


def rate(
    judgements: Iterable[Judgement], settings: RatingSettings | None = None, falsifiers: Collection[str] = ()
) -> Ratings:
    """Rate everybody and everything in the log, except what marked falsifiers said."""
    settings = settings or RatingSettings()
    log = in_order(without(judgements, falsifiers))
    if not log:
        raise ValueError("no judgements to rate")
    expertise, by_expert = assess(log, settings.experts), cross_fitted(log, settings.experts)
    return Ratings(
        judgements=len(log),
        expertise=expertise,
        groups=find_groups(log, settings.group_seed),
        smoothing=smooth(log, settings.smoothing, expertise.super_experts),
        plain=plain_means(log),
        turing=turing_table(log, settings.turing),
        by_expert=by_expert,
        by_experts=expert_counts(log, by_expert),
        settings=settings,
    )


def expert_counts(judgements: Iterable[Judgement], by_expert: ByExpert) -> dict[str, ExpertCount]:
    """By what was judged; what no super expert has judged is not in it."""
    counts: dict[str, ExpertCount] = {}
    for one in judgements:
        if by_expert(one):
            before = counts.get(one.seat_truth, ExpertCount())
            counts[one.seat_truth] = ExpertCount(before.judgements + 1, before.detections + one.judged_artificial)
    return counts


SAID: Final[tuple[Callable[[Judgement], float | None], ...]] = (
    lambda one: float(one.judged_artificial),
    lambda one: one.fun,
    lambda one: one.challenge_value,
)
"""What the three dimensions of a rating are made of, in the order of `PlainMeans`."""


def plain_means(judgements: Iterable[Judgement]) -> dict[str, PlainMeans]:
    """Means of detection, fun and challenge by strategy, all between 0 and 1."""
    sums: dict[str, tuple[dict[str, list[float]], ...]] = {}
    for one in judgements:
        if one.of_human:
            continue
        by_dimension = sums.setdefault(one.seat_truth, ({}, {}, {}))
        for said, by_judge in zip(SAID, by_dimension, strict=True):
            if (value := said(one)) is not None:
                own = by_judge.setdefault(one.person, [0.0, 0.0])
                own[0] += 1
                own[1] += value
    return {strategy: PlainMeans(*map(_mean, by_dimension)) for strategy, by_dimension in sums.items()}


def _mean(by_judge: dict[str, list[float]]) -> Mean:
    trials, total = np.array(list(by_judge.values())).reshape(-1, 2).T
    return mean_of_sums(trials, total, (0.0, 1.0))
