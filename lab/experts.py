"""Who can tell humans from programs: signal detection per person, and the super experts.

Detecting programs alone would measure the readiness to say "artificial"; so judgements of humans count too: as the
item "human" in the Rasch model, where calling a human artificial counts against ability, and as false alarms in d′.

What experts say about a strategy must not be what they were chosen by: whoever happened to call it artificial would be
chosen for that, and an exactly human strategy would look detected. `cross_fitted` finds for every match the experts by
all the other matches.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from scipy.special import ndtri

from lab.arrays import Bools, Floats
from lab.intervals import normal_quantile
from lab.judgements import HUMAN, Judgement, in_order
from lab.rasch.report import Person, RaschReport, report
from lab.rasch.responses import detections
from lab.shrinkage import d_prime_above


@dataclass(frozen=True, slots=True)
class ExpertSettings:
    """What a super expert must show; `rule` is a name of `RULES`.

    "probability": d′ exceeds `least_d_prime` with at least this `probability`. "bounds": lower bound of ability, outfit
    (the conventional one, at the estimate) and d′ all within their limits.
    """

    rule: str = "probability"
    probability: float = 0.9
    least_judgements: int = 10
    margin: float = 0.5
    level: float = 0.95
    outfit_low: float = 0.5
    outfit_high: float = 1.5
    least_d_prime: float = 1.0
    human_counts_against: bool = True
    stay: bool = True
    """Whether in rounds a super expert remains one. Found anew each time, super experts die out as the strategies get
    better, because nobody tells those apart any more."""

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise ValueError(f"rule must be one of {', '.join(RULES)}, got {self.rule}")


@dataclass(frozen=True, slots=True)
class SignalDetection:
    """A person's hits (programs called artificial) and false alarms (humans called artificial).

    `d_prime` is how well the two are told apart, `criterion` the caution before saying "artificial"; both are None
    while the person has judged only one kind of seat, because then nothing can be said about telling apart.
    """

    hits: int
    program_seats: int
    false_alarms: int
    human_seats: int
    d_prime: float | None
    criterion: float | None


def signal_detection(hits: int, program_seats: int, false_alarms: int, human_seats: int) -> SignalDetection:
    """d′ and criterion with the log-linear correction: half an answer of each kind added, so that both stay finite."""
    if program_seats == 0 or human_seats == 0:
        return SignalDetection(hits, program_seats, false_alarms, human_seats, None, None)
    z_hit = float(ndtri((hits + 0.5) / (program_seats + 1)))
    z_alarm = float(ndtri((false_alarms + 0.5) / (human_seats + 1)))
    return SignalDetection(
        hits, program_seats, false_alarms, human_seats, d_prime=z_hit - z_alarm, criterion=-(z_hit + z_alarm) / 2
    )


def signals(judgements: Iterable[Judgement]) -> dict[str, SignalDetection]:
    """Signal detection of every person in the log."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for judgement in judgements:
        kind = 2 if judgement.of_human else 0
        counts[judgement.person][kind] += judgement.judged_artificial
        counts[judgement.person][kind + 1] += 1
    return {person: signal_detection(*four) for person, four in counts.items()}


@dataclass(frozen=True, slots=True)
class Assessment:
    """One person held against the criteria; which of them a super expert must meet says the rule."""

    rasch: Person
    signal: SignalDetection
    lower_bound: float
    probability: float
    """That d′ exceeds the least one asked for, given how all persons vary."""
    enough_judgements: bool
    able: bool
    fits: bool
    tells_apart: bool
    convincing: bool
    rule: str
    earlier: bool = False
    """Whether the person was a super expert when new strategies came, in studies in which those remain."""

    @property
    def super_expert(self) -> bool:
        return self.earlier or all(getattr(self, criterion) for criterion in RULES[self.rule])


RULES: Final[Mapping[str, tuple[str, ...]]] = {
    "probability": ("enough_judgements", "convincing"),
    "bounds": ("enough_judgements", "able", "fits", "tells_apart"),
}
"""The criteria of an assessment that each rule asks for."""


@dataclass(frozen=True, slots=True)
class Expertise:
    rasch: RaschReport
    persons: dict[str, Assessment]

    @property
    def super_experts(self) -> frozenset[str]:
        return frozenset(name for name, assessment in self.persons.items() if assessment.super_expert)


def assess(judgements: Iterable[Judgement], settings: ExpertSettings | None = None) -> Expertise:
    """Everybody in the log; difficulty 0 is the mean strategy, with the item "human" left out of that mean."""
    log, settings = list(judgements), settings or ExpertSettings()
    rasch = report(detections(log, settings.human_counts_against), off_scale=(HUMAN,))
    earlier = _Finder(in_order(log), settings).earlier() if settings.stay else frozenset()
    return Expertise(rasch, assess_persons(rasch, signals(log), settings, earlier))


def assess_persons(
    rasch: RaschReport,
    told: dict[str, SignalDetection],
    settings: ExpertSettings,
    earlier: Collection[str] = (),
) -> dict[str, Assessment]:
    reach, probability = normal_quantile(settings.level), probabilities(told, settings)
    return {
        person.person: Assessment(
            rasch=person,
            signal=(signal := told[person.person]),
            lower_bound=(lower := person.ability - reach * person.se),
            probability=probability[person.person],
            enough_judgements=signal.program_seats >= settings.least_judgements,
            able=lower > settings.margin,
            fits=settings.outfit_low <= person.outfit_at_estimate <= settings.outfit_high,
            tells_apart=signal.d_prime is not None and signal.d_prime > settings.least_d_prime,
            convincing=probability[person.person] >= settings.probability,
            rule=settings.rule,
            earlier=person.person in earlier,
        )
        for person in rasch.persons
    }


