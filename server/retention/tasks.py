"""The nightly run of retention."""

from __future__ import annotations

import structlog

from server.accounts.events import forget_old
from server.jobs.registry import Tools, scheduled
from server.retention.service import carry_out

log = structlog.get_logger()


@scheduled("retention", "15 3 * * *")
async def retention(tools: Tools) -> None:
    async with tools.database.transaction() as session:
        done = await carry_out(session, tools.settings)
        await forget_old(session)
    log.info("retention", told=len(done.notify), deleted=len(done.delete), unconfirmed=len(done.unconfirmed))
