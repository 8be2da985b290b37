"""How Alembic reaches the database: the URL comes from the caller, or from the platform's settings."""

from __future__ import annotations

import asyncio

from alembic import context
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from server.database import Base, address, sqlalchemy_url
from server.domains import domain_modules
from server.settings import Settings

domain_modules("models")
MIGRATION_LOCK = 0x6772696E7475  # any fixed number; this one spells the project's name


def run(connection: Connection) -> None:
    """One process migrates at a time, and no migration keeps the serving version waiting for long."""
    connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": MIGRATION_LOCK})
    connection.execute(text("SET lock_timeout = '5s'"))
    connection.execute(text("SET statement_timeout = '10min'"))
    connection.commit()
    context.configure(connection=connection, target_metadata=Base.metadata, transaction_per_migration=True)
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()


async def run_on(url: str) -> None:
    engine = create_async_engine(sqlalchemy_url(url), poolclass=NullPool)
    async with engine.connect() as connection:
        await connection.run_sync(run)
    await engine.dispose()


async def main() -> None:
    given: str | None = context.config.attributes.get("url")
    if given is not None:
        await run_on(given)
        return
    async with address(Settings()) as url:
        await run_on(url)


asyncio.run(main())
