"""Delivery beside the server's other work."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import structlog
from fastapi import APIRouter, FastAPI
from sqlalchemy.exc import SQLAlchemyError

from server.base.settings import Settings
from server.mail.outbox import deliver_due
from server.storage.database import Database

log = structlog.get_logger()
PAUSE_SECONDS = 5.0


async def _deliver_forever(database: Database, settings: Settings) -> None:
    while True:
        await asyncio.sleep(PAUSE_SECONDS)
        try:
            await deliver_due(database, settings)
        except (OSError, SQLAlchemyError) as error:
            log.warning("outbox unreachable", reason=type(error).__name__)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    delivering = asyncio.create_task(_deliver_forever(app.state.database, app.state.settings))
    try:
        yield
    finally:
        delivering.cancel()
        with suppress(asyncio.CancelledError):
            await delivering


router = APIRouter(lifespan=lifespan)
