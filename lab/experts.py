"""Who can tell humans from programs: signal detection per person, and the super experts.

Detecting programs alone would measure the readiness to say "artificial"; so judgements of humans count too: as the
item "human" in the Rasch model, where calling a human artificial counts against ability, and as false alarms in d′.

What experts say about a strategy must not be what they were chosen by: whoever happened to call it artificial would be
chosen for that, and an exactly human strategy would look detected. `cross_fitted` finds for every match the experts by
all the other matches.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.special import ndtri

from lab.intervals import normal_quantile
from lab.judgements import HUMAN, Judgement, in_order
from lab.rasch.report import Person, RaschReport, report
from lab.rasch.responses import detections
from lab.shrinkage import d_prime_above


@dataclass(frozen=True, slots=True)
class ExpertSettings:
    """What a super expert must show; `rule` is a name of `RULES`.

    "probability": d′ exceeds `least_d_prime` with at least this `probability`. "bounds": lower bound of ability, outfit
    and d′ all beyond their limits, which takes about a hundred judgements.
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

    @property
    def super_expert(self) -> bool:
        return all(getattr(self, criterion) for criterion in RULES[self.rule])


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
    return Expertise(rasch, assess_persons(rasch, signals(log), settings))


def assess_persons(
    rasch: RaschReport, told: dict[str, SignalDetection], settings: ExpertSettings
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
            fits=settings.outfit_low <= person.outfit <= settings.outfit_high,
            tells_apart=signal.d_prime is not None and signal.d_prime > settings.least_d_prime,
            convincing=probability[person.person] >= settings.probability,
            rule=settings.rule,
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
    """Those of `assess`, without the Rasch model where the rule does without."""
    settings = settings or ExpertSettings()
    if "convincing" not in RULES[settings.rule]:
        return assess(judgements, settings).super_experts if judgements else frozenset()
    told = signals(judgements)
    return frozenset(
        person
        for person, probability in probabilities(told, settings).items()
        if probability >= settings.probability and told[person].program_seats >= settings.least_judgements
    )


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


def cross_fitted(
    judgements: Iterable[Judgement], settings: ExpertSettings | None = None, since: Sequence[float] = ()
) -> ByExpert:
    """Who is a super expert by the judgements of other matches than the one that is asked about, which is in the log.

    With the times `since` (of `generations`), whoever was a super expert at one of them remains one.
    """
    log = list(judgements)
    folds = folds_of(log)
    chosen: list[frozenset[str]] = []
    for fold in range(FOLDS):
        others = [one for one in log if folds[one.person, one.match] != fold]
        found = super_experts(others, settings)
        for time in since:
            found |= super_experts([one for one in others if one.time < time], settings)
        chosen.append(found)
    return lambda one: one.person in chosen[folds[one.person, one.match]]


GROWTH: Final = 1.1


def generations(log: Sequence[Judgement]) -> list[float]:
    """Of a log in order: when new strategies came, as far as a tenth more had been judged than the time before."""
    met: set[str] = set()
    times: list[float] = []
    before = 0
    for number, one in enumerate(log):
        if one.seat_truth not in met:
            met.add(one.seat_truth)
            if before == 0 or number > GROWTH * before:
                times.append(one.time)
                before = max(number, 1)
    return times[1:]
