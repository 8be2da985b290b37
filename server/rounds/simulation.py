"""Rounds without people: simulated probands hold one session of matches after another, as the round goes on.

Everything follows from the round's seed and the number of the session. Such judgements may not stand beside those of
people, whose ratings they would spoil; so both are refused in one database.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from math import pi, sin
from random import Random
from typing import Any, Final, Self

import numpy as np
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from lab.judgements import HUMAN, Challenge, Verdict
from lab.probands.factor import HumanFactor
from lab.probands.judging import CANNOT_TELL, HUMAN_SEAT, SAYS_ARTIFICIAL, SAYS_HUMAN
from lab.probands.persons import Persons, PersonSettings, draw_persons
from lab.probands.playing import PlayedMatch, SimulatedSeat, play_match
from lab.refinement.pool import JOSTLE_POOL, Elements, text
from lab.simulation.recorded import AIMS, DAY, carrier, simulated_profile
from lab.simulation.records import JudgementRecord, MatchRecord, PersonRecord, SeatRecord
from lab.simulation.tables import JUDGED_PER_MATCH, NOBODY, Answers, Tables, judge_tables, seat_tables
from server.accounts.models import Person
from server.judgements.models import JudgementRow
from server.simulated.rows import PREFIX

PATIENCE: Final = 12
"""Sessions that are held in vain, one after the other, before simulated probands give up."""
VERDICTS: Final = {SAYS_HUMAN: Verdict.HUMAN, SAYS_ARTIFICIAL: Verdict.ARTIFICIAL, CANNOT_TELL: Verdict.CANNOT_TELL}
CHALLENGES: Final = tuple(Challenge)
IDLE: Final = 5
"""For so many persons who judge there is one who never does."""
BOOKS: Final = 12
"""So many matches of a session that takes days are really played, the last ones; the others have no moves."""
LASTED: Final = 400.0
ANSWERED: Final = 25.0


@dataclass(frozen=True)
class Simulation:
    """Who judges instead of people: so many persons, so many judgements of each per session, and the hidden truth.

    With `days` a session takes so long, and what people do beside judging is simulated too: questionnaires, waiting,
    leaving. Without, it takes a second, and only judgements are written.
    """

    planted: str = "Observing,Lingering"
    persons: int = 100
    judgements: int = 30
    days: float = 0.0

    def __post_init__(self) -> None:
        self.factor()  # raises ValueError for elements that do not exist
        if not 2 <= self.persons <= 10_000 or not 2 <= self.judgements <= 1000:
            raise ValueError(f"expected 2 to 10000 persons with 2 to 1000 judgements, got {self}")
        if not 0 <= self.days <= 100:
            raise ValueError(f"expected 0 to 100 days, got {self.days}")

    def factor(self) -> HumanFactor:
        return HumanFactor(JOSTLE_POOL.named(self.planted))

    def to_record(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        return cls(**record)


def people(simulation: Simulation, seed: int) -> Persons:
    return draw_persons(simulation.persons, PersonSettings(), np.random.default_rng([seed, 0]))


def person_records(simulation: Simulation, seed: int, begin: float) -> list[PersonRecord]:
    """Everybody who judges joins before the first session begins; with days, some come later and never play."""
    persons = people(simulation, seed)
    idle = range(simulation.persons, simulation.persons + (simulation.persons // IDLE if simulation.days else 0))
    return [
        *_judging(simulation, seed, begin, persons),
        *(
            PersonRecord(number, begin + joined_before(simulation, seed, number), {}, 0.0, 0.0, False)
            for number in idle
        ),
    ]


def _judging(simulation: Simulation, seed: int, begin: float, persons: Persons) -> list[PersonRecord]:
    return [
        PersonRecord(
            number,
            begin - joined_before(simulation, seed, number),
            simulated_profile(seed, number) if simulation.days else {},
            float(sensitivity),
            float(criterion),
            bool(falsifier),
        )
        for number, (sensitivity, criterion, falsifier) in enumerate(
            zip(persons.sensitivity, persons.criterion, persons.falsifier, strict=True)
        )
    ]


def joined_before(simulation: Simulation, seed: int, number: int) -> float:
    """How many seconds before the round."""
    return Random(f"joined:{seed}:{number}").random() * 2 * simulation.days * DAY


@dataclass(frozen=True)
class Span:
    """When a session is held, in seconds since 1970."""

    begin: float
    seconds: float


def span_of(simulation: Simulation, begin: float, number: int, at: float) -> Span:
    """Of session `number` of a round that began at `begin`; none reaches beyond now, which is `at`."""
    if not simulation.days:
        return Span(begin + number, 1.0)
    length = simulation.days * DAY
    start = min(begin + (number - 1) * length, at - 2 * DAY)
    return Span(start, min(length, at - DAY - start))


def rhythm(at: float) -> float:
    """People come more in the afternoon than at night, and some days more than others: time that runs unevenly."""
    return at + sum(period * 0.09 * sin(2 * pi * at / period) for period in (DAY, 7 * DAY))


def session_records(
    simulation: Simulation, seed: int, number: int, population: tuple[Elements, ...], span: Span
) -> list[MatchRecord]:
    """Session `number` (from 1 on) with this population."""
    persons = people(simulation, seed)
    rng = np.random.default_rng([seed, number])
    factor = simulation.factor()
    looks = np.array([factor.artificialness(elements) for elements in population])
    turns = simulation.judgements // JUDGED_PER_MATCH
    tables = seat_tables(len(persons), len(population), turns, rng)
    answers = judge_tables(tables, persons, looks, turns, (number - 1) * simulation.judgements, rng)
    return list(_matches(tables, answers, population, f"{seed}:{number}", number, span, factor))


def _matches(
    tables: Tables,
    answers: Answers,
    population: tuple[Elements, ...],
    seed: str,
    session: int,
    span: Span,
    factor: HumanFactor,
) -> Iterator[MatchRecord]:
    names = [text(elements) for elements in population]
    books = len(tables) - (BOOKS if span.seconds >= DAY else 0)
    first = np.searchsorted(answers.match, np.arange(len(tables) + 1)).tolist()
    tick = span.seconds / (len(tables) + 1)
    # A match takes minutes and an answer seconds, unless the whole session takes only one.
    lasted, pause = (LASTED, ANSWERED) if span.seconds >= DAY else (0.0, tick / 10)
    for row, (people_here, strategies) in enumerate(zip(tables.person.tolist(), tables.strategy.tolist(), strict=True)):
        seats = tuple(
            SeatRecord(
                None if who == NOBODY else who,
                None if what == HUMAN_SEAT else names[what],
                f"{seed}:{row}:{place}",
            )
            for place, (who, what) in enumerate(zip(people_here, strategies, strict=True))
        )
        rng = Random(f"answers:{seed}:{row}")
        at = span.begin + row * tick if lasted == 0 else rhythm(span.begin + row * tick)
        played = _play(people_here, strategies, population, factor, f"{seed}:{row}") if row >= books else None
        ended = at + (played.seconds if played else lasted)
        given = tuple(
            _judgement(answers, place, names, rng, ended + pause * (1 + place - first[row]))
            for place in range(first[row], first[row + 1])
        )
        yield MatchRecord(row, session, at, ended, seats, played, given)


def _play(
    persons: list[int], strategies: list[int], population: tuple[Elements, ...], factor: HumanFactor, seed: str
) -> PlayedMatch:
    """A whole match, in which humans play the planted factor with a basic strategy of their own."""
    seats = [
        SimulatedSeat(
            carrier(factor, who) if what == HUMAN_SEAT else population[what], what == HUMAN_SEAT, f"{seed}:{place}"
        )
        for place, (who, what) in enumerate(zip(persons, strategies, strict=True))
    ]
    return play_match(seats, seed)


def _judgement(answers: Answers, place: int, names: list[str], rng: Random, at: float) -> JudgementRecord:
    truth = int(answers.session.truth[place])
    seat_truth = HUMAN if truth == HUMAN_SEAT else names[truth]
    return JudgementRecord(
        person=int(answers.session.person[place]),
        seat=int(answers.seat[place]),
        truth=seat_truth,
        verdict=VERDICTS[int(answers.session.verdict[place])],
        sureness=5 * rng.randint(0, 20),
        challenge=rng.choices(CHALLENGES, _challenge(seat_truth))[0],
        enjoyment=min(5, max(1, round(rng.gauss(_fun(seat_truth), 1.0)))),
        aim=rng.choice(AIMS) if rng.random() < 0.3 else None,
        answered=at,
    )


@cache
def _fun(truth: str) -> float:
    """How much this opponent is enjoyed, of 1 to 5: a matter of taste, but the same for everybody."""
    return Random(f"fun:{truth}").uniform(2.3, 4.2)


@cache
def _challenge(truth: str) -> tuple[float, ...]:
    """How likely each answer about its challenge is."""
    strength = Random(f"challenge:{truth}").uniform(0.15, 0.85)
    return ((1 - strength) ** 2, 2 * strength * (1 - strength), strength**2, 0.1)


async def people_have_judged(session: AsyncSession) -> bool:
    """Whether the log holds judgements of others than simulated persons."""
    judged = (
        select(JudgementRow.id)
        .join(Person, Person.id == JudgementRow.person_id)
        .where(Person.pseudonym.not_like(f"{PREFIX}%"))
    )
    return bool(await session.scalar(select(judged.exists())))
