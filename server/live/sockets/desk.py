"""What a match socket may say, and the answer to each message. Nothing in here waits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from pydantic import ValidationError

from games.protocol import GameError
from server.base.clock import now
from server.live.models import Source
from server.live.records.interactions import Page
from server.live.records.screens import Seen
from server.live.sockets.connection import Connection
from server.live.tables.house import House
from server.live.tables.table import Table
from server.live.tables.telling import ended_message, state_for, told_panel
from server.live.wire import messages as wire

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
    elif message.ply < ply and was_played(table, seat, message):
        connection.send(state_for(table, seat, message.ply, now().timestamp()))
    elif table.ended:
        refuse(connection, "match_over", "the match is over", ply)
    elif message.ply != ply:
        refuse(connection, "wrong_ply", f"the match is at ply {ply}, the move is for ply {message.ply}", ply)
    elif not table.started:
        refuse(connection, "not_started", "the match has not begun yet", ply)
    elif seat not in table.choices:
        refuse(connection, "wrong_turn", "it is another seat's turn", ply)
    elif table.choices[seat].forced is not None:
        refuse(connection, "illegal_move", "there is no choice: the referee moves", ply)
    elif seat in table.sealed:
        repeat_sealed(table, connection, message)
    else:
        try:
            house.choose(table, seat, message.move, Source.PERSON)
        except GameError as error:
            refuse(connection, "illegal_move", str(error), ply)


def was_played(table: Table, seat: int, message: wire.Play) -> bool:
    """Whether this is the seat's move of the turn that began at this ply: others may have moved in the same turn."""
    for ply in range(message.ply, min(message.ply + len(table.places), table.ply)):
        if table.movers[ply] == seat:
            return table.moves[ply] == message.move
    return False


def repeat_sealed(table: Table, connection: Connection, message: wire.Play) -> None:
    sealed = table.sealed[connection.seat].move
    if sealed == message.move:
        connection.send(wire.Sealed(ply=table.ply, move=sealed))
    else:
        refuse(connection, "sealed", "this seat has chosen already", table.ply)


def propose(house: House, table: Table, connection: Connection, message: wire.Propose) -> None:
    """Kept if it is for the present ply and another seat that chooses; whether it is used is never told."""
    expected = len(told_panel(table))
    if len(message.choices) != expected:
        reason = f"choices: expected one for each of the {expected} members of the panel"
        refuse(connection, "bad_message", f"{reason}, got {len(message.choices)}", table.ply)
    elif (
        expected
        and message.ply == table.ply
        and not table.busy
        and message.seat != connection.seat
        and table.chooses(message.seat)
    ):
        house.clockwork.thinkers.proposed(table, connection.seat, message.seat, message.choices)


def note(house: House, table: Table, connection: Connection, message: wire.Log) -> None:
    house.scribe.note(Page.of(table.match, connection.person_id, message))


def screen(house: House, table: Table, connection: Connection, message: wire.Screen) -> None:
    house.scribe.saw(Seen(table.match, connection.seat, connection.person_id, message))


ANSWERS: Final[dict[type, Answer]] = {
    wire.Hello: hello,
    wire.Screen: screen,
    wire.Play: play,
    wire.Propose: propose,
    wire.Log: note,
}
