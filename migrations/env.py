"""How Alembic reaches the database: the URL comes from the caller, or from the platform's settings."""

from __future__ import annotations

import asyncio
import time

from alembic import context
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from migrations.online import PATIENCE, be_patient
from server.base.domains import domain_modules
from server.base.settings import Settings
from server.storage.database import Base, address, sqlalchemy_url

domain_modules("models")
CONNECT_SECONDS = 30.0
LONGEST_STATEMENT = 4 * 3600.0
"""Building an index over a large study takes long; a database that is frozen takes for ever."""
MIGRATION_LOCK = 0x6772696E7475  # any fixed number; this one spells the project's name


def take_turn(connection: Connection) -> None:
    """Wait until no other process migrates. Asked again and again instead of waited for: a waiting statement is a
    transaction, and building an index beside the serving version waits for all transactions to end."""
    while not connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": MIGRATION_LOCK}):
        connection.commit()
        time.sleep(0.1)
    connection.commit()


def run(connection: Connection) -> None:
    """One process migrates at a time, and no migration keeps the serving version waiting for long."""
    take_turn(connection)
    be_patient(connection, PATIENCE)
    connection.commit()
    context.configure(connection=connection, target_metadata=Base.metadata, transaction_per_migration=True)
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()


async def run_on(url: str) -> None:
    limits = {"timeout": CONNECT_SECONDS, "command_timeout": LONGEST_STATEMENT}
    engine = create_async_engine(sqlalchemy_url(url), poolclass=NullPool, connect_args=limits)
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
