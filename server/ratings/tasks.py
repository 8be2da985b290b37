"""Ratings follow the log by themselves: every minute, if there are new judgements, settings or decided flags."""

from __future__ import annotations

import structlog
from pydantic import JsonValue

from server.clock import now
from server.jobs.memory import give_back
from server.jobs.registry import Tools, job, scheduled
from server.ratings.service import refresh

log = structlog.get_logger()

COMPUTE = "ratings.compute"


@scheduled("ratings.follow", "* * * * *")
async def follow(tools: Tools) -> None:
    """A minute without news costs two queries."""
    await _refresh(tools)


@job(COMPUTE, attempts=3)
async def compute(tools: Tools, _: JsonValue) -> None:
    """On demand, for those who do not want to wait for the minute."""
    await _refresh(tools)


async def _refresh(tools: Tools) -> None:
    began = now()
    snapshot = await refresh(tools.database, tools.processes)
    if snapshot is not None and snapshot.computed_at >= began:
        give_back()
        log.info(
            "ratings computed", snapshot=snapshot.id, position=snapshot.log_position, judgements=snapshot.judgements
        )
