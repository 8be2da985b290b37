"""A round with people: it looks when new judgements have come, and a job that fails is tried again."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from pydantic import JsonValue
from sqlalchemy import select

from server.database import Database
from server.jobs import worker
from server.jobs.registry import ATTEMPTS, JOBS, Tools, enqueue
from server.judgements.models import JudgementRow
from server.judgements.repository import position
from server.rounds import service, tasks
from server.rounds.models import Round
from server.rounds.queue import JUDGE, LOOK, STEP
from server.settings import Settings
from tests.people import new_account
from tests.server.rounds.conftest import POPULATION, find, new_round, run_jobs


async def judged_before(database: Database, tools: Tools) -> int:
    """Fills the log with a session of a round that was cancelled, and begins another round without simulation."""
    first = await new_round(database)
    await run_jobs(tools, stop=lambda name: name == JUDGE)
    async with database.transaction() as session:
        await service.cancel(session, "tests", first)
    await run_jobs(tools)
    return await new_round(database, simulation=None, seed=3)


async def judge_once_more(database: Database) -> int:
    """One further judgement; gives its position in the log."""
    person = (await new_account(database)).person_id
    async with database.transaction() as session:
        row = (await session.scalars(select(JudgementRow).limit(1))).one()
        session.add(JudgementRow(match_id=row.match_id, person_id=person, seat=row.seat, verdict="artificial"))
        await session.flush()
        return await position(session)


async def test_judgements_of_earlier_rounds_count(database: Database, tools: Tools) -> None:
    number = await judged_before(database, tools)
    assert (await run_jobs(tools))[:3] == [LOOK, STEP, LOOK]
    round_ = await find(database, number)
    assert round_.step == 1, "the same judgements as in the simulated round, and so the same step"
    assert round_.waiting, "the new strategies have not been judged"
    assert set(round_.lacking) <= {lack["about"] for lack in round_.waiting}


async def test_without_new_judgements_nothing_is_computed_and_with_them_once(database: Database, tools: Tools) -> None:
    number = await judged_before(database, tools)
    await run_jobs(tools)
    for _ in range(2):
        await tasks.follow(tools)
        assert await run_jobs(tools) == [LOOK]
    newest = await judge_once_more(database)
    await tasks.follow(tools)
    assert await run_jobs(tools) == [LOOK, STEP]
    round_: Round = await find(database, number)
    assert (round_.step, round_.log_position) == (1, newest)


async def test_a_population_that_nobody_has_judged_is_waited_for(database: Database, tools: Tools) -> None:
    number = await new_round(database, simulation=None)
    assert await run_jobs(tools) == [LOOK, STEP]
    round_ = await find(database, number)
    assert (round_.step, len(round_.waiting), len(round_.lacking)) == (0, len(POPULATION), len(POPULATION))
    assert round_.waiting[0]["reason"] == "has 0 of 5 judgements and 0 of 1 judgements by super experts"


async def test_a_job_that_fails_is_tried_again(
    database: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[JsonValue] = []
    succeeded = asyncio.Event()

    async def fails_twice(tools: Tools, payload: JsonValue) -> None:
        tried.append(payload)
        if len(tried) < 3:
            raise ConnectionError("the database was away")
        succeeded.set()

    monkeypatch.setitem(JOBS, "tests.flaky", fails_twice)
    monkeypatch.setitem(ATTEMPTS, "tests.flaky", 3)
    monkeypatch.setattr(worker, "FIRST_RETRY", timedelta(milliseconds=1))
    async with database.transaction() as session:
        await enqueue(session, "tests.flaky", "again")
    stop = asyncio.Event()
    task = asyncio.create_task(worker.work(settings, processes=1, stop=stop))
    await asyncio.wait_for(succeeded.wait(), 60)
    stop.set()
    await asyncio.wait_for(task, 60)
    assert tried == ["again"] * 3
