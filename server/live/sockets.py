"""The two websockets: the lobby and the match. Who may open them, and what limits hold on them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Final

from fastapi import APIRouter, Depends
from pydantic import ValidationError
from starlette.websockets import WebSocket

from server.accounts.dependencies import DatabaseOf, MaybeSignedIn
from server.accounts.sessions import Identity
from server.live import desk, wire
from server.live.config import LiveConfig
from server.live.connection import Connection
from server.live.lobby import Found, Wait
from server.live.runtime import Live
from server.study.consent import may_play

router = APIRouter()

MOST_BROKEN_MESSAGES: Final = 5


def live_of(socket: WebSocket) -> Live:
    live: Live = socket.app.state.live
    return live


LiveOf = Annotated[Live, Depends(live_of)]


async def frames(socket: WebSocket, connection: Connection, config: LiveConfig) -> AsyncIterator[str]:
    """The text frames that are within the limits, until the socket closes or is closed for breaking them."""
    warned = False
    while not connection.closed:
        event = await socket.receive()
        if event["type"] == "websocket.disconnect":
            return
        text: str | None = event.get("text")
        if text is None:
            connection.close(4400, "text frames only")
            return
        if len(text) > wire.MAX_FRAME:
            connection.close(1009, "frame too large")
            return
        if connection.allow(config.messages_per_second, config.message_burst):
            warned = False
            yield text
        elif connection.budget < -config.message_burst:
            connection.close(4429, "too many messages")
            return
        elif not warned:
            warned = True
            desk.refuse(connection, "too_fast", "too many messages; this one was dropped")


async def turn_away(socket: WebSocket, code: int, problem: wire.ErrorCode, message: str) -> None:
    """A browser can read a close code only of a socket that was open."""
    await socket.accept()
    await socket.send_text(wire.Problem(code=problem, message=message).model_dump_json())
    await socket.close(code)


async def allowed(socket: WebSocket, identity: Identity | None, database: DatabaseOf) -> Identity | None:
    """Who opens the socket, if logged in and agreeing to take part; others are turned away."""
    if identity is None:
        await turn_away(socket, 4401, "session_expired", "please log in")
        return None
    async with database.sessions() as session:
        if await may_play(session, identity.person_id):
            return identity
    await turn_away(socket, 4403, "consent_missing", "please read and accept the consent text first")
    return None


@router.websocket("/live/lobby")
async def lobby_socket(socket: WebSocket, live: LiveOf, found: MaybeSignedIn, database: DatabaseOf) -> None:
    identity = await allowed(socket, found, database)
    if identity is None:
        return
    await socket.accept()
    person = identity.person_id
    connection = Connection(socket, person, identity.session_id, budget=live.config.message_burst)
    live.waiting[person].add(connection)
    try:
        broken = 0
        async for text in frames(socket, connection, live.config):
            try:
                message = wire.LOBBY_CLIENT.validate_json(text)
            except ValidationError:
                broken += 1
                desk.refuse(connection, "bad_message", "expected join, beat or leave")
                if broken >= MOST_BROKEN_MESSAGES:
                    connection.close(4400, "broken messages")
                continue
            if isinstance(message, wire.Leave):
                await live.lobby.leave(person)
                connection.send(wire.Left())
                connection.close(1000, "left")
                break
            answer = await (live.lobby.join(person) if isinstance(message, wire.Join) else live.lobby.beat(person))
            connection.send(lobby_answer(answer))
    finally:
        connection.closed = True
        live.waiting[person].discard(connection)
        if not live.waiting[person]:
            del live.waiting[person]


def lobby_answer(answer: Wait | Found) -> wire.Waiting | wire.Seated:
    if isinstance(answer, Found):
        return wire.Seated(match=str(answer.match))
    return wire.Waiting(waited_ms=round(answer.waited * 1000), at_most_ms=round(answer.at_most * 1000))


@router.websocket("/live/matches/{match_id}")
async def match_socket(
    socket: WebSocket, match_id: int, live: LiveOf, found: MaybeSignedIn, database: DatabaseOf
) -> None:
    identity = await allowed(socket, found, database)
    if identity is None:
        return
    table = await live.house.table(match_id) if 0 < match_id < 2**63 else None
    if table is None:
        await turn_away(socket, 4404, "not_seated", "there is no such match")
        return
    seat = table.seat_of(identity.person_id)
    if seat is None:
        await turn_away(socket, 4403, "not_seated", "you do not sit in this match")
        return
    if table.places[seat].replaced:
        await turn_away(socket, 4403, "replaced", "a stand-in plays your seat")
        return
    await socket.accept()
    connection = Connection(socket, identity.person_id, identity.session_id, seat, budget=live.config.message_burst)
    await live.house.join(table, connection)
    broken = 0
    try:
        async for text in frames(socket, connection, live.config):
            if not desk.receive(live.house, table, connection, text):
                broken += 1
                if broken >= MOST_BROKEN_MESSAGES:
                    connection.close(4400, "broken messages")
    finally:
        await live.house.leave(table, connection)
