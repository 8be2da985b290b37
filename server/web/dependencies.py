"""What endpoints ask for by name: the database, the settings, and a session that is committed for them.

`Session` is committed after the endpoint returns and before its answer is sent, or rolled back when it raises; services
never commit. Websockets take `DatabaseOf` and open short transactions themselves.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import HTTPConnection

from server.base.settings import Settings
from server.storage.database import Database


def database_of(connection: HTTPConnection) -> Database:
    database: Database = connection.app.state.database
    return database


def settings_of(connection: HTTPConnection) -> Settings:
    settings: Settings = connection.app.state.settings
    return settings


# Dependencies are asynchronous even if they wait for nothing: FastAPI takes any other one to a thread and back.
async def _database(connection: HTTPConnection) -> Database:
    return database_of(connection)


async def _settings(connection: HTTPConnection) -> Settings:
    return settings_of(connection)


DatabaseOf = Annotated[Database, Depends(_database)]
SettingsOf = Annotated[Settings, Depends(_settings)]


async def unit_of_work(database: DatabaseOf) -> AsyncIterator[AsyncSession]:
    async with database.transaction() as session:
        yield session


# Scope "function": the commit happens before the answer is sent, so nothing is acknowledged that could still fail.
Session = Annotated[AsyncSession, Depends(unit_of_work, scope="function")]
