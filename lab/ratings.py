"""All ratings of a judgement log at once: persons' weights, experts, groups, strategies' ratings and Turing statistics.

A pure function of the log and the settings: recomputed from scratch it gives the same numbers at any time, in whatever
order the rows come.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from lab.experts import Expertise, ExpertSettings, assess
from lab.groups import Groups, find_groups
from lab.judgements import Judgement, in_order, without
from lab.smoothing import Smoothing, SmoothingSettings, smooth
from lab.turing import TuringSettings, TuringTable, turing_table


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
class Ratings:
    judgements: int
    expertise: Expertise
    groups: Groups
    smoothing: Smoothing
    turing: TuringTable
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
    expertise = assess(log, settings.experts)
    return Ratings(
        judgements=len(log),
        expertise=expertise,
        groups=find_groups(log, settings.group_seed),
        smoothing=smooth(log, settings.smoothing, expertise.super_experts),
        turing=turing_table(log, settings.turing),
        by_experts=expert_counts(log, expertise.super_experts),
        settings=settings,
    )


def expert_counts(judgements: Iterable[Judgement], experts: Collection[str]) -> dict[str, ExpertCount]:
    """By what was judged; what no super expert has judged is not in it."""
    counts: dict[str, ExpertCount] = {}
    for one in judgements:
        if one.person in experts:
            before = counts.get(one.seat_truth, ExpertCount())
            counts[one.seat_truth] = ExpertCount(before.judgements + 1, before.detections + one.judged_artificial)
    return counts
