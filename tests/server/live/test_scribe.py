"""The interaction log that comes over the match's socket: kept with consent, once, and never in anybody's way."""

from __future__ import annotations

import asyncio
import json
import zlib
from typing import Any

import pytest
from sqlalchemy import select

from server.live.models import InteractionBatch
from server.live.records import scribe
from server.live.records.interactions import Page
from server.live.records.scribe import Scribe
from server.live.wire import messages as wire
from server.storage.database import Database
from server.study.consent import ConsentKind, decide
from tests.server.live.conftest import LocalServer, Seat
from tests.server.live.test_hostile_clients import opened, problem_of

CLICK = wire.LoggedEvent(t=5, kind="click", x=3, y=-4, target="feld 7 ü")
KEY = wire.LoggedEvent(t=9, kind="key", key="Enter")


async def kept(database: Database) -> list[InteractionBatch]:
    async with database.sessions() as session:
        ordered = select(InteractionBatch).order_by(InteractionBatch.person_id, InteractionBatch.number)
        return list(await session.scalars(ordered))


async def soon_kept(database: Database, server: LocalServer) -> list[InteractionBatch]:
    """What is kept once something is: the server writes by itself, too, and may be about to."""
    async with asyncio.timeout(60):
        while not (found := await kept(database)):
            await server.live.house.scribe.write()
    return found


def page(match: str, person: int, number: int = 0) -> Page:
    return Page.of(int(match), person, wire.Log(number=number, events=[KEY]))


async def test_a_log_is_kept_once_for_those_who_agree(database: Database, server: LocalServer, seat: Seat) -> None:
    async with opened(await seat(2)) as clients:
        agrees, refuses = clients
        async with database.transaction() as session:
            await decide(session, refuses.visitor.person_id, {ConsentKind.INTERACTION_LOG: False})
        for client in clients:
            await client.say(wire.Log(number=0, events=[CLICK, KEY]))
            await client.say(wire.Log(number=0, events=[KEY]))
            known = len(client.received)
            await client.say(wire.Hello(ply=client.ply))
            await client.until(lambda c=client, n=known: len(c.received) > n)  # type: ignore[misc]  # mypy does not see the defaults
            assert not client.problems
        (one,) = await soon_kept(database, server)
        assert (one.match_id, one.person_id) == (int(agrees.match), agrees.visitor.person_id)
        assert json.loads(zlib.decompress(one.data)) == [
            {"t": 5, "kind": "click", "x": 3, "y": -4, "target": "feld 7 ü"},
            {"t": 9, "kind": "key", "key": "Enter"},
        ]
        for wrong in (
            '{"type":"log","number":400,"events":[]}',
            '{"type":"log","number":1,"events":[{"t":1,"kind":"?"}]}',
        ):
            assert (await problem_of(agrees, wrong)).code == "bad_message"


async def test_whoever_withdraws_while_a_page_is_being_kept_has_nothing_kept(
    database: Database, server: LocalServer, seat: Seat
) -> None:
    party = await seat(1)
    person = party.clients[0].visitor.person_id
    async with database.transaction() as withdrawing:
        await decide(withdrawing, person, {ConsentKind.INTERACTION_LOG: False})
        server.live.house.scribe.note(page(party.clients[0].match, person))
        writing = asyncio.create_task(server.live.house.scribe.write())
        await blocked(database)
    await writing
    assert await kept(database) == []


async def blocked(database: Database) -> None:
    """Wait until somebody waits for a lock of somebody else."""
    waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    async with asyncio.timeout(30):
        while not await database.pool.fetchval(waits):  # noqa: ASYNC110 - another process waits, without an event
            await asyncio.sleep(0.01)


async def test_pages_wait_for_a_database_that_is_away_but_not_without_limit(
    database: Database, server: LocalServer, seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = await seat(1)
    client = party.clients[0]
    away = Scribe(database)
    monkeypatch.setattr(scribe, "MOST_WAITING", 2)
    for number in range(3):
        away.note(page(client.match, client.visitor.person_id, number))

    async def nothing(*_: Any) -> None:
        raise ConnectionRefusedError

    with monkeypatch.context() as patch:
        patch.setattr(scribe, "keep", nothing)
        with pytest.raises(ConnectionRefusedError):
            await away.write()
    await away.write()
    assert [one.number for one in await kept(database)] == [0, 1]


async def test_a_page_of_a_match_that_is_gone_holds_up_nobody(
    database: Database, server: LocalServer, seat: Seat
) -> None:
    client = (await seat(1)).clients[0]
    writer = Scribe(database)
    writer.note(page("987654321", client.visitor.person_id))
    writer.note(page(client.match, client.visitor.person_id))
    await writer.write()
    assert [one.match_id for one in await kept(database)] == [int(client.match)]
