"""Shares and their differences where judges differ and the judged differ too.

The same judge answers about many seats, and the same person is answered about by many judges; a program as it played in
one match is judged by everybody at that table. Clustered by judge alone, the interval of the human yardstick would be
that of just these people, not of people. Two-way clustering counts both: the variance by judge plus the variance by
stimulus minus that of the cells in which they cross, and never less than either of the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import stdtrit

from lab.arrays import Floats, Ints, sums
from lab.intervals import score_interval
from lab.judgements import Judgement
from lab.turing.shares import Difference, Share


@dataclass(frozen=True)
class Crossed:
    """A share with the variance that judges and stimuli give it.

    `pulls` is how much each judge moves the share away from its value, corrected for the number of judges.
    """

    total: int
    share: float
    pulls: Mapping[str, float]
    stimuli: int
    stimulus_variance: float
    cell_variance: float
    softening: float

    @property
    def judges(self) -> int:
        return len(self.pulls)

    @property
    def units(self) -> int:
        """How many judges or stimuli there are, whichever is fewer."""
        return min(self.judges, self.stimuli)

    def variance(self, by_judge: float) -> float:
        return max(by_judge + self.stimulus_variance - self.cell_variance, by_judge, self.stimulus_variance)


def crossed(judgements: Iterable[Judgement]) -> Crossed:
    """How often these seats were called human."""
    judges: dict[str, int] = {}
    stimuli: dict[tuple[str, str], int] = {}
    judge, stimulus, human = [], [], []
    for one in judgements:
        judge.append(judges.setdefault(one.person, len(judges)))
        stimulus.append(stimuli.setdefault(one.stimulus, len(stimuli)))
        human.append(one.judged_human)
    if not human:
        return Crossed(0, float("nan"), {}, 0, 0.0, 0.0, 0.0)
    by, of = np.array(judge, dtype=np.int64), np.array(stimulus, dtype=np.int64)
    said, total = np.array(human, dtype=np.float64), len(human)
    share = float(said.mean())
    pull = (said - share) / total
    _, cell = np.unique(by * len(stimuli) + of, return_inverse=True)
    softened = (said.sum() + 2) / (total + 4)
    return Crossed(
        total=total,
        share=share,
        pulls=dict(zip(judges, _corrected(pull, by, len(judges)).tolist(), strict=True)),
        stimuli=len(stimuli),
        stimulus_variance=float(np.sum(_corrected(pull, of, len(stimuli)) ** 2)),
        cell_variance=float(np.sum(_corrected(pull, cell, int(cell.max()) + 1) ** 2)),
        softening=float(softened * (1 - softened) / (total + 4)) if share in (0.0, 1.0) else 0.0,
    )


def _corrected(pull: Floats, unit: Ints, units: int) -> Floats:
    """The units' sums, larger by what estimating the share from so few of them hides."""
    return sums(unit, pull, units) * sqrt(units / (units - 1)) if units > 1 else np.zeros(units)


def crossed_share(given: Crossed, level: float = 0.95) -> Share:
    """Wilson's interval with the effective number of answers, as in `lab.turing.shares`, from both variances."""
    if given.total == 0:
        return Share(float("nan"), score_interval(0.5, 1e-9, 1.0), 0, 0)
    variance = given.variance(sum(pull**2 for pull in given.pulls.values()))
    if given.share in (0.0, 1.0) or given.units == 1:
        effective = float(given.units)
    elif variance == 0.0:
        effective = float(given.total)
    else:
        effective = min(float(given.total), given.share * (1 - given.share) / variance)
    reach = float(stdtrit(max(given.units - 1, 1), 0.5 + level / 2))
    return Share(given.share, score_interval(given.share, effective, reach), given.total, given.judges)


def crossed_difference(first: Crossed, second: Crossed) -> Difference:
    """First share minus second. The two have no stimulus in common; judges of both are compared with themselves."""
    estimate, units = first.share - second.share, min(first.units, second.units)
    if units < 2:
        return Difference(estimate, float("inf"), 1)
    few, many = sorted((first, second), key=lambda one: one.judges)
    by_judge = sum(pull**2 for pull in many.pulls.values())
    for judge, pull in few.pulls.items():
        by_judge += pull * (pull - 2 * many.pulls.get(judge, 0.0))
    by_stimulus = first.stimulus_variance + second.stimulus_variance
    both = by_judge + by_stimulus - first.cell_variance - second.cell_variance
    variance = max(both, by_judge, by_stimulus) + first.softening + second.softening
    return Difference(estimate, sqrt(variance) if variance > 0 else float("inf"), units - 1)


def within_matches(
    programs: Iterable[Judgement], humans: Mapping[str, Mapping[str, Sequence[Judgement]]]
) -> Difference:
    """The difference among verdicts that one judge gave after one match on the program and on a human.

    A judge who compares the others at the table finds a person more human beside a clumsy program than beside a good
    one. Measured against all humans of the study, a perfectly human program then looks artificial; measured against the
    humans whom the same judges saw beside it, it does not. `humans` are by judge and match.
    """
    own: list[Judgement] = []
    beside: list[Judgement] = []
    counted: set[tuple[str, str]] = set()
    for one in programs:
        if partners := humans.get(one.person, {}).get(one.match, ()):
            own.append(one)
            if (one.person, one.match) not in counted:
                counted.add((one.person, one.match))
                beside.extend(partners)
    return crossed_difference(crossed(own), crossed(beside))
