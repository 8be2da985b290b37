"""What endpoints ask for by name: the database session, and who is there.

    async def page(request: Request, session: Session, who: Researcher) -> Response: ...

`Session` is committed after the endpoint returns and before its answer is sent, or rolled back when it raises; services
never commit. Websockets take `DatabaseOf` and open short transactions themselves.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Annotated

from fastapi import Depends
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import HTTPConnection

from server.accounts.models import Role
from server.accounts.sessions import Identity, cookie_of, find_identity
from server.database import Database
from server.errors import Forbidden, NotSignedIn
from server.settings import Settings


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


async def identify(connection: HTTPConnection) -> Identity | None:
    """Who makes this request; asked once per request and kept in `connection.state.identity`."""
    if not hasattr(connection.state, "identity"):
        connection.state.identity = None
        if cookie_of(connection, settings_of(connection)) is not None:
            async with database_of(connection).glances() as session:
                connection.state.identity = await find_identity(session, connection, settings_of(connection))
    found: Identity | None = connection.state.identity
    return found


MaybeSignedIn = Annotated[Identity | None, Depends(identify)]


async def signed_in(identity: MaybeSignedIn) -> Identity:
    if identity is None:
        raise NotSignedIn
    return identity


def at_least(role: Role) -> Callable[[Identity], Awaitable[Identity]]:
    async def check(identity: Annotated[Identity, Depends(signed_in)]) -> Identity:
        if not identity.role.includes(role):
            raise Forbidden
        return identity

    return check


SignedIn = Annotated[Identity, Depends(signed_in)]
Proband = Annotated[Identity, Depends(at_least(Role.PROBAND))]
Researcher = Annotated[Identity, Depends(at_least(Role.RESEARCHER))]
Admin = Annotated[Identity, Depends(at_least(Role.ADMIN))]
