"""Maintenance mode: nobody is seated any more, whoever waits is let go, and running matches are played to their end."""

from __future__ import annotations

from contextlib import AsyncExitStack

import httpx
from sqlalchemy import func, select

from server.base.clock import now
from server.base.settings import Settings
from server.live.models import Match
from server.live.wire import messages as wire
from server.matchmaking.models import LobbyPlace
from server.storage.database import Database
from server.study.settings import change_setting
from tests.server.live.clients import at_random, visitors
from tests.server.live.conftest import LocalServer, Seat
from tests.server.live.test_lobby import GAME, answer, enter


async def switch(database: Database, *, on: bool) -> None:
    async with database.transaction() as session:
        await change_setting(session, "maintenance", on, changed_by="test")


async def test_no_new_match_begins(server: LocalServer, database: Database, settings: Settings) -> None:
    (person,) = await visitors(database, settings, 1)
    await switch(database, on=True)
    async with AsyncExitStack() as stack:
        socket = await enter(stack, server, person)
        assert isinstance(await answer(socket), wire.Left)
    assert await server.matchmaking.lobby.seat_those_due() == {}
    async with httpx.AsyncClient(base_url=server.url, headers={**person.headers, "accept": "text/html"}) as browser:
        page = await browser.get("/lobby")
        assert page.status_code == 503
        assert "no new matches begin" in page.text
        await switch(database, on=False)
        assert (await browser.get("/lobby")).status_code == 200
    async with database.sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Match)) == 0
        assert await session.scalar(select(func.count()).select_from(LobbyPlace)) == 0


async def test_whoever_waits_already_is_not_seated_either(
    server: LocalServer, database: Database, settings: Settings
) -> None:
    (person,) = await visitors(database, settings, 1)
    await switch(database, on=True)
    async with database.transaction() as session:
        place = LobbyPlace(person_id=person.person_id, game=GAME, company=2, since=now(), due_at=now(), beat_at=now())
        session.add(place)
    assert await server.matchmaking.lobby.seat_those_due() == {}
    async with database.sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Match)) == 0
        assert await session.get(LobbyPlace, person.person_id) is not None


async def test_a_running_match_goes_on_to_its_end(server: LocalServer, database: Database, seat: Seat) -> None:
    party = await seat(persons=1)
    await switch(database, on=True)
    (client,) = party.clients
    assert not await server.matchmaking.lobby.is_closed(client.visitor.person_id), (
        "the way back to one's match stays open"
    )
    await client.open()
    await client.play_on(at_random(1))
    assert client.ended is not None
