"""The health page tells whether the process can do its work."""

from __future__ import annotations

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from tests.servers import PageClient


async def test_a_migrated_database_is_healthy(client: PageClient) -> None:
    answer = await client.get("/health")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "database": "ok", "migrations": "ok"}


async def test_a_database_at_another_revision_is_not_healthy(client: PageClient, session: AsyncSession) -> None:
    await session.execute(text("UPDATE alembic_version SET version_num = 'older'"))
    await session.commit()
    answer = await client.get("/health")
    assert answer.status_code == 503
    assert "found older" in answer.json()["migrations"]
