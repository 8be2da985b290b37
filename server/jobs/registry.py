"""Which jobs there are. A domain writes its own in a module `tasks.py`, found by the worker at its start.

    @job("rounds.step")
    async def step(tools: Tools, payload: JsonValue) -> None: ...

    @scheduled("retention", "15 3 * * *")
    async def retention(tools: Tools) -> None: ...

A job may run twice (after a crash), so its steps are idempotent; CPU work goes into `tools.processes`, because a
blocked event loop looks like a dead worker.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import timedelta

from pgqueuer import AsyncpgDriver, Queries
from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.base.domains import domain_modules
from server.base.settings import Settings
from server.storage.database import Database


@dataclass(frozen=True, slots=True)
class Tools:
    """What a job works with."""

    settings: Settings
    database: Database
    processes: Executor


Job = Callable[[Tools, JsonValue], Awaitable[None]]
Chore = Callable[[Tools], Awaitable[None]]

JOBS: dict[str, Job] = {}
ATTEMPTS: dict[str, int] = {}
"""How often a job that fails is tried in all before it is held for an admin; once where nothing is said."""
SCHEDULE: dict[str, tuple[str, Chore]] = {}
"""Name → (cron expression, what to do)."""


def job(name: str, *, attempts: int = 1) -> Callable[[Job], Job]:
    def register(work: Job) -> Job:
        JOBS[name] = work
        ATTEMPTS[name] = attempts
        return work

    return register


def scheduled(name: str, cron: str) -> Callable[[Chore], Chore]:
    def register(work: Chore) -> Chore:
        SCHEDULE[name] = (cron, work)
        return work

    return register


def load_jobs() -> None:
    """Import every domain's tasks, which registers them."""
    domain_modules("tasks")


async def enqueue(
    session: AsyncSession,
    name: str,
    payload: JsonValue = None,
    *,
    priority: int = 0,
    after: timedelta = timedelta(0),
    once: str | None = None,
) -> None:
    """Put a job into the queue, in the session's own transaction: it exists if and when the rest is committed.

    A job with the key `once` is refused with pgqueuer's DuplicateJobError while another one with that key is there.
    """
    await session.execute(select(1))  # only a statement really opens the transaction on the driver's connection
    raw = await (await session.connection()).get_raw_connection()
    driver = raw.driver_connection
    assert driver is not None
    await Queries(AsyncpgDriver(driver)).enqueue(
        name, json.dumps(payload).encode(), priority, execute_after=after, dedupe_key=once
    )
