"""Rounds without people: simulated probands hold one session of matches after another, as the round goes on.

Everything follows from the round's seed and the number of the session. Such judgements may not stand beside those of
people, whose ratings they would spoil; so both are refused in one database.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, Final, Self

import numpy as np
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from lab.judgements import HUMAN, Challenge, Verdict
from lab.probands.factor import HumanFactor
from lab.probands.judging import CANNOT_TELL, HUMAN_SEAT, SAYS_ARTIFICIAL, SAYS_HUMAN
from lab.probands.persons import Persons, PersonSettings, draw_persons
from lab.refinement.pool import JOSTLE_POOL, Elements, text
from lab.simulation.records import JudgementRecord, MatchRecord, PersonRecord, SeatRecord
from lab.simulation.tables import JUDGED_PER_MATCH, NOBODY, Answers, Tables, judge_tables, seat_tables
from server.accounts.models import Person
from server.judgements.models import JudgementRow
from server.simulated.rows import PREFIX

PATIENCE: Final = 12
"""Sessions that are held in vain, one after the other, before simulated probands give up."""
VERDICTS: Final = {SAYS_HUMAN: Verdict.HUMAN, SAYS_ARTIFICIAL: Verdict.ARTIFICIAL, CANNOT_TELL: Verdict.CANNOT_TELL}
CHALLENGES: Final = tuple(Challenge)


@dataclass(frozen=True)
class Simulation:
    """Who judges instead of people: so many persons, so many judgements of each per session, and the hidden truth."""

    planted: str = "Observing,Lingering"
    persons: int = 100
    judgements: int = 30

    def __post_init__(self) -> None:
        self.factor()  # raises ValueError for elements that do not exist
        if not 2 <= self.persons <= 10_000 or not 2 <= self.judgements <= 1000:
            raise ValueError(f"expected 2 to 10000 persons with 2 to 1000 judgements, got {self}")

    def factor(self) -> HumanFactor:
        return HumanFactor(JOSTLE_POOL.named(self.planted))

    def to_record(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        return cls(**record)


def people(simulation: Simulation, seed: int) -> Persons:
    return draw_persons(simulation.persons, PersonSettings(), np.random.default_rng([seed, 0]))


def person_records(simulation: Simulation, seed: int, joined: float) -> list[PersonRecord]:
    persons = people(simulation, seed)
    return [
        PersonRecord(number, joined, {}, float(sensitivity), float(criterion), bool(falsifier))
        for number, (sensitivity, criterion, falsifier) in enumerate(
            zip(persons.sensitivity, persons.criterion, persons.falsifier, strict=True)
        )
    ]


def session_records(
    simulation: Simulation, seed: int, number: int, population: tuple[Elements, ...], begin: float
) -> list[MatchRecord]:
    """Session `number` (from 1 on) with this population, within one second after `begin`."""
    persons = people(simulation, seed)
    rng = np.random.default_rng([seed, number])
    factor = simulation.factor()
    looks = np.array([factor.artificialness(elements) for elements in population])
    turns = simulation.judgements // JUDGED_PER_MATCH
    tables = seat_tables(len(persons), len(population), turns, rng)
    answers = judge_tables(tables, persons, looks, turns, (number - 1) * simulation.judgements, rng)
    return list(_matches(tables, answers, population, f"{seed}:{number}", number, begin))


def _matches(
    tables: Tables, answers: Answers, population: tuple[Elements, ...], seed: str, session: int, begin: float
) -> Iterator[MatchRecord]:
    names = [text(elements) for elements in population]
    first = np.searchsorted(answers.match, np.arange(len(tables) + 1)).tolist()
    tick = 1 / (len(tables) + 1)
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
        at = begin + row * tick
        given = tuple(
            _judgement(answers, place, names, rng, at + tick * (1 + place - first[row]) / 10)
            for place in range(first[row], first[row + 1])
        )
        yield MatchRecord(row, session, at, at, seats, None, given)


def _judgement(answers: Answers, place: int, names: list[str], rng: Random, at: float) -> JudgementRecord:
    truth = int(answers.session.truth[place])
    return JudgementRecord(
        person=int(answers.session.person[place]),
        seat=int(answers.seat[place]),
        truth=HUMAN if truth == HUMAN_SEAT else names[truth],
        verdict=VERDICTS[int(answers.session.verdict[place])],
        sureness=5 * rng.randint(0, 20),
        challenge=rng.choice(CHALLENGES),
        enjoyment=rng.randint(1, 5),
        aim=None,
        answered=at,
    )


async def people_have_judged(session: AsyncSession) -> bool:
    """Whether the log holds judgements of others than simulated persons."""
    judged = (
        select(JudgementRow.id)
        .join(Person, Person.id == JudgementRow.person_id)
        .where(Person.pseudonym.not_like(f"{PREFIX}%"))
    )
    return bool(await session.scalar(select(judged.exists())))
