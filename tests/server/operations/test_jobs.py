"""Background jobs: enqueued with the transaction, worked off, scheduled."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from pydantic import JsonValue
from sqlalchemy import text, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.base.clock import now
from server.base.settings import Settings
from server.jobs.models import WorkerHeartbeat
from server.jobs.processes import LastingProcesses
from server.jobs.queue import Chore
from server.jobs.registry import JOBS, SCHEDULE, Tools, enqueue, load_jobs
from server.jobs.stamps import mend_stamps
from server.jobs.tasks import SCHEDULE_NAME, last_heartbeat
from server.jobs.worker import work
from server.storage.database import Database
from server.web.rendering import environment
from tests.conftest import SignIn
from tests.servers import PageClient


@asynccontextmanager
async def working(settings: Settings) -> AsyncIterator[None]:
    stop = asyncio.Event()
    task = asyncio.create_task(work(settings, processes=1, stop=stop))
    try:
        yield
    finally:
        stop.set()
        await asyncio.wait_for(task, 60)


async def test_a_job_is_done_if_and_only_if_its_transaction_was_committed(
    database: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: asyncio.Queue[JsonValue] = asyncio.Queue()

    async def note(tools: Tools, payload: JsonValue) -> None:
        number = await asyncio.get_running_loop().run_in_executor(tools.processes, abs, -7)
        await done.put([payload, number])

    monkeypatch.setitem(JOBS, "tests.note", note)
    async with database.sessions() as session:
        await enqueue(session, "tests.note", "rolled back")
        await session.rollback()
    async with database.transaction() as session:
        await enqueue(session, "tests.note", {"kept": True})
    async with working(settings):
        assert await asyncio.wait_for(done.get(), 60) == [{"kept": True}, 7]
        async with database.sessions() as session:
            assert await last_heartbeat(session) is not None
    assert done.empty()


async def test_a_failed_job_is_kept_and_the_worker_goes_on(
    database: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = asyncio.Event()

    async def fail(tools: Tools, payload: JsonValue) -> None:
        raise RuntimeError("this job fails on purpose")

    async def succeed(tools: Tools, payload: JsonValue) -> None:
        done.set()

    monkeypatch.setitem(JOBS, "tests.fail", fail)
    monkeypatch.setitem(JOBS, "tests.succeed", succeed)
    async with database.transaction() as session:
        await enqueue(session, "tests.fail", priority=1)
        await enqueue(session, "tests.succeed")
    async with working(settings):
        await asyncio.wait_for(done.wait(), 60)
    async with database.sessions() as session:
        held = (await session.execute(text("SELECT entrypoint, status::text FROM pgqueuer"))).all()
    assert [tuple(row) for row in held] == [("tests.fail", "failed")]


def test_the_death_of_a_computing_process_fails_one_computation_only() -> None:
    with LastingProcesses(1) as processes:
        assert processes.submit(abs, -7).result(60) == 7
        with pytest.raises(BrokenProcessPool):
            processes.submit(os._exit, 1).result(60)
        assert processes.submit(abs, -8).result(60) == 8


async def test_a_queue_from_the_future_is_taken_back_to_the_present(database: Database) -> None:
    """The clock was moved back by an hour: a job, a job in hand and a chore are stamped with the time before."""
    load_jobs()
    ahead = {"t": now() + timedelta(hours=1)}
    async with database.transaction() as session:
        await enqueue(session, "tests.waiting", after=timedelta(minutes=30))
        await enqueue(session, "tests.in_hand")
        await session.execute(text("UPDATE pgqueuer SET created = :t, updated = :t, heartbeat = :t"), ahead)
        await session.execute(text("UPDATE pgqueuer SET execute_after = execute_after + interval '1 hour'"))
        await session.execute(text("UPDATE pgqueuer SET status = 'picked' WHERE entrypoint = 'tests.in_hand'"))
        await session.execute(
            text(
                "INSERT INTO pgqueuer_schedules (expression, entrypoint, next_run, created, updated, heartbeat)"
                " VALUES ('* * * * *', 'tests.chore', :t, :t, :t, :t)"
            ),
            ahead,
        )
    await mend_stamps(database.pool)
    async with database.sessions() as session:
        due = "SELECT entrypoint, execute_after < now() + interval '31 minutes', heartbeat <= now() FROM pgqueuer"
        jobs = (await session.execute(text(due))).all()
        assert sorted(map(tuple, jobs)) == [("tests.in_hand", True, True), ("tests.waiting", True, True)]
        late = "SELECT execute_after > now() + interval '10 minutes' FROM pgqueuer WHERE entrypoint = 'tests.waiting'"
        assert await session.scalar(text(late)), "what was to be done later is still done later"
        assert await session.scalar(text("SELECT bool_and(next_run <= now()) FROM pgqueuer_schedules"))


def test_the_chores_are_registered() -> None:
    load_jobs()
    assert {"jobs.heartbeat", "retention"} <= set(SCHEDULE)


@pytest.mark.parametrize(
    ("cron", "every", "daily"),
    [
        ("* * * * *", 1, None),
        ("*/10 * * * *", 10, None),
        ("15 3 * * *", None, "03:15"),
        ("15 3 * * 1", None, None),
        ("15 * * * *", None, None),
    ],
)
def test_a_schedule_is_told_in_words_only_where_they_are_true(cron: str, every: int | None, daily: str | None) -> None:
    chore = Chore("tests.chore", cron, None, now())
    assert (chore.every, chore.daily) == (every, daily)


def test_every_job_is_told_in_words() -> None:
    """Admins read what a job does, not what it is called."""
    load_jobs()
    told: dict[str, str] = environment("en").get_template("admin/_job_words.html").module.JOB  # type: ignore[attr-defined]  # set by the template
    assert {name for name in {*JOBS, *SCHEDULE} if not name.startswith(("tests.", "chaos."))} == set(told)


async def test_a_worker_that_is_gone_is_missed(client: PageClient, sign_in: SignIn, session: AsyncSession) -> None:
    await sign_in("admin")
    assert "No worker has been seen yet." in (await client.get("/admin/jobs")).text
    session.add(WorkerHeartbeat(name=SCHEDULE_NAME, seen_at=now()))
    await session.commit()
    assert "A worker was last seen at" in (await client.get("/admin/jobs")).text
    await session.execute(update(WorkerHeartbeat).values(seen_at=now() - timedelta(minutes=4)))
    await session.commit()
    assert "No worker has been seen since" in (await client.get("/admin/jobs")).text
