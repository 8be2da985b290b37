"""Databases that a test makes and drops."""

from __future__ import annotations

import asyncio

import asyncpg  # type: ignore[import-untyped]  # it comes without type information

ATTEMPTS = 100


async def copy_database(connection: asyncpg.Connection, name: str, template: str) -> None:
    """Copied as files: through the log of all writes, which is Postgres' usual way, it takes twice as long."""
    await connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY FILE_COPY')


async def drop_database(connection: asyncpg.Connection, name: str) -> None:
    """Whoever is still connected is thrown out. Postgres' own cleaning worker may not be; it is gone in a moment."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            await connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
        except (asyncpg.InsufficientPrivilegeError, asyncpg.ObjectInUseError):
            if attempt == ATTEMPTS:
                raise
            await asyncio.sleep(0.1)
        else:
            return
