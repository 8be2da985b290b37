"""Taking one's own data away, without a worker of one's own: the test builds the file."""

from __future__ import annotations

from typing import Protocol

import httpx
from sqlalchemy import select

from server.downloads import service
from server.downloads.models import Download
from server.storage.database import Database


class Browser(Protocol):
    async def get(self, url: str) -> httpx.Response: ...
    async def post(self, url: str) -> httpx.Response: ...


async def downloaded(client: Browser, database: Database, kind: str = "data") -> httpx.Response:
    """What whoever is logged in gets: asks for the file, lets it be built, and takes it."""
    await client.get("/account/my-data")  # for its token
    asked = await client.post(f"/account/downloads/{kind}")
    assert (asked.status_code, asked.headers["location"]) == (303, "/account/my-data")
    async with database.sessions() as session:
        waiting = (await session.scalars(select(Download.id).where(Download.ready_at.is_(None)))).one()
    await service.build(database, waiting)
    return await client.get(f"/account/downloads/{kind}")
