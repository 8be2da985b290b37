"""The table of a study: every strategy beside the only honest yardstick, the share of humans judged human."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from lab.judgements import HUMAN, Judgement, in_order
from lab.turing.crossed import Crossed, crossed, crossed_difference, crossed_share, within_matches
from lab.turing.evidence import by_match, e_equivalent, e_told_apart, match_up
from lab.turing.judges import JudgeQuality, judge_quality
from lab.turing.meetings import MEETINGS
from lab.turing.mixed import Mixed, mixed_model, tells_enough
from lab.turing.multiplicity import e_bh
from lab.turing.shares import Difference, Equivalence, Share


@dataclass(frozen=True, slots=True)
class TuringSettings:
    """`meetings`: "first" keeps out what was shown again because it had been misjudged, "all" takes everything.

    `mixed`: whether the crossed mixed model is fitted where there is enough to fit it to.
    """

    margin: float = 0.10
    level: float = 0.95
    meetings: str = "first"
    mixed: bool = True

    def __post_init__(self) -> None:
        if self.meetings not in MEETINGS:
            raise ValueError(f"meetings must be one of {', '.join(MEETINGS)}, got {self.meetings}")


@dataclass(frozen=True, slots=True)
class StrategyTuring:
    """One strategy: share judged human, its difference from the humans' share, and the tests on it.

    `within_match` is the difference from the humans whom the same judges judged after the same matches. The e-values
    are those after the last pair; `largest_e_told_apart` is the largest on the way, which a sequential test of this
    one strategy may use as well. `told_apart` and `shown_equivalent` hold for the whole table (e-BH).
    """

    strategy: str
    judged_human: Share
    difference: Difference
    equivalence: Equivalence
    within_match: Difference
    within_match_equivalence: Equivalence
    pairs: int
    e_told_apart: float
    largest_e_told_apart: float
    e_equivalent: float
    told_apart: bool = False
    shown_equivalent: bool = False


@dataclass(frozen=True, slots=True)
class TuringTable:
    """`judgements` entered the tests, `left_out` did not, because the judge had met the strategy before.

    The mixed model takes all of them: it knows what had been said before.
    """

    humans: Share
    strategies: dict[str, StrategyTuring]
    judges: JudgeQuality
    mixed: Mixed | None
    judgements: int
    left_out: int
    settings: TuringSettings


def turing_table(judgements: Iterable[Judgement], settings: TuringSettings | None = None) -> TuringTable:
    """The statistics of every strategy in the log."""
    settings = settings or TuringSettings()
    log = in_order(judgements)
    tested = MEETINGS[settings.meetings](log)
    by_truth: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in tested:
        by_truth[judgement.seat_truth].append(judgement)
    humans = by_truth.pop(HUMAN, [])
    yardstick, partners = crossed(humans), by_match(humans)
    rows = {name: _strategy(name, by_truth[name], yardstick, partners, settings) for name in sorted(by_truth)}
    return TuringTable(
        humans=crossed_share(yardstick, settings.level),
        strategies=_together(rows, 1 - settings.level),
        judges=judge_quality(log, settings.level),
        mixed=mixed_model(log) if settings.mixed and tells_enough(log) else None,
        judgements=len(tested),
        left_out=len(log) - len(tested),
        settings=settings,
    )


def _strategy(
    name: str,
    own: list[Judgement],
    yardstick: Crossed,
    partners: dict[str, dict[str, list[Judgement]]],
    settings: TuringSettings,
) -> StrategyTuring:
    program = crossed(own)
    gap, within = crossed_difference(program, yardstick), within_matches(own, partners)
    matched = match_up(own, partners)
    told_apart = e_told_apart(matched)
    return StrategyTuring(
        strategy=name,
        judged_human=crossed_share(program, settings.level),
        difference=gap,
        equivalence=gap.equivalence(settings.margin, 1 - settings.level),
        within_match=within,
        within_match_equivalence=within.equivalence(settings.margin, 1 - settings.level),
        pairs=len(matched),
        e_told_apart=float(told_apart[-1]) if matched else 1.0,
        largest_e_told_apart=float(told_apart.max()) if matched else 1.0,
        e_equivalent=float(e_equivalent(matched, settings.margin)[-1]) if matched else 1.0,
    )


def _together(rows: dict[str, StrategyTuring], level: float) -> dict[str, StrategyTuring]:
    """The rows with what can be said of all of them at once."""
    apart = e_bh({name: row.e_told_apart for name, row in rows.items()}, level)
    equal = e_bh({name: row.e_equivalent for name, row in rows.items()}, level)
    return {name: replace(row, told_apart=name in apart, shown_equivalent=name in equal) for name, row in rows.items()}
