"""What a careful reader asks of a log of judgements before believing its ratings, all of it at once.

Are sure judges right (ROC, calibration)? Do judges of the same seat agree? Does the Rasch model hold (equal slopes, no
strategies that hang together)? Which differences between strategies are more than luck (shrinkage)? Do people learn, or
do the bad ones leave? Whether items differ between groups of persons is asked with groups: `lab.rasch.dif`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from lab.agreement import JudgesAgree, judges_agree
from lab.judgements import HUMAN, Judgement
from lab.learning import LearningPoint, learning
from lab.rasch.dependence import Dependence, dependences
from lab.rasch.report import RaschReport
from lab.rasch.responses import Responses, detections
from lab.rasch.two_parameter import SlopeTest, slope_test
from lab.shrinkage import shrink
from lab.turing.judges import Calibration, RocPoint, calibration, roc

MOST_POINTS: Final = 60
"""Of a ROC curve: sureness has 101 values, and a figure needs fewer."""
MOST_PAIRS: Final = 20
MOST_PERSONS: Final = 1000
"""So many persons tell whether slopes are equal; the two-parameter model of ten thousand takes minutes."""


@dataclass(frozen=True, slots=True)
class ShrunkDifficulty:
    """A strategy's difficulty, drawn to the mean of all by as much as it is uncertain."""

    strategy: str
    difficulty: float
    se: float


@dataclass(frozen=True, slots=True)
class Checks:
    """None or empty where the log says too little; `slope_persons` is how many the slopes were tested on."""

    roc: tuple[RocPoint, ...]
    calibration: Calibration | None
    agreement: JudgesAgree
    slopes: SlopeTest | None
    slope_persons: int
    dependences: tuple[Dependence, ...]
    shrunk: tuple[ShrunkDifficulty, ...]
    programs_learnt: tuple[LearningPoint, ...]
    humans_learnt: tuple[LearningPoint, ...]


def checks(log: Sequence[Judgement], rasch: RaschReport, human_counts_against: bool = True) -> Checks:
    """Of a log in order and the Rasch report that was computed from it."""
    responses = detections(log, human_counts_against)
    ability = np.array([one.ability for one in rasch.persons])
    difficulty = np.array([one.difficulty for one in rasch.items])
    asked = _represented(log, human_counts_against)
    return Checks(
        roc=_thinned(roc(log)),
        calibration=calibration(log),
        agreement=judges_agree(log),
        slopes=slope_test(asked) if len(asked.items) > 1 else None,
        slope_persons=len(asked.persons),
        dependences=tuple(dependences(responses, ability, difficulty)[:MOST_PAIRS]),
        shrunk=_shrunk(rasch),
        programs_learnt=tuple(learning(log)),
        humans_learnt=tuple(learning(log, lambda one: one.of_human)),
    )


def _represented(log: Sequence[Judgement], human_counts_against: bool) -> Responses:
    """What the slopes are tested on: some of many persons, and no item whose answers are all alike."""
    persons = sorted({one.person for one in log})
    if len(persons) > MOST_PERSONS:
        drawn = np.random.default_rng(0).choice(np.array(persons), MOST_PERSONS, replace=False)
        kept = set(drawn.tolist())
        log = [one for one in log if one.person in kept]
    responses = detections(log, human_counts_against)
    alike = {item for item, perfect in zip(responses.items, responses.perfect_items, strict=True) if perfect}
    if not alike:
        return responses
    return detections([one for one in log if one.seat_truth not in alike], human_counts_against)


def _thinned(points: Sequence[RocPoint]) -> tuple[RocPoint, ...]:
    if len(points) <= MOST_POINTS:
        return tuple(points)
    return tuple(points[place] for place in np.linspace(0, len(points) - 1, MOST_POINTS).astype(int).tolist())


def _shrunk(rasch: RaschReport) -> tuple[ShrunkDifficulty, ...]:
    """Strategies alone, the hardest to detect first; those that all answers agree on are placed by a prior already."""
    items = [one for one in rasch.items if one.item != HUMAN and not one.perfect and one.robust_se > 0]
    if len(items) < 3:
        return ()
    drawn = shrink(np.array([one.difficulty for one in items]), np.array([one.robust_se for one in items]))
    found = zip(items, drawn.estimate.tolist(), drawn.se.tolist(), strict=True)
    return tuple(sorted((ShrunkDifficulty(one.item, *two) for one, *two in found), key=lambda one: -one.difficulty))
