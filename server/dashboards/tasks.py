"""Days that are over are kept for the overviews, every ten minutes."""

from __future__ import annotations

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import structlog

from server.base.clock import now
from server.dashboards.days import keep_days
from server.jobs.registry import Tools, scheduled

log = structlog.get_logger()


@scheduled("dashboards.keep_days", "*/10 * * * *")
async def follow(tools: Tools) -> None:
    """A look without a day to keep costs four small queries."""
    try:
        kept = await keep_days(tools.database, now())
    except asyncpg.LockNotAvailableError:  # a simulated study is being written; the next time will do
        return
    if kept:
        log.info("overview days kept", days=kept)