def probabilities(told: Mapping[str, SignalDetection], settings: ExpertSettings) -> dict[str, float]:
    """That each person's d′ exceeds the least one; 0 for those who have judged only one kind of seat."""
    counts = np.array(
        [(one.hits, one.program_seats, one.false_alarms, one.human_seats) for one in told.values()], dtype=np.float64
    ).reshape(-1, 4)
    above = d_prime_above(counts, settings.least_d_prime).tolist()
    return {
        person: 0.0 if signal.d_prime is None else value
        for (person, signal), value in zip(told.items(), above, strict=True)
    }


def super_experts(judgements: Sequence[Judgement], settings: ExpertSettings | None = None) -> frozenset[str]:
    """Who is one by just these judgements, whoever was one before; without the Rasch model where the rule does so."""
    return _Finder(judgements, settings or ExpertSettings()).among(np.ones(len(judgements), dtype=np.bool_))


def convincing(counts: Floats, settings: ExpertSettings) -> Bools:
    """Who meets the criteria of the rule "probability": a row per person, as in `d_prime_above`."""
    judged = counts[:, 1] + counts[:, 3] > 0
    chosen: Bools = (counts[:, 1] >= settings.least_judgements) & (counts[:, 3] > 0)
    if chosen.any():
        chosen[judged] &= d_prime_above(counts[judged], settings.least_d_prime) >= settings.probability
    return chosen


class _Finder:
    """The judgements of a log as arrays, to find super experts by any part of it."""

    def __init__(self, log: Sequence[Judgement], settings: ExpertSettings) -> None:
        self.log, self.settings = log, settings
        numbers: dict[str, int] = {}
        self._person = np.array([numbers.setdefault(one.person, len(numbers)) for one in log], dtype=np.int64)
        self._persons = tuple(numbers)
        self._human = np.array([one.of_human for one in log], dtype=np.bool_)
        self._artificial = np.array([one.judged_artificial for one in log], dtype=np.float64)

    def among(self, kept: Bools) -> frozenset[str]:
        """By these judgements alone."""
        if "convincing" not in RULES[self.settings.rule]:
            part = [one for one, keep in zip(self.log, kept.tolist(), strict=True) if keep]
            return assess(part, replace(self.settings, stay=False)).super_experts if part else frozenset()
        chosen = np.flatnonzero(convincing(self._counts(kept), self.settings)).tolist()
        return frozenset(self._persons[number] for number in chosen)

    def earlier(self, kept: Bools | None = None) -> frozenset[str]:
        """Of a log in order: whoever was one when new strategies came, by the judgements before."""
        part = np.ones(len(self.log), dtype=np.bool_) if kept is None else kept
        time = np.array([one.time for one in self.log])
        return frozenset().union(*(self.among(part & (time < since)) for since in generations(self.log)))

    def _counts(self, kept: Bools) -> Floats:
        people = len(self._persons)
        columns = []
        for seats in (kept & ~self._human, kept & self._human):
            columns += [
                np.bincount(self._person[seats], self._artificial[seats], people),
                np.bincount(self._person[seats], minlength=people),
            ]
        return np.column_stack(columns).astype(np.float64)


FOLDS: Final = 5
ByExpert = Callable[[Judgement], bool]
"""Whether a judgement counts as one of a super expert."""


def folds_of(judgements: Iterable[Judgement]) -> dict[tuple[str, str], int]:
    """To which fold each judge's matches belong: the first, second, … in turns.

    Later matches change nothing about earlier ones, and what persons and matches are called does not matter.
    """
    folds: dict[tuple[str, str], int] = {}
    matches: Counter[str] = Counter()
    for one in in_order(judgements):
        if (one.person, one.match) not in folds:
            folds[one.person, one.match] = matches[one.person] % FOLDS
            matches[one.person] += 1
    return folds


@dataclass(frozen=True)
class CrossFitted:
    """Super experts by the judgements of the other folds than the one to which a match belongs."""

    folds: Mapping[tuple[str, str], int]
    chosen: Sequence[frozenset[str]]

    def __call__(self, one: Judgement) -> bool:
        return one.person in self.chosen[self.folds[one.person, one.match]]


def cross_fitted(judgements: Iterable[Judgement], settings: ExpertSettings | None = None) -> CrossFitted:
    """Who is a super expert by the judgements of other matches than the one that is asked about, which is in the log.

    If experts stay, whoever was one when new strategies came remains one.
    """
    log, settings = in_order(judgements), settings or ExpertSettings()
    folds, finder = folds_of(log), _Finder(log, settings)
    fold = np.array([folds[one.person, one.match] for one in log], dtype=np.int64)
    chosen = []
    for number in range(FOLDS):
        others = fold != number
        chosen.append(finder.among(others) | (finder.earlier(others) if settings.stay else frozenset()))
    return CrossFitted(folds, tuple(chosen))


GROWTH: Final = 1.1


class Arrivals:
    """When new strategies come, as far as a tenth more has been judged than the time before."""

    def __init__(self) -> None:
        self._met: set[object] = set()
        self._before = 1

    def notes(self, number: int, truth: object) -> bool:
        """Asked about the judgements of a log in order, numbered from 0."""
        if truth in self._met:
            return False
        self._met.add(truth)
        if number <= GROWTH * self._before:
            return False
        self._before = number
        return True


def generations(log: Sequence[Judgement]) -> list[float]:
    """Of a log in order: when new strategies came."""
    arrivals = Arrivals()
    return [one.time for number, one in enumerate(log) if arrivals.notes(number, one.seat_truth)]
