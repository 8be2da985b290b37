"""A round with people: it looks when new judgements have come, and a job that fails is tried again."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from pydantic import JsonValue
from sqlalchemy import func, select

from server.base.settings import Settings
from server.jobs import worker
from server.jobs.registry import ATTEMPTS, JOBS, Tools, enqueue
from server.judgements.models import JudgementRow
from server.judgements.repository import position
from server.live.models import Match, MatchSeat
from server.ratings import service as ratings
from server.ratings.models import RatingSnapshot
from server.rounds import repository as rounds
from server.rounds import service, tasks
from server.rounds.models import Round
from server.rounds.queue import JUDGE, LOOK, STEP
from server.storage.database import Database
from tests.people import new_account
from tests.server.rounds.conftest import GAME, POPULATION, QUICK, SMALL, find, new_round, run_jobs


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
        session.add(
            JudgementRow(match_id=row.match_id, game=row.game, person_id=person, seat=row.seat, verdict="artificial")
        )
        await session.flush()
        return await position(session, GAME)


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


async def test_a_round_of_any_game_decides_on_stored_snapshots(database: Database, tools: Tools) -> None:
    """Simulated probands play tic-tac-toe beside a round of another game; every step names its snapshot."""
    other = await new_round(database, simulation=None)
    number = await new_round(
        database, game="tic-tac-toe", population=(), simulation=replace(SMALL, planted=""), settings=QUICK
    )
    await run_jobs(tools)
    round_ = await find(database, number)
    assert round_.simulation is not None
    assert round_.simulation["planted"] == "Winning,Nearby"
    assert round_.step > 0
    assert (await find(database, other)).step == 0, "what is judged in one game is no news in another"
    async with database.sessions() as session:
        steps = (await rounds.steps(session, number))[1:]
        for step in steps:
            query = select(RatingSnapshot).where(
                RatingSnapshot.game == "tic-tac-toe:standard",
                RatingSnapshot.log_position == step.log_position,
                RatingSnapshot.fingerprint == step.basis["fingerprint"],
            )
            snapshot = (await session.scalars(query)).one()
            assert snapshot.settings == step.basis["settings"]
        last = await session.get_one(Match, (await session.scalars(select(func.max(Match.id)))).one())
        assert last.game == "tic-tac-toe:standard"
        seats = (await session.scalars(select(MatchSeat).where(MatchSeat.match_id == last.id))).all()
        assert len(seats) == 2


async def test_a_step_takes_the_snapshot_that_is_there(
    database: Database, tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ratings that were computed before are not computed again for a round."""
    number = await judged_before(database, tools)
    assert await ratings.refresh(database, tools.processes, GAME) is not None

    async def never(*_: object) -> None:
        raise AssertionError("the snapshot is there")

    monkeypatch.setattr(ratings, "compute", never)
    await run_jobs(tools, stop=lambda name: name == STEP)
    assert (await find(database, number)).step == 1
