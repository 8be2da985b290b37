"""What a seat looked at is kept with the match: the first word of its person counts, and nobody is told."""

from __future__ import annotations

import asyncio

from sqlalchemy import select

from server.live.config import LiveConfig
from server.live.models import Match, MatchSeat
from server.live.wire import messages as wire
from server.storage.database import Database
from server.study.settings import change_setting
from tests.server.live.conftest import LocalServer, Seat
from tests.server.live.test_hostile_clients import opened, problem_of

PHONE = wire.Screen(
    board_shape="serpentine of 7 columns",
    language="de",
    device="phone",
    viewport_width=360,
    viewport_height=640,
    input="touch",
)
DESKTOP = PHONE.model_copy(update={"device": "desktop", "viewport_width": 1280, "input": "mouse"})


async def seats(database: Database, match: str) -> list[MatchSeat]:
    async with database.sessions() as session:
        query = select(MatchSeat).where(MatchSeat.match_id == int(match)).order_by(MatchSeat.seat)
        return list(await session.scalars(query))


async def test_the_board_has_the_pace_that_the_study_set_when_the_match_began(database: Database, seat: Seat) -> None:
    async with database.transaction() as session:
        await change_setting(session, "animation_speed", 4, changed_by="test")
    async with opened(await seat(2)) as clients:
        async with database.transaction() as session:
            await change_setting(session, "animation_speed", 1, changed_by="test")
        speed = 4 / LiveConfig().pace
        for client in clients:
            known = len(client.received)
            await client.say(wire.Hello(ply=client.ply))
            await client.until(lambda c=client, before=known: len(c.received) > before)  # type: ignore[misc]  # mypy does not see the default arguments
            told = [one.message.animation_speed for one in client.received if isinstance(one.message, wire.State)]
            assert len(told) > 1
            assert set(told) == {speed}, "at first, and after the study has changed it"
        async with database.sessions() as session:
            matches = await session.scalars(select(Match.animation_speed))
            assert list(matches) == [speed], "it is kept with the match"


async def test_the_first_screen_of_a_seat_is_kept(database: Database, server: LocalServer, seat: Seat) -> None:
    async with opened(await seat(1)) as (client,):
        known = len(client.received)
        await client.say(PHONE)
        await client.say(DESKTOP)
        await client.say(wire.Hello(ply=client.ply))
        await client.until(lambda: len(client.received) > known)
        assert not client.problems
        async with asyncio.timeout(60):
            while not any(one.device for one in await seats(database, client.match)):
                await server.live.house.scribe.write()
        for one in await seats(database, client.match):
            kept = (one.board_shape, one.language, one.device, one.viewport_width, one.viewport_height, one.input)
            told = ("serpentine of 7 columns", "de", "phone", 360, 640, "touch")
            assert kept == (told if one.person_id == client.visitor.person_id else (None,) * 6)
        wrong = PHONE.model_dump_json().replace("phone", "fridge")
        assert (await problem_of(client, wrong)).code == "bad_message"
