"""The lobby's websocket: whoever wants to play joins, says that he or she is still there, and hears of the seat."""

from __future__ import annotations

from typing import Final

from pydantic import ValidationError
from starlette.routing import WebSocketRoute

from server.live.sockets import desk
from server.live.sockets.endpoints import Endpoint, Gate, TurnedAway, Visit
from server.live.wire import messages as wire
from server.matchmaking.lobby import Answer, Found, NotAgreed, NotOffered
from server.matchmaking.runtime import Matchmaking
from server.study.consent import may_play
from server.web.dependencies import database_of

NO_CONSENT: Final = TurnedAway(4403, "consent_missing", "please read and accept the consent text first")


async def serve_lobby(visit: Visit) -> TurnedAway | None:
    """Who sits in a match has agreed to take part, so consent is asked for here only; who withdraws it leaves both."""
    live, person = visit.live, visit.visitor.person_id
    matchmaking: Matchmaking = visit.socket.app.state.matchmaking
    async with database_of(visit.socket).sessions() as session:
        if not await may_play(session, person):
            return NO_CONSENT
    await visit.socket.accept()
    connection = visit.connection()
    if len(live.waiting[person]) >= live.config.sockets_per_seat:
        live.waiting[person].pop().close(1000, "opened elsewhere")
    live.waiting[person].add(connection)
    gate = Gate(connection, live.config)
    game: str | None = None
    try:
        async for text in gate.frames(visit.receive):
            try:
                message = wire.LOBBY_CLIENT.validate_json(text)
            except ValidationError:
                desk.refuse(connection, "bad_message", "expected join, beat or leave")
                gate.complain()
                continue
            if isinstance(message, wire.Leave):
                await matchmaking.lobby.leave(person)
                connection.send(wire.Left())
                connection.close(1000, "left")
            elif await matchmaking.lobby.is_closed(person):
                await matchmaking.lobby.leave(person)
                connection.send(wire.Left())
                connection.close(1000, "maintenance")
            else:
                if isinstance(message, wire.Join):
                    game = message.game
                    answer = await matchmaking.lobby.join(person, game)
                else:
                    answer = await matchmaking.lobby.beat(person, game)
                connection.send(lobby_answer(answer))
                if isinstance(answer, NotAgreed):
                    connection.close(NO_CONSENT.code, NO_CONSENT.problem)
    finally:
        connection.closed = True
        live.waiting[person].discard(connection)
        if not live.waiting[person]:
            del live.waiting[person]
    return None


def lobby_answer(answer: Answer) -> wire.Waiting | wire.Seated | wire.Problem:
    if isinstance(answer, NotAgreed):
        return wire.Problem(code=NO_CONSENT.problem, message=NO_CONSENT.message)
    if isinstance(answer, Found):
        return wire.Seated(match=str(answer.match))
    if isinstance(answer, NotOffered):
        return wire.Problem(code="not_offered", message="this game is not offered here")
    return wire.Waiting(waited_ms=round(answer.waited * 1000), at_most_ms=round(answer.at_most * 1000))


ROUTE: Final = WebSocketRoute("/live/lobby", Endpoint(serve_lobby), name="lobby_socket")
