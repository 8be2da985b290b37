"""Snapshots follow the log, say what they were computed from, and never depend on the order of jobs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import groupby, zip_longest
from multiprocessing import get_context

import pytest
from sqlalchemy import func, select
from structlog.testing import capture_logs

from lab.judgements import Judgement
from lab.ratings import RatingSettings, rate
from lab.records import ratings_record
from lab.smoothing import SmoothingSettings
from server.base.clock import now
from server.base.settings import Settings
from server.falsifiers.models import FalsifierFlag, FlagState
from server.jobs.registry import JOBS, SCHEDULE, Tools, load_jobs
from server.judgements.models import JudgementRow
from server.judgements.repository import read_log
from server.ratings import repository, service
from server.ratings.models import RatingSnapshot
from server.storage.database import Database
from server.study.settings import change_setting
from tests.conftest import SignIn
from tests.lab.simulated import crowd
from tests.server.ratings.stored import GAME, person_ids, store
from tests.server.rounds.conftest import run_jobs
from tests.servers import PageClient

STUDY = crowd(1, experts=3, yes_sayers=2, plain=7, strategies=5, matches=14)
HALF = len(STUDY) // 2


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    """The kind of pool that the worker has."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as made:
        yield made


async def append(database: Database, log: list[Judgement]) -> None:
    async with database.transaction() as session:
        await store(session, log)


async def count(database: Database) -> int:
    async with database.sessions() as session:
        return await session.scalar(select(func.count()).select_from(RatingSnapshot)) or 0


async def current(database: Database) -> RatingSnapshot:
    async with database.sessions() as session:
        found = await service.latest(session, GAME)
    assert found is not None
    return found


async def whole(database: Database, snapshot: RatingSnapshot) -> RatingSnapshot:
    async with database.sessions() as session:
        return await repository.whole(session, snapshot.id)


async def test_an_empty_log_gives_no_snapshot(database: Database, executor: Executor) -> None:
    assert await service.refresh(database, executor, GAME) is None
    async with database.sessions() as session:
        assert await service.latest(session, GAME) is None


async def test_a_snapshot_is_the_pure_function_of_the_log_and_says_from_where(
    database: Database, executor: Executor
) -> None:
    await append(database, STUDY)
    kept = await service.refresh(database, executor, GAME)
    assert kept is not None
    snapshot = await whole(database, kept)
    async with database.sessions() as session:
        log = await read_log(session, GAME)
        last = await session.scalar(select(func.max(JudgementRow.id)))
    assert snapshot.record == ratings_record(rate(log))
    assert (snapshot.log_position, snapshot.judgements) == (last, len(STUDY))
    assert snapshot.settings["smoothing"]["alpha"] == 0.2
    assert snapshot.left_out == []
    assert snapshot.groups.keys() == {one.person for one in STUDY}


async def test_without_news_nothing_is_computed_again(database: Database, executor: Executor) -> None:
    await append(database, STUDY)
    first = await service.refresh(database, executor, GAME)
    second = await service.refresh(database, executor, GAME)
    assert first is not None
    assert second is not None
    assert first.id == second.id
    assert await count(database) == 1


async def test_new_judgements_give_a_new_snapshot_and_the_old_one_can_be_computed_again(
    database: Database, executor: Executor
) -> None:
    await append(database, STUDY[:HALF])
    before = await service.refresh(database, executor, GAME)
    await append(database, STUDY[HALF:])
    after = await service.refresh(database, executor, GAME)
    assert before is not None
    assert after is not None
    record = (await whole(database, before)).record
    assert after.log_position > before.log_position
    assert (await current(database)).id == after.id
    async with database.transaction() as session:
        await session.delete(await session.get_one(RatingSnapshot, before.id))
        ground = await service.basis(session)
    again = await service.compute(database, executor, GAME, before.log_position, ground)
    assert again is not None
    assert (await whole(database, again)).record == record
    assert (await current(database)).id == after.id


async def test_a_change_of_settings_is_followed_and_the_order_of_jobs_does_not_matter(
    database: Database, executor: Executor
) -> None:
    await append(database, STUDY)
    async with database.transaction() as session:
        old = await service.basis(session)
        position = await repository.settled_position(session, GAME)
        await change_setting(session, "alpha", 0.5, changed_by="test")
        new = await service.basis(session)
    # the job with the new settings ends first, the one that began with the old settings afterwards
    for ground in (new, old):
        await service.compute(database, executor, GAME, position, ground)
    assert (await current(database)).settings["smoothing"]["alpha"] == 0.5
    expected = ratings_record(rate(STUDY, RatingSettings(smoothing=SmoothingSettings(alpha=0.5))))
    weights = {one["person"]: one["weight"] for one in (await current(database)).record["persons"]}
    assert weights == {one["person"]: one["weight"] for one in expected["persons"]}


async def test_simultaneous_jobs_store_one_snapshot(database: Database, executor: Executor) -> None:
    await append(database, STUDY)
    found = await asyncio.gather(*(service.refresh(database, executor, GAME) for _ in range(3)))
    assert len({one.id for one in found if one is not None}) == 1
    assert await count(database) == 1


async def test_a_confirmed_falsifier_is_left_out_and_named(database: Database, executor: Executor) -> None:
    await append(database, STUDY)
    async with database.transaction() as session:
        ids = await person_ids(session, ["yes0", "yes1"])
        for name, state in (("yes0", FlagState.CONFIRMED), ("yes1", FlagState.RAISED)):
            flag = FalsifierFlag(person_id=ids[name], name="too_fast", evidence="", raised_at=now(), state=state.value)
            session.add(flag)
    snapshot = await service.refresh(database, executor, GAME)
    assert snapshot is not None
    assert snapshot.left_out == ["yes0"]
    rated = (await whole(database, snapshot)).record["persons"]
    assert {one["person"] for one in rated} == {one.person for one in STUDY} - {"yes0"}


