"""What the judgements say about the strategies of a round, and the tests that a round decides by.

Counts are those of super experts; detection is being judged artificial. Humans are the yardstick: super experts take
some of them for artificial too.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from scipy.special import ndtr

from lab.arrays import Floats
from lab.intervals import wilson
from lab.refinement.pool import Alike, Elements
from lab.refinement.settings import RefinementSettings


@dataclass(frozen=True)
class Evidence:
    """The state of knowledge about one strategy, or about the humans."""

    believability: float = 0.5
    """ρ = 1 − detection, smoothed and weighted."""
    judgements: int = 0
    expert_judgements: float = 0
    expert_detections: float = 0
    """Both may be fractional: a count corrected for judges who judged repeatedly."""

    @property
    def expert_rate(self) -> float:
        return self.expert_detections / self.expert_judgements if self.expert_judgements else math.nan


UNKNOWN: Final = Evidence()


@dataclass(frozen=True)
class Ratings:
    """Evidence about every strategy that was ever judged, and about humans as judged seats."""

    strategies: Mapping[Elements, Evidence]
    humans: Evidence = field(default_factory=Evidence)

    def of(self, elements: Elements) -> Evidence:
        return self.strategies.get(elements, UNKNOWN)


def shared(ratings: Ratings, lists: Iterable[Elements], alike: Alike) -> Ratings:
    """The same with the evidence of lists that play alike put together, for these lists and all judged ones."""
    together: dict[Elements, list[Evidence]] = {}
    for elements, evidence in ratings.strategies.items():
        together.setdefault(alike(elements), []).append(evidence)
    pooled = {played: _pooled(evidence) for played, evidence in together.items()}
    wanted = {*ratings.strategies, *lists, *pooled}
    return Ratings({one: pooled[alike(one)] for one in wanted if alike(one) in pooled}, ratings.humans)


def _pooled(evidence: Sequence[Evidence]) -> Evidence:
    judgements = sum(one.judgements for one in evidence)
    believability = sum(one.believability * one.judgements for one in evidence)
    return Evidence(
        believability / judgements if judgements else UNKNOWN.believability,
        judgements,
        sum(one.expert_judgements for one in evidence),
        sum(one.expert_detections for one in evidence),
    )


def worth(trials: Floats, detections: Floats) -> float:
    """How many independent judgements have the variance that the judges' sums show, as in `clustered_share`.

    One entry per judge. Where all agree no variance can be seen, and every judge counts as one judgement.
    """
    judges, total = len(trials), float(trials.sum())
    share = float(detections.sum()) / total
    if judges == 1 or share in (0.0, 1.0):
        return float(judges)
    pulls = (detections - share * trials) / total
    variance = float(pulls @ pulls) * judges / (judges - 1)
    return total if variance == 0 else min(total, share * (1 - share) / variance)


def excess_bound(strategy: Evidence, yardstick: Evidence, level: float) -> float:
    """One-sided upper bound of the strategy's detection minus the yardstick's, by Newcombe's hybrid score method."""
    two_sided = 1 - 2 * level
    high = wilson(strategy.expert_detections, strategy.expert_judgements, two_sided).high
    low = wilson(yardstick.expert_detections, yardstick.expert_judgements, two_sided).low
    if not strategy.expert_judgements or not yardstick.expert_judgements:
        return 1.0
    excess = strategy.expert_rate - yardstick.expert_rate
    return excess + math.hypot(high - strategy.expert_rate, yardstick.expert_rate - low)


def excess_p_value(strategy: Evidence, yardstick: Evidence) -> float:
    """One-sided p-value against "the strategy is detected at most as often as the yardstick" (pooled score test)."""
    n, m = strategy.expert_judgements, yardstick.expert_judgements
    if not n or not m:
        return 1.0
    pooled = (strategy.expert_detections + yardstick.expert_detections) / (n + m)
    spread = math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
    if spread == 0:
        return 1.0
    return float(ndtr(-(strategy.expert_rate - yardstick.expert_rate) / spread))


def _share(evidence: Evidence) -> str:
    """How much of it is detected, in words that hold although nobody may have judged it."""
    return f"{evidence.expert_rate:.0%}" if evidence.expert_judgements else "none"


@dataclass(frozen=True)
class Ruling:
    """A decision about one strategy and the sentence that justifies it."""

    holds: bool
    reason: str


def believable(evidence: Evidence, humans: Evidence, settings: RefinementSettings) -> Ruling:
    """Enough judgements by super experts, and not told from humans by them."""
    seen, detected = evidence.expert_judgements, evidence.expert_detections
    if seen < settings.believable_experts:
        return Ruling(False, f"{seen:g} judgements by super experts, {settings.believable_experts} needed")
    if settings.tolerance == 0:
        return Ruling(detected == 0, f"detected in {detected:g} of {seen:g} judgements by super experts, none allowed")
    bound = excess_bound(evidence, humans, settings.level)
    return Ruling(
        bound < settings.tolerance,
        f"super experts detect {_share(evidence)} of {seen:g}, and take {_share(humans)} of "
        f"{humans.expert_judgements:g} humans for artificial; the excess is below {bound:+.0%} "
        f"({1 - settings.level:.0%} sure), {settings.tolerance:+.0%} allowed",
    )


Fall = Callable[[Evidence, Evidence, Evidence, RefinementSettings], Ruling]
"""(stripped, predecessor, humans, settings) → whether believability fell, and why."""


def fell_below_predecessor(stripped: Evidence, before: Evidence, _: Evidence, settings: RefinementSettings) -> Ruling:
    """The thesis's reading: the fall must be shown, otherwise the strategy counts as believable as before."""
    p = excess_p_value(stripped, before)
    return Ruling(
        p < settings.fall_level,
        f"super experts detect {_share(stripped)} of {stripped.expert_judgements:g}, its predecessor "
        f"{_share(before)} of {before.expert_judgements:g}; p = {p:.3f}, level {settings.fall_level:g}",
    )


def fell_below_humans(stripped: Evidence, _: Evidence, humans: Evidence, settings: RefinementSettings) -> Ruling:
    """The burden of proof reversed: what is not shown to be believable any more has fallen."""
    verdict = believable(stripped, humans, settings)
    return Ruling(not verdict.holds, verdict.reason)


def fell_below_either(stripped: Evidence, before: Evidence, humans: Evidence, settings: RefinementSettings) -> Ruling:
    first = fell_below_predecessor(stripped, before, humans, settings)
    return first if first.holds else fell_below_humans(stripped, before, humans, settings)


FALLS: Final[Mapping[str, Fall]] = {
    "predecessor": fell_below_predecessor,
    "humans": fell_below_humans,
    "either": fell_below_either,
}


def fell(stripped: Evidence, before: Evidence, humans: Evidence, settings: RefinementSettings) -> Ruling:
    return FALLS[settings.fall](stripped, before, humans, settings)
