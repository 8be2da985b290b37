"""The background worker: takes jobs out of the queue in Postgres and keeps the schedule.

It outlives the database: when the connection is lost, it comes back by itself and takes up what was begun.
"""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import structlog
from pgqueuer import Job as QueuedJob
from pgqueuer import PgQueuer
from pgqueuer.errors import RetryRequested
from pgqueuer.models import Schedule

from server.base.ending import end
from server.base.settings import Settings
from server.jobs.processes import LastingProcesses
from server.jobs.registry import ATTEMPTS, JOBS, SCHEDULE, Chore, Job, Tools, load_jobs
from server.jobs.stamps import mend_stamps
from server.jobs.tasks import heartbeat
from server.storage.database import address, connect, plain_url
from server.storage.outages import is_outage

log = structlog.get_logger()
FIRST_RETRY = timedelta(seconds=5)
"""How long a failed job waits before it is tried again; every further time twice as long."""


MOST_AT_ONCE = 20
"""Jobs that a worker holds at a time. Each may have a connection to the database; a long queue waits there."""
RETRY_SECONDS = 1.0
MEND_SECONDS = 10.0
LISTENING_SECONDS = 90.0
"""For a statement of the queue; a database that is frozen for longer is taken for one that is away."""


async def work(settings: Settings, *, processes: int, stop: asyncio.Event | None = None) -> None:
    """Work until told to stop by SIGTERM, SIGINT or `stop`; then finish what was begun."""
    load_jobs()
    stop = stop or _stop_on_signals()
    with LastingProcesses(processes) as pool:
        async with (
            address(settings) as url,
            connect(url, size=MOST_AT_ONCE // 2, raw_size=5, patience=settings.database_patience) as database,
        ):
            tools = Tools(settings, database, pool)
            while not stop.is_set():
                try:
                    await _work_off(plain_url(url), tools, stop)
                except Exception as error:
                    if not is_outage(error):
                        raise
                    log.warning("worker lost the database", error=repr(error))
                    await _happens(stop, RETRY_SECONDS)
    log.info("worker stopped")


async def _work_off(url: str, tools: Tools, stop: asyncio.Event) -> None:
    """Until `stop`, or until the connection is lost."""
    listening: asyncpg.Connection = await asyncpg.connect(
        url, timeout=tools.settings.database_patience.total_seconds(), command_timeout=LISTENING_SECONDS
    )
    queue = PgQueuer.from_asyncpg_connection(listening)
    for name, job in JOBS.items():
        queue.entrypoint(name, on_failure="hold")(_entrypoint(name, job, tools))
    for name, (cron, chore) in SCHEDULE.items():
        queue.schedule(name, cron)(_scheduled(name, chore, tools))
    beside = [asyncio.create_task(_pass_on(stop, queue)), asyncio.create_task(_mend_for_ever(tools))]
    try:
        await mend_stamps(tools.database.pool)
        await heartbeat(tools)
        log.info("worker ready", jobs=sorted(JOBS), schedule=sorted(SCHEDULE))
        await queue.run(
            dequeue_timeout=timedelta(seconds=5),
            batch_size=MOST_AT_ONCE // 2,
            max_concurrent_tasks=MOST_AT_ONCE,
            heartbeat_timeout=tools.settings.worker_dead_after,
        )
    finally:
        await end(*beside)
        await listening.close()


async def _pass_on(stop: asyncio.Event, queue: PgQueuer) -> None:
    """The queue sets its own event when it fails, so it cannot have ours."""
    await stop.wait()
    queue.shutdown.set()


async def _mend_for_ever(tools: Tools) -> None:
    while True:
        await asyncio.sleep(MEND_SECONDS)
        try:
            await mend_stamps(tools.database.pool)
        except Exception as error:
            if not is_outage(error):
                log.exception("stamps could not be looked at")
                continue
            log.warning("stamps were not looked at", error=repr(error))


async def _happens(event: asyncio.Event, seconds: float) -> None:
    """Wait for the event, but not longer."""
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return


def _entrypoint(name: str, job: Job, tools: Tools) -> Callable[[QueuedJob], Coroutine[Any, Any, None]]:
    async def run(queued: QueuedJob) -> None:
        log.info("job begins", job=name, id=queued.id)
        began = time.perf_counter()
        try:
            await job(tools, json.loads(queued.payload or b"null"))
        except Exception as error:
            if queued.attempts + 1 >= ATTEMPTS.get(name, 1):
                raise
            delay = FIRST_RETRY * 2**queued.attempts
            log.warning("job is tried again", job=name, id=queued.id, after=str(delay), error=repr(error))
            raise RetryRequested(delay, repr(error)) from error
        log.info("job done", job=name, id=queued.id, seconds=round(time.perf_counter() - began, 1))

    return run


def _scheduled(name: str, chore: Chore, tools: Tools) -> Callable[[Schedule], Coroutine[Any, Any, None]]:
    async def run(_: Schedule) -> None:
        log.debug("chore", name=name)
        await chore(tools)

    return run


def _stop_on_signals() -> asyncio.Event:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop
