"""Looking at the queue: what waits, what runs, what failed and why, what comes by schedule; and trying again."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from server.base.clock import now
from server.base.errors import NotFound
from server.jobs.tasks import last_heartbeat

SHOWN = 100
SILENCE = timedelta(minutes=3)
EVERY = re.compile(r"\*(?:/(?P<minutes>\d+))? \* \* \* \*")
DAILY = re.compile(r"(?P<minute>\d+) (?P<hour>\d+) \* \* \*")

QUEUE = text("""
SELECT id, entrypoint, status::text, attempts, created, execute_after, convert_from(payload, 'UTF8'),
       (SELECT l.traceback ->> 'exception_message' FROM pgqueuer_log l
        WHERE l.job_id = q.id AND l.traceback IS NOT NULL ORDER BY l.created DESC LIMIT 1)
FROM pgqueuer q ORDER BY (status = 'failed') DESC, (status = 'picked') DESC, priority DESC, execute_after, id LIMIT :n
""")
SCHEDULE = text("SELECT entrypoint, expression, last_run, next_run FROM pgqueuer_schedules ORDER BY entrypoint")
DONE = text("""
SELECT entrypoint, status::text, count(*), max(created) FROM pgqueuer_log
WHERE created > now() - interval '1 day' AND status IN ('successful', 'exception', 'failed')
GROUP BY entrypoint, status ORDER BY entrypoint, status
""")
RETRY = text("""
UPDATE pgqueuer SET status = 'queued', attempts = 0, execute_after = now(), queue_manager_id = NULL, updated = now()
WHERE id = :job AND status = 'failed' RETURNING entrypoint
""")
DISCARD = text("DELETE FROM pgqueuer WHERE id = :job AND status = 'failed' RETURNING entrypoint")


@dataclass(frozen=True)
class QueuedJob:
    id: int
    name: str
    status: str
    attempts: int
    created: datetime
    execute_after: datetime
    payload: str | None
    error: str | None

    @property
    def about(self) -> str:
        """The payload as "round: 1, step: 2"."""
        value = json.loads(self.payload or "null")
        if isinstance(value, dict):
            return ", ".join(f"{name}: {part}" for name, part in value.items())
        return "" if value is None else str(value)


@dataclass(frozen=True)
class Chore:
    name: str
    cron: str
    last_run: datetime | None
    next_run: datetime

    @property
    def every(self) -> int | None:
        """After how many minutes it runs again, if it runs all day long."""
        found = EVERY.fullmatch(self.cron)
        return int(found["minutes"] or 1) if found else None

    @property
    def daily(self) -> str | None:
        """At what time of the day (UTC) it runs, if that is once a day."""
        found = DAILY.fullmatch(self.cron)
        return f"{int(found['hour']):02}:{int(found['minute']):02}" if found else None


@dataclass(frozen=True)
class Done:
    """How often a kind of job ended in one way within a day."""

    name: str
    status: str
    count: int
    last: datetime


@dataclass(frozen=True)
class Overview:
    queue: list[QueuedJob]
    schedule: list[Chore]
    done: list[Done]
    heartbeat: datetime | None

    @property
    def silent(self) -> bool:
        """Whether no worker has given the sign of life that one gives every minute."""
        return self.heartbeat is None or self.heartbeat < now() - SILENCE


async def overview(session: AsyncSession) -> Overview:
    return Overview(
        queue=[QueuedJob(*row) for row in await session.execute(QUEUE, {"n": SHOWN})],
        schedule=[Chore(*row) for row in await session.execute(SCHEDULE)],
        done=[Done(*row) for row in await session.execute(DONE)],
        heartbeat=await last_heartbeat(session),
    )


async def try_again(session: AsyncSession, job: int) -> str:
    """Put a failed job back into the queue, with all its attempts; gives its name."""
    name: str | None = await session.scalar(RETRY, {"job": job})
    if name is None:
        raise NotFound
    return name


async def discard(session: AsyncSession, job: int) -> str:
    """Throw a failed job away; gives its name."""
    name: str | None = await session.scalar(DISCARD, {"job": job})
    if name is None:
        raise NotFound
    return name
