"""The websocket of a match, and what holds for every websocket: who may open it, and what limits there are.

They speak ASGI directly: at thousands of sockets, every layer between a table and its sockets counts.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, cast

import structlog
from starlette.routing import WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from server.base.errors import BadToken
from server.live.config import LiveConfig
from server.live.runtime import Live
from server.live.sockets import desk
from server.live.sockets.connection import Connection
from server.live.sockets.visitors import Visitor, find_visitor
from server.live.wire import messages as wire
from server.live.wire.frames import ShortWay, short_way
from server.storage.outages import is_outage
from server.web import csrf

log = structlog.get_logger()

MOST_BROKEN_MESSAGES: Final = 5
TRY_AGAIN: Final = 1013


class TurnedAway(NamedTuple):
    """Why somebody gets no socket."""

    code: int
    problem: wire.ErrorCode
    message: str


NOT_LOGGED_IN: Final = TurnedAway(4401, "session_expired", "please log in")
NO_MATCH: Final = TurnedAway(4404, "not_seated", "there is no such match")
NOT_SEATED: Final = TurnedAway(4403, "not_seated", "you do not sit in this match")
REPLACED: Final = TurnedAway(4403, "replaced", "a stand-in plays your seat")


class Visit(NamedTuple):
    """A socket that somebody who is logged in wants to open."""

    socket: WebSocket
    receive: Receive
    send: Send
    visitor: Visitor
    live: Live

    def connection(self, seat: int = -1, short: ShortWay | None = None) -> Connection:
        who, budget = self.visitor, self.live.config.message_burst
        way = short_way(self.socket.scope)
        abort = way.abort if way is not None else None
        return Connection(self.send, who.person_id, who.session_id, seat, budget=budget, short=short, abort=abort)


class Endpoint:
    """An ASGI application that lets only our own pages and people who are logged in come to `serve`."""

    def __init__(self, serve: Callable[[Visit], Awaitable[TurnedAway | None]]):
        self.serve = serve

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        socket = WebSocket(scope, receive, send)
        try:
            await csrf.check(socket)
        except BadToken:
            await socket.close()  # before being accepted: the browser gets 403
            return
        try:
            visitor = await find_visitor(socket)
            if visitor is None:
                await turn_away(socket, NOT_LOGGED_IN)
                return
            refusal = await self.serve(Visit(socket, receive, send, visitor, socket.app.state.live))
        except Exception as error:
            if not is_outage(error):
                raise
            log.warning("a socket is closed: database unreachable", path=scope["path"], reason=repr(error))
            await socket.close(TRY_AGAIN)
            return
        if refusal is not None:
            await turn_away(socket, refusal)


async def turn_away(socket: WebSocket, why: TurnedAway) -> None:
    """A browser can read a close code only of a socket that was open."""
    await socket.accept()
    await socket.send_text(wire.Problem(code=why.problem, message=why.message).model_dump_json())
    await socket.close(why.code)


@dataclass(slots=True)
class Gate:
    """The limits on what a socket sends, and what happens to it when it breaks them."""

    connection: Connection
    config: LiveConfig
    warned: bool = False
    broken: int = 0

    def admits(self, text: str | None) -> bool:
        """Whether a frame is within the limits; None is a frame of bytes."""
        connection, config = self.connection, self.config
        if connection.closed:
            return False
        if text is None:
            connection.close(4400, "text frames only")
        elif len(text) > wire.MAX_FRAME:
            connection.close(1009, "frame too large")
        elif connection.allow(config.messages_per_second, config.message_burst):
            self.warned = False
            return True
        elif connection.budget < -config.message_burst:
            connection.close(4429, "too many messages")
        elif not self.warned:
            self.warned = True
            desk.refuse(connection, "too_fast", "too many messages; this one was dropped")
        return False

    def complain(self) -> None:
        """A frame was no message; so many of them end the socket."""
        self.broken += 1
        if self.broken >= MOST_BROKEN_MESSAGES:
            self.connection.close(4400, "broken messages")

    async def frames(self, receive: Receive) -> AsyncIterator[str]:
        """The text frames that are within the limits, until the socket closes or is closed for breaking them."""
        while not self.connection.closed:
            event = await receive()
            if event["type"] == "websocket.disconnect":
                return
            text: str | None = event.get("text")
            if self.admits(text):
                yield cast("str", text)


async def serve_match(visit: Visit) -> TurnedAway | None:
    live, match = visit.live, visit.socket.path_params["match_id"]
    table = await live.house.table(match) if 0 < match < 2**63 else None
    if table is None:
        return NO_MATCH
    seat = table.seat_of(visit.visitor.person_id)
    if seat is None:
        return NOT_SEATED
    if table.places[seat].replaced:
        return REPLACED
    await visit.socket.accept()
    table = await live.house.table(match) or table  # it may have been let go of while the socket was being opened
    short = short_way(visit.socket.scope)
    connection = visit.connection(seat, short)
    gate = Gate(connection, live.config)

    def hear(text: str) -> None:
        if not desk.receive(live.house, table, connection, text):
            gate.complain()

    def hear_if_admitted(text: str) -> None:
        if gate.admits(text):
            hear(text)

    try:
        await live.house.join(table, connection)
        if short is not None:
            short.listener = hear_if_admitted
        async for text in gate.frames(visit.receive):
            hear(text)
    finally:
        if short is not None:
            short.listener = None
        await live.house.leave(table, connection)
    return None


ROUTE: Final = WebSocketRoute("/live/matches/{match_id:int}", Endpoint(serve_match), name="match_socket")
