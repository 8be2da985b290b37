"""The worker's own chore: a sign of life."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.base.clock import now
from server.jobs.models import WorkerHeartbeat
from server.jobs.registry import Tools, scheduled

SCHEDULE_NAME = "schedule"


@scheduled("jobs.heartbeat", "* * * * *")
async def heartbeat(tools: Tools) -> None:
    async with tools.database.transaction() as session:
        query = insert(WorkerHeartbeat).values(name=SCHEDULE_NAME, seen_at=now())
        await session.execute(query.on_conflict_do_update(index_elements=["name"], set_={"seen_at": now()}))


async def last_heartbeat(session: AsyncSession) -> datetime | None:
    """When a worker was last seen at work."""
    found = await session.get(WorkerHeartbeat, SCHEDULE_NAME)
    return found.seen_at if found else None
