"""Fills a database with a complete simulated study: persons, matches, answers, judgements, the round and its steps.

All of it is one transaction: a fill that is interrupted leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Final

from sqlalchemy import exists, select
from sqlalchemy.ext.asyncio import AsyncSession

from lab.refinement import Phase, RoundState, start
from lab.simulation.recorded import RecordSettings, recorded
from lab.simulation.records import MatchRecord, PersonRecord, StepRecord, StudyRecord
from lab.simulation.study import SimulationSettings
from server.accounts.models import Person
from server.accounts.pseudonyms import SIMULATED
from server.base.errors import N_, Conflict
from server.judgements.repository import people_have_judged, position
from server.rounds import repository
from server.rounds.deciding import kind_of
from server.rounds.models import FILLED_IN, Round, RoundStep, Schedule, Status
from server.rounds.steps import await_judgements, members_of
from server.simulated.rows import moment
from server.simulated.writer import Writer

BATCH: Final = 500


@dataclass
class Filled:
    """What was written."""

    rows: dict[str, int]
    seconds: float
    round_id: int
    answer: str | None

    @property
    def per_second(self) -> float:
        return sum(self.rows.values()) / self.seconds


@dataclass
class _Story:
    """The round as it is gathered from the steps that the stream tells of."""

    begin: RoundState | None = None
    taken: list[tuple[StepRecord, int]] = field(default_factory=list)
    last: StepRecord | None = None

    def add(self, record: StepRecord, position: int) -> None:
        self.begin = self.begin or record.before
        self.last = record
        if not record.step.waits:
            self.taken.append((record, position))


async def fill(
    session: AsyncSession,
    settings: SimulationSettings,
    seed: int,
    records: RecordSettings,
    pool: Executor | None = None,
    done: Callable[[int], None] = lambda _: None,
) -> Filled:
    """Write the study that follows from settings and seed; `done` hears how many judgements have been written.

    Raises Conflict where people have judged, where a round runs, or where the same study was written before.
    """
    game = settings.rules
    study = f"study{seed}"
    await _require_room(session, game.reference, study)
    started = time.perf_counter()
    writer, story = Writer(session, game, study), _Story()
    stream = recorded(settings, seed, records, pool)
    batch = await asyncio.to_thread(_take, stream)
    while batch:
        # While Postgres takes one batch in, the next one is computed.
        following = asyncio.create_task(asyncio.to_thread(_take, stream))
        await _write(session, writer, story, batch)
        done(writer.written["judgements"])
        batch = await following
    await writer.flush()
    done(writer.written["judgements"])
    round_ = await _write_round(session, settings, seed, records, story)
    answer = story.last.step.state.answer if story.last else None
    return Filled(dict(writer.written), time.perf_counter() - started, round_.id, " ".join(answer) if answer else None)


def _take(stream: Iterator[StudyRecord]) -> list[StudyRecord]:
    return list(islice(stream, BATCH))


async def _write(session: AsyncSession, writer: Writer, story: _Story, batch: list[StudyRecord]) -> None:
    await writer.add_persons([record for record in batch if isinstance(record, PersonRecord)])
    for record in batch:
        if isinstance(record, MatchRecord):
            await writer.add_match(record)
        elif isinstance(record, StepRecord):
            await writer.flush()
            story.add(record, await position(session, writer.game.reference))


async def _require_room(session: AsyncSession, game: str, study: str) -> None:
    if await people_have_judged(session):
        raise Conflict(N_("People have judged here; simulated judgements would spoil their ratings."))
    if await repository.active(session, game) is not None:
        raise Conflict(N_("A round of this game is running already. Cancel it first, or wait until it is done."))
    if await session.scalar(select(exists().where(Person.pseudonym.like(f"{SIMULATED}{study}-%")))):
        raise Conflict(N_("The simulated study of this seed is in the database already."))


async def _write_round(
    session: AsyncSession, settings: SimulationSettings, seed: int, records: RecordSettings, story: _Story
) -> Round:
    """The round with all steps that were taken; one that was cut short is paused."""
    begin = story.begin or start(seed, settings.refinement, settings.start, settings.factor.pool)
    state = story.taken[-1][0].step.state if story.taken else begin
    over = state.phase is Phase.DONE
    round_ = Round(
        name=f"Simulated study {seed}",
        game=settings.rules.reference,
        seed=seed,
        settings=asdict(settings.refinement),
        created_at=moment(records.begin),
        created_by=FILLED_IN,
        status=Status.DONE if over else Status.PAUSED,
        phase=state.phase.value,
        step=len(story.taken),
        state=json.loads(state.to_json()),
        schedule=Schedule.SATISFIED,
        ended_at=moment(story.taken[-1][0].at) if over else None,
        log_position=story.taken[-1][1] if story.taken else 0,
        simulation=None,
        sessions=0,
        session_position=0,
        waits=0,
    )
    await_judgements(round_, state)
    session.add(round_)
    await session.flush()
    session.add(_step(round_.id, 0, "start", records.begin, 0, (), begin))
    session.add_all(members_of(round_.id, 0, begin))
    for number, (record, reached) in enumerate(story.taken, start=1):
        after = record.step.state
        decisions = tuple(asdict(decision) for decision in record.step.decisions)
        session.add(_step(round_.id, number, kind_of(record.step), record.at, reached, decisions, after))
        if after.phase is not Phase.DONE:
            session.add_all(members_of(round_.id, number, after))
    await session.flush()
    return round_


def _step(
    round_id: int, number: int, kind: str, at: float, position: int, decisions: tuple[object, ...], state: RoundState
) -> RoundStep:
    return RoundStep(
        round_id=round_id,
        number=number,
        kind=kind,
        at=moment(at),
        log_position=position,
        basis={},
        decisions=list(decisions),
        state=json.loads(state.to_json()),
    )
