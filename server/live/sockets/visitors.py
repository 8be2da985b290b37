"""Who opens a socket: what server.accounts knows of a request, in one hand-written query.

After a restart everybody comes back at once, and the ORM would spend more on asking who they are than all the rest.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from starlette.websockets import WebSocket

from server.accounts.sessions import token_hash_of
from server.base.clock import now
from server.web.dependencies import database_of, settings_of

VISITOR: Final = """
SELECT a.person_id, s.id FROM account_sessions s JOIN accounts a ON a.id = s.account_id
WHERE s.token_hash = $1 AND s.expires_at > $2
"""


class Visitor(NamedTuple):
    """Somebody who is logged in."""

    person_id: int
    session_id: int


async def find_visitor(socket: WebSocket) -> Visitor | None:
    """Who the socket's cookie belongs to, if it is genuine, not expired and not revoked."""
    token_hash = token_hash_of(socket, settings_of(socket))
    if token_hash is None:
        return None
    row = await database_of(socket).pool.fetchrow(VISITOR, token_hash, now())
    return None if row is None else Visitor(*row)
