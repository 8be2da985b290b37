"""The background worker: takes jobs out of the queue in Postgres and keeps the schedule."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import signal
from collections.abc import Callable, Coroutine
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from typing import Any

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import structlog
from pgqueuer import Job as QueuedJob
from pgqueuer import PgQueuer
from pgqueuer.models import Schedule

from server.database import address, connect, plain_url
from server.jobs.registry import JOBS, SCHEDULE, Chore, Job, Tools, load_jobs
from server.jobs.tasks import heartbeat
from server.settings import Settings

log = structlog.get_logger()
DEAD_AFTER = timedelta(seconds=30)
"""A job whose worker gave no sign of life for so long is given to another one."""


async def work(settings: Settings, *, processes: int, stop: asyncio.Event | None = None) -> None:
    """Work until told to stop by SIGTERM, SIGINT or `stop`; then finish what was begun."""
    load_jobs()
    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
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
                await queue.run(dequeue_timeout=timedelta(seconds=5), heartbeat_timeout=DEAD_AFTER)
            finally:
                await listening.close()
    log.info("worker stopped")


def _entrypoint(name: str, job: Job, tools: Tools) -> Callable[[QueuedJob], Coroutine[Any, Any, None]]:
    async def run(queued: QueuedJob) -> None:
        log.info("job begins", job=name, id=queued.id)
        await job(tools, json.loads(queued.payload or b"null"))
        log.info("job done", job=name, id=queued.id)

    return run


def _scheduled(name: str, chore: Chore, tools: Tools) -> Callable[[Schedule], Coroutine[Any, Any, None]]:
    async def run(_: Schedule) -> None:
        log.debug("chore", name=name)
        await chore(tools)

    return run


def _stop_on_signals(queue: PgQueuer, stop: asyncio.Event | None) -> None:
    loop = asyncio.get_running_loop()
    if stop is not None:
        queue.shutdown = queue.qm.shutdown = queue.sm.shutdown = stop
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, queue.shutdown.set)
