"""Background jobs: enqueued with the transaction, worked off, scheduled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from pydantic import JsonValue
from sqlalchemy import text

from server.database import Database
from server.jobs.registry import JOBS, SCHEDULE, Tools, enqueue, load_jobs
from server.jobs.tasks import last_heartbeat
from server.jobs.worker import work
from server.settings import Settings


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


def test_the_chores_are_registered() -> None:
    load_jobs()
    assert {"jobs.heartbeat", "retention"} <= set(SCHEDULE)