async def test_the_position_waits_for_judgements_that_are_being_written(database: Database, executor: Executor) -> None:
    """A row that got its number earlier but is committed later must not be passed over."""
    await append(database, STUDY[:HALF])
    async with database.sessions() as slow:
        await store(slow, STUDY[HALF : HALF + 2])
        computing = asyncio.create_task(service.refresh(database, executor, GAME))
        waiting = "SELECT count(*) FROM pg_locks WHERE relation = 'judgements'::regclass AND NOT granted"
        while not computing.done() and not await database.pool.fetchval(waiting):  # noqa: ASYNC110 - Postgres knows
            await asyncio.sleep(0.02)
        assert not computing.done()
        await slow.commit()
    snapshot = await computing
    assert snapshot is not None
    assert snapshot.judgements == HALF + 2


async def test_old_snapshots_go_but_the_last_of_each_day_stays(database: Database, executor: Executor) -> None:
    await append(database, STUDY[:HALF])
    kept = await service.refresh(database, executor, GAME)
    assert kept is not None
    first = await whole(database, kept)
    async with database.transaction() as session:
        ground = await service.basis(session)
        for position in range(first.log_position - 6, first.log_position):
            await repository.store(
                session,
                {
                    **{
                        name: getattr(first, name)
                        for name in ("game", "record", "groups", "settings", "left_out", "software")
                    },
                    "computed_at": now(),
                    "log_position": position,
                    "judgements": 1,
                    "fingerprint": ground.fingerprint,
                },
            )
        await repository.prune(session, GAME, keep=2)
    assert await count(database) == 2


async def test_the_course_of_a_weight_is_kept(database: Database, executor: Executor) -> None:
    await append(database, STUDY)
    snapshot = await service.refresh(database, executor, GAME)
    assert snapshot is not None
    async with database.sessions() as session:
        person = (await person_ids(session, ["plain2"]))["plain2"]
        history = await service.weight_history(session, GAME, person)
    assert len(history) == sum(one.person == "plain2" for one in STUDY)
    (shown,) = [one for one in (await whole(database, snapshot)).record["persons"] if one["person"] == "plain2"]
    assert history[-1].overall == shown["weight"]


async def test_the_job_and_the_schedule_compute(database: Database, settings: Settings, executor: Executor) -> None:
    load_jobs()
    await append(database, STUDY[:HALF])
    tools = Tools(settings, database, executor)
    await JOBS["ratings.compute"](tools, {"game": GAME})
    assert await count(database) == 1
    await append(database, STUDY[HALF:])
    with capture_logs() as said:
        for _ in range(3):
            await SCHEDULE["ratings.follow"][1](tools)
            await run_jobs(tools)
    assert (await current(database)).judgements == len(STUDY)
    assert [line["event"] for line in said] == ["ratings computed"], "a minute without news is worth no line"


async def test_researchers_read_and_order_ratings_and_probands_do_not(
    database: Database, client: PageClient, sign_in: SignIn, executor: Executor
) -> None:
    assert (await client.get("/api/ratings")).status_code == 401
    await sign_in("proband")
    assert (await client.get("/api/ratings")).status_code == 403
    await sign_in("researcher")
    assert (await client.get("/api/ratings")).status_code == 404
    await append(database, STUDY)
    assert (await client.post("/api/ratings")).status_code == 202
    await service.refresh(database, executor, GAME)
    answer = (await client.get("/api/ratings")).json()
    assert answer["log_position"] == (await current(database)).log_position
    assert {one["strategy"] for one in answer["record"]["strategies"]} == {f"s{n}" for n in range(5)}


async def test_games_are_rated_as_if_each_had_a_database_of_its_own(
    database: Database, settings: Settings, executor: Executor
) -> None:
    """Strategies share their names and persons play both games; `human` is another item in each."""
    load_jobs()
    other = crowd(2, experts=4, yes_sayers=1, plain=6, strategies=5, matches=12)
    logs = {GAME: STUDY, "tic-tac-toe:standard": other}
    assert {one.seat_truth for one in other} == {one.seat_truth for one in STUDY} >= {"human", "s0"}
    matches = [[list(rows) for _, rows in groupby(log, key=lambda one: one.match)] for log in logs.values()]
    async with database.transaction() as session:
        for pair in zip_longest(*matches, fillvalue=[]):
            for game, rows in zip(logs, pair, strict=True):
                await store(session, rows, game)
    tools = Tools(settings, database, executor)
    await SCHEDULE["ratings.follow"][1](tools)
    assert await run_jobs(tools) == ["ratings.compute"] * 2, "a job for each game"
    async with database.sessions() as session:
        for game, log in logs.items():
            snapshot = await service.latest(session, game)
            assert snapshot is not None
            assert snapshot.judgements == len(log)
            alone = ratings_record(rate(log))
            assert snapshot.record["humans"] == alone["humans"]
            assert snapshot.record == alone
    await SCHEDULE["ratings.follow"][1](tools)
    assert await run_jobs(tools) == []
    async with database.transaction() as session:
        await store(session, STUDY[:1], GAME)
    await SCHEDULE["ratings.follow"][1](tools)
    assert await run_jobs(tools) == ["ratings.compute"], "a judgement in one game does not touch the other"
