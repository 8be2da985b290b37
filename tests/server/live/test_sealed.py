"""Seats that choose at the same time: what each has chosen lies sealed until the last one has, whatever happens."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import select

from games import registry
from games.protocol import CHANCE, Late, Tempo
from server.base.settings import Settings
from server.live.models import MatchEvent, SealedMove, Source
from server.live.wire import messages as wire
from server.rules.service import add_source
from server.storage.database import Database
from tests.games import diggers
from tests.server.live.clients import PATIENCE, SeatClient, at_random
from tests.server.live.conftest import LocalServer, Seat, new_party
from tests.server.live.test_any_game import play_out
from tests.server.live.test_two_processes import two_servers
from tests.server.live.test_whole_match import finished
from tests.servers import LiveServer

__all__ = ["two_servers"]  # a fixture

TRICKS = "tricks:standard"


@asynccontextmanager
async def listening(*clients: SeatClient) -> AsyncIterator[None]:
    """All of them connected, until the end."""
    tasks = []
    for client in clients:
        await client.open()
        tasks.append(asyncio.create_task(client.listen()))
    try:
        yield
    finally:
        for client in clients:
            assert client.socket is not None
            await client.socket.close()
        await asyncio.gather(*tasks)


async def sealed_rows(database: Database, match: int) -> dict[int, str]:
    async with database.sessions() as session:
        rows = await session.scalars(select(SealedMove).where(SealedMove.match_id == match))
        return {row.seat: row.move for row in rows}


async def play(client: SeatClient) -> str:
    move = client.legal[0]
    await client.say(wire.Play(ply=client.ply, move=move))
    return move


async def test_two_people_play_five_tricks(database: Database, seat: Seat) -> None:
    party = await seat(persons=2, game=TRICKS)
    match = await play_out(database, party)
    assert [move.seat for move in match.moves] == [CHANCE, *[0, 1] * 5]
    chosen = [move.source for move in match.moves[1:-2]]
    assert set(chosen) == {Source.PERSON}
    assert {move.source for move in match.moves[-2:]} == {Source.FORCED}, "the last card is no choice"
    rows = await database.pool.fetch("SELECT ply, seat, move FROM sealed_moves ORDER BY ply, seat")
    assert [(row["ply"] + row["seat"], row["move"]) for row in rows] == [
        (move.ply, move.move) for move in match.moves[1:-2]
    ]


async def test_a_person_and_a_program_play_five_tricks(database: Database, seat: Seat) -> None:
    party = await seat(persons=1, game=TRICKS)
    match = await play_out(database, party)
    (client,) = party.clients
    assert client.panel == [], "a browser would have to know what others hold"
    assert match.programs_think == "server"
    sources = {move.seat: set() for move in match.moves if move.seat >= 0}  # type: dict[int, set[str]]
    for move in match.moves[1:-2]:
        sources[move.seat].add(move.source)
    assert sources == {client.seat: {Source.PERSON}, 1 - client.seat: {Source.SERVER}}


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_what_is_sealed_is_told_to_its_seat_alone_whoever_is_first(
    database: Database, seat: Seat, order: tuple[int, int]
) -> None:
    party = await seat(persons=2, game=TRICKS)
    async with listening(*party.clients):
        await asyncio.gather(*(client.until(lambda c=client: c.my_turn) for client in party.clients))  # type: ignore[misc]  # mypy does not see the default argument
        by_seat = {client.seat: client for client in party.clients}
        first, second = (by_seat[seat] for seat in order)
        heard = len(second.received)
        move = await play(first)
        await first.until(lambda: first.sealed == move)
        assert await sealed_rows(database, party.match) == {first.seat: move}

        await first.say(wire.Play(ply=first.ply, move=move))  # once more: nothing changes
        await first.until(lambda: len(first.of_type(wire.Sealed)) == 2)
        await first.say(wire.Play(ply=first.ply, move=first.legal[1]))
        await first.until(lambda: bool(first.problems))
        assert first.problems[0].code == "sealed"

        again = SeatClient(first.url, first.match, first.visitor)  # a reloaded page
        async with listening(again):
            await again.until(lambda: again.seat >= 0)
            state = again.of_type(wire.State)[0]
            assert state.sealed == move
            assert state.legal == []
            assert state.acting == [0, 1]
        await second.say(wire.Hello(ply=0))
        await second.until(lambda: len(second.of_type(wire.State)) == 2)
        assert second.of_type(wire.State)[-1].sealed is None
        told = second.received[heard:]
        assert [type(one.message) for one in told] == [wire.State], "nobody else learns that somebody has chosen"

        other = await play(second)
        for client in (first, second):
            await client.until(lambda c=client: c.ply == 3)  # type: ignore[misc]  # as above
            assert client.moves[1:] == [move, other][:: 1 if order == (0, 1) else -1]
            assert client.sealed is None
        assert second.of_type(wire.Sealed) == [wire.Sealed(ply=1, move=other)]


async def test_a_move_that_is_not_legal_is_not_sealed(database: Database, seat: Seat) -> None:
    party = await seat(persons=2, game=TRICKS)
    async with listening(*party.clients):
        client = party.clients[0]
        await client.until(lambda: client.my_turn)
        foreign = next(str(card) for card in range(1, 13) if str(card) not in client.legal)
        for move in (foreign, "13", "deal 1,2,3,4,5/6,7,8,9,10", "x, (y z)"):
            known = len(client.problems)
            await client.say(wire.Play(ply=client.ply, move=move))
            await client.until(lambda: len(client.problems) > known)  # noqa: B023 - awaited before the next round
            assert client.problems[-1].code == "illegal_move"
    assert await sealed_rows(database, party.match) == {}


async def test_who_was_replaced_after_choosing_has_chosen(database: Database, server: LocalServer, seat: Seat) -> None:
    party = await seat(persons=2, game=TRICKS)
    leaver, stayer = party.clients
    async with listening(*party.clients):
        await asyncio.gather(*(client.until(lambda c=client: c.my_turn) for client in party.clients))  # type: ignore[misc]  # mypy does not see the default argument
        move = await play(leaver)
        await leaver.until(lambda: leaver.sealed == move)
        table = server.live.house.tables[party.match]
        await server.live.house.clockwork.replace(table, leaver.seat, "grace")
        await leaver.until(lambda: leaver.replaced)
        await play(stayer)
        await stayer.until(lambda: stayer.ply == 3)
        assert stayer.moves[1 + leaver.seat] == move
        match = await finished(database, party.match)
        assert match.seats[leaver.seat].strategy == match.panel[match.seats[leaver.seat].member or 0]["name"]


# ------------------------------------------------------------------------------------------------ processes that die


async def test_what_lies_sealed_is_opened_by_whoever_is_left(
    two_servers: tuple[LiveServer, LiveServer], database: Database, settings: Settings
) -> None:
    """Both have chosen at a process that is killed before it can open what they chose."""
    first, second = two_servers
    party = await new_party(database, settings, first.url, persons=2, game=TRICKS)
    blocking = await database.pool.acquire()
    transaction = blocking.transaction()
    moves = []
    async with listening(*party.clients):
        await asyncio.gather(*(client.until(lambda c=client: c.my_turn) for client in party.clients))  # type: ignore[misc]  # mypy does not see the default argument
        await transaction.start()
        await blocking.execute("LOCK TABLE match_moves IN SHARE MODE")  # sealing goes on, opening does not
        for client in party.clients:
            moves.append(await play(client))
            await client.until(lambda c=client: c.sealed is not None)  # type: ignore[misc]  # as above
        assert len(await sealed_rows(database, party.match)) == 2
        os.kill(first.process.pid, signal.SIGKILL)
        first.process.wait(PATIENCE)
    await transaction.rollback()
    await database.pool.release(blocking)

    back = [SeatClient(second.url, one.match, one.visitor) for one in party.clients]
    for client in back:
        await client.open()
    await asyncio.gather(*(client.play_on(at_random(number)) for number, client in enumerate(back)))
    assert all(client.ended is not None for client in back)
    match = await finished(database, party.match)
    seats = [client.seat for client in back]
    assert [match.moves[1 + seat].move for seat in seats] == moves, "what was acknowledged was played"
    assert {move.source for move in match.moves[1:3]} == {Source.PERSON}


async def test_two_processes_seal_at_the_same_time(
    two_servers: tuple[LiveServer, LiveServer], database: Database, settings: Settings
) -> None:
    first, second = two_servers
    party = await new_party(database, settings, first.url, persons=2, game=TRICKS)
    party.clients[1].url = second.url
    await play_out(database, party)


# ---------------------------------------------------------------------------------------------- games with a beat


@pytest.fixture
async def digging(database: Database) -> AsyncIterator[str]:
    registry.KINDS[diggers.KEY] = diggers.KIND
    async with database.transaction() as session:
        reference = (await add_source(session, diggers.KEY, "treasure", "", "test")).reference
    registry._learnt.clear()  # a process that has to read the source in the database
    yield reference
    del registry.KINDS[diggers.KEY]


async def test_the_default_move_of_who_is_late_is_made_and_the_seat_kept(
    database: Database, seat: Seat, digging: str
) -> None:
    party = await seat(persons=3, game=digging)
    idlers = party.clients
    for client in idlers:
        await client.open()
    await asyncio.gather(*(client.listen_to_the_end() for client in idlers))
    match = await finished(database, party.match)
    assert match.game == digging
    assert [(move.seat, move.move, move.source) for move in match.moves[1:]] == [
        (seat, "(wait)", Source.DEFAULT) for seat in range(3)
    ], "whoever waits in the first beat is out"
    assert all(one.replaced_at is None for one in match.seats)
    assert not any(client.of_type(wire.Asked) for client in idlers)
    async with database.sessions() as session:
        kinds = set(await session.scalars(select(MatchEvent.kind).where(MatchEvent.match_id == match.id)))
    assert not kinds & {"asked", "replaced"}


async def test_three_seats_choose_at_once_and_one_of_them_is_late(
    database: Database, seat: Seat, digging: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diggers.Diggers, "tempo", Tempo(clock_ms=150_000, late=Late.DEFAULT))
    party = await seat(persons=3, game=digging)
    *players, idler = party.clients
    for client in party.clients:
        await client.open()

    async def dig(client: SeatClient) -> str:
        return client.legal[client.seat]

    await asyncio.gather(idler.listen_to_the_end(), *(client.play_on(dig) for client in players))
    match = await finished(database, party.match)
    beat = match.moves[1:4]
    assert [move.seat for move in beat] == [0, 1, 2]
    assert {move.source for move in beat if move.seat != idler.seat} == {Source.PERSON}
    assert beat[idler.seat].source == Source.DEFAULT
    assert [move.move for move in beat if move.seat != idler.seat] == [
        str(diggers.DIGS[seat]) for seat in range(3) if seat != idler.seat
    ]
    assert [move.seat for move in match.moves[4:]] == [seat for seat in range(3) if seat != idler.seat]
