"""A small simulated study in the database, as researchers would find it: with rounds, ratings, drop-outs and flags."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from games.registry import game
from lab.probands.factor import HumanFactor
from lab.refinement.pool import pool_of
from lab.refinement.settings import PRESETS
from lab.simulation.recorded import RecordSettings, recorded
from lab.simulation.records import MatchRecord, PersonRecord, StepRecord
from lab.simulation.study import SimulationSettings
from server.ratings import service as ratings
from server.rounds import service as rounds
from server.rounds.models import RoundStep, Status
from server.rounds.steps import members_of
from server.simulated.writer import Writer
from server.storage.database import Database

BEGIN: Final = datetime(2026, 9, 1, 8, tzinfo=UTC)
GAME: Final = game("jostle")
PLANTED: Final = "Observing,Lingering"

# What simulated studies have too little of: people who leave, skip, never come back, and look suspicious.
FRAYED = (
    """UPDATE match_seats SET replaced_at = m.ended_at, strategy = 'ADVANCER', member = 0 FROM matches m
       WHERE m.id = match_id AND person_id IS NOT NULL AND match_id % 17 = 0""",
    """UPDATE questionnaire_sheets SET finished_at = NULL, skipped_at = opened_at + interval '5 seconds'
       WHERE match_id % 11 = 3""",
    """INSERT INTO persons (pseudonym, created_at)
       SELECT 'simulated-late-' || n, (SELECT min(created_at) FROM matches) + n * interval '11 hours'
       FROM generate_series(1, (SELECT count(*) / 4 FROM persons)) n""",
    """INSERT INTO falsifier_flags (person_id, name, evidence, raised_at, state)
       SELECT id, 'too_fast', '8 of 10 answers came too fast', created_at, 'raised' FROM persons WHERE id % 23 = 4""",
)


def settings_of(persons: int, judgements: int) -> SimulationSettings:
    refinement = replace(PRESETS["recommended"], judgements=1, expert_judgements=0, imbalance=99.0, max_generations=4)
    pool = pool_of(GAME)
    factor = HumanFactor(pool.named(PLANTED), pool)
    return SimulationSettings(factor, GAME.reference, persons, judgements, refinement=refinement)


async def fill(
    database: Database, *, persons: int = 40, judgements: int = 12, most: int = 1500, books: bool = False, seed: int = 7
) -> None:
    """A study that has run for some weeks and is in the middle of a round, with its ratings computed."""
    study = settings_of(persons, judgements)
    records = RecordSettings(begin=BEGIN.timestamp(), days=4.0, books=books, most_judgements=most)
    async with database.transaction() as session:
        writer = Writer(session, GAME, "example")
        people: list[PersonRecord] = []
        steps: list[StepRecord] = []
        for record in recorded(study, seed, records):
            if isinstance(record, PersonRecord):
                people.append(record)
                continue
            if people:
                await writer.add_persons(people)
                people = []
            if isinstance(record, MatchRecord):
                await writer.add_match(record)
            else:
                steps.append(record)
        await writer.flush()
        await _round(session, seed, study, steps)
        for statement in FRAYED:
            await session.execute(text(statement))
    with ThreadPoolExecutor(1) as processes:
        await ratings.refresh(database, processes, GAME.reference)


async def _round(session: AsyncSession, seed: int, study: SimulationSettings, steps: list[StepRecord]) -> None:
    round_ = await rounds.create(
        session, "researcher", name="Autumn", game=GAME.reference, seed=seed, settings=study.refinement
    )
    round_.created_at, round_.status = BEGIN, Status.RUNNING.value
    taken = [one for one in steps if not one.step.waits]
    for number, record in enumerate(taken, start=1):
        state = record.step.state
        written = json.loads(state.to_json())
        session.add(
            RoundStep(
                round_id=round_.id,
                number=number,
                kind="evolve",
                at=datetime.fromtimestamp(record.at, UTC),
                log_position=0,
                basis={},
                decisions=[asdict(decision) for decision in record.step.decisions],
                state=written,
            )
        )
        session.add_all(members_of(round_.id, number, state))
        round_.step, round_.phase, round_.state = number, state.phase.value, written
    await session.flush()
