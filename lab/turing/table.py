"""The table of a study: every strategy beside the only honest yardstick, the share of humans judged human."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from lab.judgements import HUMAN, Judgement, in_order
from lab.turing.evidence import by_match, e_equivalent, e_told_apart, match_up
from lab.turing.judges import JudgeQuality, judge_quality
from lab.turing.shares import Answers, Difference, Equivalence, Share, answers, clustered_share, difference


@dataclass(frozen=True, slots=True)
class TuringSettings:
    margin: float = 0.10
    level: float = 0.95


@dataclass(frozen=True, slots=True)
class StrategyTuring:
    """One strategy: share judged human, its difference from the humans' share, and the tests on it.

    The e-values are those after the last pair; `largest_e_told_apart` is the largest on the way, which a sequential
    test may use as well.
    """

    strategy: str
    judged_human: Share
    difference: Difference
    equivalence: Equivalence
    pairs: int
    e_told_apart: float
    largest_e_told_apart: float
    e_equivalent: float


@dataclass(frozen=True, slots=True)
class TuringTable:
    humans: Share
    strategies: dict[str, StrategyTuring]
    judges: JudgeQuality
    settings: TuringSettings


def turing_table(judgements: Iterable[Judgement], settings: TuringSettings | None = None) -> TuringTable:
    """The statistics of every strategy in the log."""
    settings = settings or TuringSettings()
    log = in_order(judgements)
    by_truth: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in log:
        by_truth[judgement.seat_truth].append(judgement)
    humans = by_truth.pop(HUMAN, [])
    yardstick, partners = _called_human(humans), by_match(humans)
    return TuringTable(
        humans=clustered_share(yardstick, settings.level),
        strategies={name: _strategy(name, by_truth[name], yardstick, partners, settings) for name in sorted(by_truth)},
        judges=judge_quality(log, settings.level),
        settings=settings,
    )


def _called_human(judgements: list[Judgement]) -> Answers:
    return answers((judgement.person, judgement.judged_human) for judgement in judgements)


def _strategy(
    name: str,
    own: list[Judgement],
    yardstick: Answers,
    partners: dict[str, dict[str, list[Judgement]]],
    settings: TuringSettings,
) -> StrategyTuring:
    program = _called_human(own)
    gap = difference(program, yardstick)
    matched = match_up(own, partners)
    told_apart = e_told_apart(matched)
    return StrategyTuring(
        strategy=name,
        judged_human=clustered_share(program, settings.level),
        difference=gap,
        equivalence=gap.equivalence(settings.margin, 1 - settings.level),
        pairs=len(matched),
        e_told_apart=float(told_apart[-1]) if matched else 1.0,
        largest_e_told_apart=float(told_apart.max()) if matched else 1.0,
        e_equivalent=float(e_equivalent(matched, settings.margin)[-1]) if matched else 1.0,
    )
