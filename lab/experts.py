"""Who can tell humans from programs: signal detection per person, and the super experts.

Detecting programs alone would measure the readiness to say "artificial"; so judgements of humans count too: as the
item "human" in the Rasch model, where calling a human artificial counts against ability, and as false alarms in d′.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from scipy.special import ndtri

from lab.intervals import normal_quantile
from lab.judgements import HUMAN, Judgement
from lab.rasch.report import Person, RaschReport, report
from lab.rasch.responses import detections


@dataclass(frozen=True, slots=True)
class ExpertSettings:
    """What a super expert must show."""

    least_judgements: int = 10
    margin: float = 0.5
    level: float = 0.95
    outfit_low: float = 0.5
    outfit_high: float = 1.5
    least_d_prime: float = 1.0
    human_counts_against: bool = True


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
    """One person held against the four criteria; a super expert meets all of them."""

    rasch: Person
    signal: SignalDetection
    lower_bound: float
    enough_judgements: bool
    able: bool
    fits: bool
    tells_apart: bool

    @property
    def super_expert(self) -> bool:
        return self.enough_judgements and self.able and self.fits and self.tells_apart


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
    reach = normal_quantile(settings.level)
    return {
        person.person: _assess(person, told[person.person], person.ability - reach * person.se, settings)
        for person in rasch.persons
    }


def _assess(person: Person, signal: SignalDetection, lower_bound: float, settings: ExpertSettings) -> Assessment:
    return Assessment(
        rasch=person,
        signal=signal,
        lower_bound=lower_bound,
        enough_judgements=signal.program_seats >= settings.least_judgements,
        able=lower_bound > settings.margin,
        fits=settings.outfit_low <= person.outfit <= settings.outfit_high,
        tells_apart=signal.d_prime is not None and signal.d_prime > settings.least_d_prime,
    )
