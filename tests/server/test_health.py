"""The health page tells whether the process can do its work."""

from __future__ import annotations

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from tests.servers import PageClient


async def test_a_migrated_database_is_healthy(client: PageClient) -> None:
    answer = await client.get("/health")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "database": "ok", "migrations": "ok"}


async def at_revision(session: AsyncSession, revision: str) -> None:
    await session.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})
    await session.commit()


async def test_a_database_at_an_older_revision_is_not_healthy(client: PageClient, session: AsyncSession) -> None:
    await at_revision(session, "20261116_01")
    answer = await client.get("/health")
    assert answer.status_code == 503
    assert "found 20261116_01" in answer.json()["migrations"]


async def test_the_previous_version_stays_healthy_during_an_update(client: PageClient, session: AsyncSession) -> None:
    await at_revision(session, "29991231_01")
    assert (await client.get("/health")).status_code == 200
