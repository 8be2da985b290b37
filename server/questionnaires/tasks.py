"""Closing the questionnaires whose day is over."""

from __future__ import annotations

import structlog

from server.jobs.registry import Tools, scheduled
from server.questionnaires.service import close_overdue

log = structlog.get_logger()


@scheduled("questionnaires.close", "*/10 * * * *")
async def close(tools: Tools) -> None:
    """A few at a time, each few in a transaction of its own."""
    while True:
        async with tools.database.transaction() as session:
            closed = await close_overdue(session)
        if not closed:
            return
        log.info("questionnaires closed", count=closed)
