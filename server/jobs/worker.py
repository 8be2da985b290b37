"""The background worker: takes jobs out of the queue in Postgres and keeps the schedule."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from typing import Any

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import structlog
from pgqueuer import Job as QueuedJob
from pgqueuer import PgQueuer
from pgqueuer.errors import RetryRequested
from pgqueuer.models import Schedule

from server.database import address, connect, plain_url
from server.jobs.registry import ATTEMPTS, JOBS, SCHEDULE, Chore, Job, Tools, load_jobs
from server.jobs.tasks import heartbeat
from server.settings import Settings

log = structlog.get_logger()
FIRST_RETRY = timedelta(seconds=5)
"""How long a failed job waits before it is tried again; every further time twice as long."""


async def work(settings: Settings, *, processes: int, stop: asyncio.Event | None = None) -> None:
    """Work until told to stop by SIGTERM, SIGINT or `stop`; then finish what was begun."""
    load_jobs()
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=spawning, initializer=_end_with_parent) as pool:
        async with address(settings) as url, connect(url, size=5, raw_size=5) as database:
            listening: asyncpg.Connection = await asyncpg.connect(plain_url(url))
            try:
                queue = PgQueuer.from_asyncpg_connection(listening)
                tools = Tools(settings, database, pool)
                for name, job in JOBS.items():
                    queue.entrypoint(name, on_failure="hold")(_entrypoint(name, job, tools))
                for name, (cron, chore) in SCHEDULE.items():
                    queue.schedule(name, cron)(_scheduled(name, chore, tools))
                _stop_on_signals(queue, stop)
                await heartbeat(tools)
                log.info("worker ready", jobs=sorted(JOBS), schedule=sorted(SCHEDULE))
                await queue.run(dequeue_timeout=timedelta(seconds=5), heartbeat_timeout=settings.worker_dead_after)
            finally:
                await listening.close()
    log.info("worker stopped")


def _entrypoint(name: str, job: Job, tools: Tools) -> Callable[[QueuedJob], Coroutine[Any, Any, None]]:
    async def run(queued: QueuedJob) -> None:
        log.info("job begins", job=name, id=queued.id)
        try:
            await job(tools, json.loads(queued.payload or b"null"))
        except Exception as error:
            if queued.attempts + 1 >= ATTEMPTS.get(name, 1):
                raise
            delay = FIRST_RETRY * 2**queued.attempts
            log.warning("job is tried again", job=name, id=queued.id, after=str(delay), error=repr(error))
            raise RetryRequested(delay, repr(error)) from error
        log.info("job done", job=name, id=queued.id)

    return run


def _scheduled(name: str, chore: Chore, tools: Tools) -> Callable[[Schedule], Coroutine[Any, Any, None]]:
    async def run(_: Schedule) -> None:
        log.debug("chore", name=name)
        await chore(tools)

    return run


def _end_with_parent() -> None:
    """Runs in every process of the pool: whoever kills the worker shall not have to look for its children."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _stop_on_signals(queue: PgQueuer, stop: asyncio.Event | None) -> None:
    loop = asyncio.get_running_loop()
    if stop is not None:
        queue.shutdown = queue.qm.shutdown = queue.sm.shutdown = stop
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, queue.shutdown.set)
