"""What pages tell above everything else while it holds: that no match begins, that data are simulated.

A domain that can say whether something holds registers it by a name; `_notices.html` has the words:

    @notice("maintenance")
    async def closed(session: AsyncSession) -> bool: ...
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from sqlalchemy.ext.asyncio import AsyncSession
from starlette.applications import Starlette
from starlette.requests import HTTPConnection

from server.storage.outages import outages_suppressed
from server.web.dependencies import database_of
from server.web.rendering import wants_page

SECONDS: Final = 2.0
"""Every process asks once in so long, however many pages it shows."""

Asks = Callable[[AsyncSession], Awaitable[bool]]
_ASKED: Final[dict[str, Asks]] = {}


@dataclass(frozen=True)
class Known:
    """What held when it was asked last."""

    until: float
    names: frozenset[str] = frozenset()


def notice(name: str) -> Callable[[Asks], Asks]:
    def register(asks: Asks) -> Asks:
        _ASKED[name] = asks
        return asks

    return register


async def know(connection: HTTPConnection) -> None:
    """Find out before a page is shown. While the database is away, what was known stays."""
    if connection.scope["type"] != "http" or not wants_page(connection):
        return
    known: Known = getattr(connection.app.state, "notices", Known(0.0))
    if known.until < time.monotonic():
        with outages_suppressed():
            async with database_of(connection).glances() as session:
                names = frozenset([name for name, asks in _ASKED.items() if await asks(session)])
            known = Known(time.monotonic() + SECONDS, names)
        connection.app.state.notices = known
    connection.state.notices = known.names


def forget(app: Starlette) -> None:
    """Whoever has changed something of it wants to see that at once."""
    app.state.notices = Known(0.0)
