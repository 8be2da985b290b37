"""What breaks outside of a match does not break the match: lost connections to the database, a false obituary, a clock
that is moved back. The chaos test breaks all of it at once; here each is seen by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

import pytest
import websockets
from sqlalchemy import text

from server.base.clock import system_clock, use_clock
from server.live.models import Source
from server.storage.database import Database, connect
from tests.server.live.clients import PATIENCE, at_random
from tests.server.live.conftest import LocalServer, Seat
from tests.server.live.test_whole_match import finished

CUT = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE :q"
)


async def until(happened: Callable[[], Awaitable[object]]) -> None:
    async with asyncio.timeout(2 * PATIENCE):
        while True:
            if await happened():
                return
            await asyncio.sleep(0.1)


async def test_moves_are_written_although_the_database_hangs_up_again_and_again(database: Database, seat: Seat) -> None:
    party = await seat(persons=1)
    (player,) = party.clients
    await player.open()
    playing = asyncio.create_task(player.play_on(at_random("player")))
    for ply in (5, 15, 25, 35):
        await player.until(lambda: player.ply > ply)  # noqa: B023 - awaited before the next round
        async with database.sessions() as session:
            await session.execute(CUT, {"q": "%UPDATE matches m%"})
    await playing
    assert player.ended is not None, "the same tab played to the end"
    match = await finished(database, party.match)
    assert [move.move for move in match.moves] == player.moves
    assert all(one.replaced_at is None for one in match.seats)
    assert {move.source for move in match.moves if move.seat == player.seat} <= {Source.PERSON, Source.FORCED}


async def test_who_waits_while_the_database_is_away_is_told_to_try_again(server: LocalServer, seat: Seat) -> None:
    (player,) = (await seat(persons=1)).clients
    address = f"{server.url.replace('http', 'ws', 1)}/live/lobby"
    async with (
        connect("postgresql://nobody:none@127.0.0.1:1/none?sslmode=disable") as away,
        websockets.connect(address, additional_headers=player.visitor.headers) as socket,
    ):
        server.matchmaking.lobby = replace(server.matchmaking.lobby, database=away)
        await socket.send('{"type":"join","game":"jostle:standard"}')
        with pytest.raises(websockets.ConnectionClosedError) as told:
            await socket.recv()
    assert told.value.rcvd is not None
    assert told.value.rcvd.code == 1013


async def test_a_process_that_was_taken_for_dead_says_who_is_there(
    database: Database, server: LocalServer, seat: Seat
) -> None:
    party = await seat(persons=1)
    (player,) = party.clients
    await player.open()
    listening = asyncio.create_task(player.listen())
    where = {"match": party.match, "seat": player.seat}
    await player.until(lambda: player.seat >= 0)
    where["seat"] = player.seat

    async def is_here() -> bool:
        async with database.sessions() as session:
            known = text("SELECT count(*) FROM seat_connections WHERE match_id = :match AND seat = :seat")
            gone = text("SELECT gone_at IS NOT NULL FROM match_seats WHERE match_id = :match AND seat = :seat")
            return bool(await session.scalar(known, where)) and not await session.scalar(gone, where)

    await until(is_here)
    async with database.transaction() as session:  # what another process does that has not heard of this one for long
        await session.execute(text("DELETE FROM live_processes"))
        await session.execute(text("UPDATE match_seats SET gone_at = now() WHERE match_id = :match"), where)
    await until(is_here)
    assert player.socket is not None
    await player.socket.close()
    await listening


async def test_nobody_waits_for_a_clock_to_catch_up_that_was_moved_back(
    database: Database, server: LocalServer, seat: Seat
) -> None:
    party = await seat(persons=1, grace_seconds=60)
    (player,) = party.clients
    await player.open()
    playing = asyncio.create_task(player.play_on(at_random("player")))
    await player.until(lambda: player.ply > 10)
    with use_clock(lambda: system_clock() - timedelta(hours=1)):
        table = server.live.house.tables[party.match]
        server.live.house.changed_elsewhere(party.match)  # read again, with deadlines that are an hour ahead
        await playing
        assert player.ended is not None
    assert table.ended
    match = await finished(database, party.match)
    assert all(move.ms >= 0 for move in match.moves)
