"""All routes about accounts, by what people do; while they serve, security events are written down."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI

from server.accounts import (
    routes_admin,
    routes_entry,
    routes_factor,
    routes_own,
    routes_recovery,
    routes_security,
)
from server.accounts.events import Tally


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    app.state.events = Tally(app.state.database)
    writing = asyncio.create_task(app.state.events.keep_writing())
    try:
        yield
    finally:
        writing.cancel()
        await app.state.events.write()


router = APIRouter(tags=["accounts"], lifespan=lifespan)
for part in (routes_entry, routes_factor, routes_recovery, routes_own, routes_admin, routes_security):
    router.include_router(part.router)
