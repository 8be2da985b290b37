"""What endpoints ask for by name: who is there.

async def page(request: Request, session: Session, who: Researcher) -> Response: ...
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import HTTPConnection

from server.accounts.events import Tally
from server.accounts.limits import LIMITS, network_of, take
from server.accounts.models import Role
from server.accounts.sessions import Identity, cookie_of, find_identity
from server.base.clock import now
from server.base.errors import Forbidden, NotProved, NotSignedIn, SecondFactorMissing
from server.web.dependencies import database_of, settings_of


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


def at_least(role: Role) -> Callable[[HTTPConnection, Identity], Awaitable[Identity]]:
    async def check(connection: HTTPConnection, identity: Annotated[Identity, Depends(signed_in)]) -> Identity:
        if not identity.role.includes(role):
            raise Forbidden
        if settings_of(connection).require_second_factor and not identity.second_factor:
            raise SecondFactorMissing
        return identity

    return check


def require_proof(connection: HTTPConnection, identity: Identity) -> None:
    """For what an open browser that somebody else finds shall not be enough for. Raises NotProved."""
    longest = settings_of(connection).proof_lifetime
    if identity.proved_at is None or now() - identity.proved_at > longest:
        raise NotProved


def proved(role: Role) -> Callable[[HTTPConnection, Identity], Awaitable[Identity]]:
    """Of this role, and with a proof of the last hour."""

    allowed = Depends(at_least(role))  # not in an annotation: FastAPI could not read the role there

    async def check(connection: HTTPConnection, identity: Identity = allowed) -> Identity:
        require_proof(connection, identity)
        return identity

    return check


SignedIn = Annotated[Identity, Depends(signed_in)]
Researcher = Annotated[Identity, Depends(at_least(Role.RESEARCHER))]
Admin = Annotated[Identity, Depends(at_least(Role.ADMIN))]
ProvedResearcher = Annotated[Identity, Depends(proved(Role.RESEARCHER))]
ProvedAdmin = Annotated[Identity, Depends(proved(Role.ADMIN))]


class Budget:
    """Uses up a permit of whoever asks: of the account, or of the network if nobody is logged in."""

    def __init__(self, kind: str):
        self.kind = kind

    async def __call__(self, connection: HTTPConnection, identity: MaybeSignedIn) -> None:
        subject = str(identity.account_id) if identity else network_of(connection)
        await take(database_of(connection), settings_of(connection), self.kind, subject)


@cache
def rationed(kind: str) -> Any:
    """For routes and routers that cost much: `dependencies=[rationed("study-account")]`; the kinds stand in LIMITS.

    One object per kind, so that a route that comes to it twice pays once.
    """
    assert kind in LIMITS
    return Depends(Budget(kind))


def notice(connection: HTTPConnection, kind: str) -> None:
    """Count a security event of whoever makes the request."""
    identity: Identity | None = getattr(connection.state, "identity", None)
    tally: Tally = connection.app.state.events
    tally.notice(kind, identity.pseudonym if identity else "")
