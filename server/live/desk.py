"""What a match socket may say, and the answer to each message. Nothing in here waits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from pydantic import ValidationError

from games.protocol import OVER, GameError
from server.clock import now
from server.live import wire
from server.live.connection import Connection
from server.live.house import House
from server.live.interactions import Page
from server.live.models import Source
from server.live.table import FORCED, Table, ended_message, state_for

Answer = Callable[[House, Table, Connection, Any], None]


def receive(house: House, table: Table, connection: Connection, text: str) -> bool:
    """Handle one frame; False if it is no message at all."""
    try:
        message = wire.MATCH_CLIENT.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        refuse(connection, "bad_message", f"{place}: {first['msg']}" if place else first["msg"], table.ply)
        return False
    ANSWERS[type(message)](house, table, connection, message)
    return True


def refuse(connection: Connection, code: wire.ErrorCode, message: str, ply: int | None = None) -> None:
    connection.send(wire.Problem(code=code, message=message[:300], ply=ply))


def hello(_house: House, table: Table, connection: Connection, message: wire.Hello) -> None:
    connection.send(state_for(table, connection.seat, message.ply, now().timestamp()))
    if table.ended:
        connection.send(ended_message(table))


def play(house: House, table: Table, connection: Connection, message: wire.Play) -> None:
    """A move counts for the ply it names and no other; sent twice, it counts once."""
    if table.busy:
        table.deferred.append(partial(play, house, table, connection, message))
        return
    ply, seat = table.ply, connection.seat
    if table.places[seat].replaced:
        refuse(connection, "replaced", "a stand-in plays this seat", ply)
    elif message.ply < ply and table.moves[message.ply] == message.move:
        connection.send(state_for(table, seat, message.ply, now().timestamp()))
    elif table.position.to_act == OVER:
        refuse(connection, "match_over", "the match is over", ply)
    elif message.ply != ply:
        refuse(connection, "wrong_ply", f"the match is at ply {ply}, the move is for ply {message.ply}", ply)
    elif ply == 0:
        refuse(connection, "not_started", "the first die has not fallen yet", ply)
    elif table.position.to_act != seat:
        refuse(connection, "wrong_turn", "it is another seat's turn", ply)
    elif table.legal == FORCED:
        refuse(connection, "illegal_move", "there is no choice: the referee passes", ply)
    else:
        try:
            house.play(table, message.move, Source.PERSON)
        except GameError as error:
            refuse(connection, "illegal_move", str(error), ply)


def propose(house: House, table: Table, connection: Connection, message: wire.Propose) -> None:
    """Kept if it is for the present ply and another seat; whether it is used is never told."""
    if len(message.choices) != len(table.panel):
        expected = f"choices: expected one for each of the {len(table.panel)} members of the panel"
        refuse(connection, "bad_message", f"{expected}, got {len(message.choices)}", table.ply)
    elif message.ply == table.ply and not table.busy and table.position.to_act not in (connection.seat, OVER):
        house.clockwork.proposed(table, connection.seat, message.choices)


def note(house: House, table: Table, connection: Connection, message: wire.Log) -> None:
    house.scribe.note(Page.of(table.match, connection.person_id, message))


ANSWERS: Final[dict[type, Answer]] = {wire.Hello: hello, wire.Play: play, wire.Propose: propose, wire.Log: note}
