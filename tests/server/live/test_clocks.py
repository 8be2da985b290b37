"""Move clock, the question, grace time and stand-ins, at a fiftieth of their real length.

Whoever is to stay has long times, because a busy machine may keep anybody from connecting or moving for seconds.
"""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select, text

from server.live.models import MatchEvent, MatchSeat
from server.live.wire import messages as wire
from server.storage.database import Database
from tests.server.live.clients import PATIENCE, SeatClient, at_random
from tests.server.live.conftest import Seat
from tests.server.live.test_whole_match import finished


@pytest.fixture
def short_question(live_environment: pytest.MonkeyPatch) -> None:
    live_environment.setenv("GRINTU_LIVE_ASK_TIME", "PT2M")


async def seats_of(database: Database, match: int) -> list[MatchSeat]:
    async with database.sessions() as session:
        query = select(MatchSeat).where(MatchSeat.match_id == match).order_by(MatchSeat.seat)
        return list(await session.scalars(query))


async def events_of(database: Database, match: int, seat: int) -> list[str]:
    async with database.sessions() as session:
        query = select(MatchEvent.kind).where(MatchEvent.match_id == match, MatchEvent.seat == seat)
        return list(await session.scalars(query.order_by(MatchEvent.id)))


async def until_gone(database: Database, match: int, seat: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while (await seats_of(database, match))[seat].gone_at is None:  # noqa: ASYNC110 - the server writes it down
            await asyncio.sleep(0.05)


async def let_grace_time_pass(database: Database, match: int, seat: int) -> None:
    """As if the person had left so much earlier."""
    async with database.transaction() as session:
        await session.execute(
            text("""
                UPDATE match_seats SET gone_at = gone_at - m.grace_ms * interval '1 millisecond'
                FROM matches m WHERE m.id = match_id AND match_id = :match AND seat = :seat
            """),
            {"match": match, "seat": seat},
        )


@pytest.mark.usefixtures("short_question")
async def test_who_does_not_move_is_asked_once_and_then_replaced(database: Database, seat: Seat) -> None:
    party = await seat(persons=2)
    idler, player = party.clients
    await idler.open()
    await player.open()
    watching = asyncio.create_task(idler.listen())
    await player.play_on(at_random("player"))
    await watching

    assert player.ended is not None
    assert idler.replaced
    assert len(idler.of_type(wire.Asked)) == 1
    assert not player.of_type(wire.Asked), "nobody else learns that somebody was asked"
    seats = await seats_of(database, party.match)
    assert [one.replaced_at is not None for one in seats] == [one.seat == idler.seat for one in seats]
    stand_in = seats[idler.seat]
    assert stand_in.strategy is not None
    assert stand_in.strategy not in {one.strategy for one in seats if one.person_id is None}
    assert (await events_of(database, party.match, idler.seat))[-2:] == ["asked", "replaced"]


async def test_who_was_asked_and_moves_plays_on(database: Database, seat: Seat) -> None:
    party = await seat(persons=2)
    late, player = party.clients
    asked_before = 0

    async def only_when_asked_first(client: SeatClient) -> str:
        nonlocal asked_before
        if not asked_before:
            await client.until(lambda: bool(client.of_type(wire.Asked)))
            asked_before = 1
        return client.legal[0]

    await late.open()
    await player.open()
    await asyncio.gather(late.play_on(only_when_asked_first), player.play_on(at_random("player")))
    assert late.ended is not None
    assert not late.replaced
    assert all(one.replaced_at is None for one in await seats_of(database, party.match))


async def test_a_lost_connection_within_the_grace_time_loses_nothing(database: Database, seat: Seat) -> None:
    party = await seat(persons=2)
    lost, player = party.clients
    await player.open()
    playing = asyncio.create_task(player.play_on(at_random("player")))
    known = 0
    for _ in range(3):
        await lost.open()
        going = asyncio.create_task(lost.play_on(at_random(f"lost{known}")))
        await lost.until(lambda: lost.ply > known + 12)  # noqa: B023 - awaited before the next round
        assert lost.socket is not None
        lost.socket.transport.abort()
        await going
        known = lost.ply
    back = SeatClient(lost.url, lost.match, lost.visitor)  # a reloaded page knows nothing
    await back.open()
    await asyncio.gather(back.play_on(at_random("back")), playing)

    assert player.ended is not None
    assert back.ended is not None
    assert back.moves == player.moves
    match = await finished(database, party.match)
    assert [move.move for move in match.moves] == player.moves
    assert all(one.replaced_at is None for one in match.seats)
    assert {"left", "came"} <= set(await events_of(database, party.match, back.seat))


async def test_after_the_grace_time_a_stand_in_plays_to_the_end(database: Database, seat: Seat) -> None:
    party = await seat(persons=2)
    leaver, player = party.clients
    await leaver.open()
    await player.open()
    leaving = asyncio.create_task(leaver.play_on(at_random("leaver")))
    playing = asyncio.create_task(player.play_on(at_random("player")))
    await leaver.until(lambda: leaver.ply > 10)
    assert leaver.socket is not None
    await leaver.socket.close()
    await leaving
    await until_gone(database, party.match, leaver.seat)
    await player.until(lambda: player.acting == [leaver.seat])
    assert (await seats_of(database, party.match))[leaver.seat].replaced_at is None
    await let_grace_time_pass(database, party.match, leaver.seat)
    await playing
    assert player.ended is not None
    seats = await seats_of(database, party.match)
    assert [one.replaced_at is not None for one in seats] == [one.seat == leaver.seat for one in seats]

    await leaver.open()
    await leaver.listen()
    assert leaver.socket.close_code == 4403
    assert leaver.problems[-1].code == "replaced"


@pytest.mark.long
async def test_a_match_that_nobody_attends_still_ends(database: Database, seat: Seat) -> None:
    party = await seat(persons=1, grace_seconds=60)
    async with asyncio.timeout(PATIENCE):
        while (match := await finished(database, party.match)).ended_at is None:  # noqa: ASYNC110 - the server ends it
            await asyncio.sleep(0.2)
    assert match.scores is not None
    assert [one.replaced_at is not None for one in match.seats] == [one.person_id is not None for one in match.seats]
