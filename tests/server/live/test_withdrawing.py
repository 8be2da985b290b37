"""Who withdraws the consent is out at once: of the match, of the lobby, and of the questionnaires."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest
from sqlalchemy import select

from server.accounts.models import Account
from server.accounts.owndata import ERASERS, erase
from server.accounts.service import delete_account
from server.base.settings import Settings
from server.downloads.service import forget
from server.exports.orders import forget_all
from server.live.models import MatchMove, Source
from server.live.records.interactions import Page, keep, read_batch
from server.live.tables.leaving import leave_tables
from server.live.wire import messages as wire
from server.matchmaking.personal import leave_lobby
from server.storage.database import Database
from server.study.consent import ConsentKind, decide
from tests.server.live.clients import SeatClient, Visitor, at_random, visitors
from tests.server.live.conftest import Seat, serving
from tests.server.live.test_clocks import events_of, seats_of
from tests.server.live.test_lobby import answer, enter
from tests.server.live.test_record import Reader, batch, played_match
from tests.server.live.test_whole_match import finished
from tests.servers import PageClient


async def withdraw(database: Database, person: Visitor) -> None:
    async with database.transaction() as session:
        await decide(session, person.person_id, {ConsentKind.PLAY_DATA: False})


async def delete(database: Database, person: Visitor) -> None:
    async with database.transaction() as session:
        account = await session.scalar(select(Account.id).where(Account.person_id == person.person_id))
        assert account is not None
        await delete_account(session, account)


@pytest.mark.parametrize("leave", [withdraw, delete])
@pytest.mark.parametrize("game", ["jostle:standard", "tricks:standard"])
async def test_a_stand_in_plays_on_at_once(database: Database, seat: Seat, game: str, leave: object) -> None:
    """Nobody waits for a clock: these last half an hour."""
    party = await seat(persons=2, game=game)
    leaver, other = party.clients
    await leaver.open()
    await other.open()
    playing = asyncio.create_task(other.play_on(at_random("other")))
    listening = asyncio.create_task(leaver.listen())
    await leaver.until(lambda: leaver.my_turn)
    await leave(database, leaver.visitor)  # type: ignore[operator]  # one of the two functions above
    await leaver.until(lambda: leaver.replaced)
    await listening
    assert leaver.socket is not None
    assert leaver.socket.close_code == 1000
    again = SeatClient(leaver.url, leaver.match, leaver.visitor)
    await again.open()
    await again.listen()
    assert [one.code for one in again.problems] in (["replaced"], ["session_expired"])

    await playing
    assert other.ended is not None
    assert not other.replaced
    match = await finished(database, party.match)
    places = await seats_of(database, party.match)
    assert places[leaver.seat].replaced_at is not None
    assert places[leaver.seat].strategy == match.panel[places[leaver.seat].member or 0]["name"]
    assert places[other.seat].replaced_at is None
    assert "replaced" in await events_of(database, party.match, leaver.seat)
    async with database.sessions() as session:
        moves = select(MatchMove.source).where(MatchMove.match_id == party.match, MatchMove.seat == leaver.seat)
        assert set(await session.scalars(moves)) <= {Source.SERVER, Source.PROPOSAL, Source.FORCED}


async def test_who_waits_is_not_seated_any_more(
    database: Database, settings: Settings, live_environment: pytest.MonkeyPatch
) -> None:
    live_environment.setenv("GRINTU_LIVE_PACE", "10000")  # nobody is seated before the test is over
    (person,) = await visitors(database, settings, 1)
    async with serving(settings) as server, AsyncExitStack() as stack:
        socket = await enter(stack, server, person)
        assert isinstance(await answer(socket), wire.Waiting)
        await withdraw(database, person)
        assert await database.pool.fetchval("SELECT count(*) FROM lobby_places") == 0
        await socket.send(wire.Beat().model_dump_json())
        refused = await answer(socket)
        assert isinstance(refused, wire.Problem)
        assert refused.code == "consent_missing"
        await socket.wait_closed()
        assert socket.close_code == 4403
    assert await database.pool.fetchval("SELECT count(*) FROM matches") == 0


async def test_answers_are_refused(database: Database, settings: Settings, client: PageClient) -> None:
    first, second = await visitors(database, settings, 2)
    match = await played_match(database, [first, second])
    reader = Reader(client, first)
    address = f"/matches/{match}/questionnaire"
    assert (await reader.get(address)).status_code == 200
    given = b'{"item": "human", "seat": %d, "value": "yes", "shown_ms": 1}'
    await withdraw(database, first)
    kept = "SELECT (SELECT count(*) FROM answers), (SELECT count(*) FROM judgements)"
    before = await database.pool.fetchrow(kept)
    for path, body, kind in (
        (f"{address}/answers", given % 0, "application/json"),
        (address, b"then=finish", "application/x-www-form-urlencoded"),
        ("/account/profile", b"age=30", "application/x-www-form-urlencoded"),
    ):
        refused = await reader.send(path, body, **{"content-type": kind})
        assert refused.status_code == 403, path
        assert "consent" in refused.text
    assert await database.pool.fetchrow(kept) == before
    async with database.transaction() as session:
        await decide(session, first.person_id, {ConsentKind.PLAY_DATA: True})
    assert (await reader.get(address)).status_code == 200, "who agrees again may answer again"


@pytest.mark.parametrize("left", ["withdrawn", "replaced"])
async def test_nothing_more_is_logged_of_who_has_left(
    database: Database, settings: Settings, client: PageClient, left: str
) -> None:
    """Also not of somebody who left the tick of the interaction log where it was; by the address and by the socket."""
    first, second = await visitors(database, settings, 2)
    match = await played_match(database, [first, second])
    address, reader = f"/api/matches/{match}/interactions", Reader(client, first)
    assert (await reader.send(address, batch(0))).status_code == 204
    if left == "withdrawn":
        await withdraw(database, first)
    else:
        replace = "UPDATE match_seats SET replaced_at = now() WHERE match_id = $1 AND person_id = $2"
        await database.pool.execute(replace, match, first.person_id)
    assert (await reader.send(address, batch(1))).status_code == (403 if left == "withdrawn" else 410)
    both = [Page.of(match, person.person_id, read_batch(batch(2), "")) for person in (first, second)]
    async with database.transaction() as session:
        await keep(session, both)
    kept = await database.pool.fetch("SELECT person_id, number FROM interaction_batches ORDER BY number")
    assert [tuple(row) for row in kept] == [(first.person_id, 0), (second.person_id, 2)]


async def test_the_erasers_are_those_that_the_page_tells_of(database: Database, settings: Settings) -> None:
    """Leaving is all that withdrawing the play data does, but for prepared copies: what was recorded stays."""
    first, second = await visitors(database, settings, 2)
    match = await played_match(database, [first, second])
    async with database.transaction() as session:
        await erase(session, first.person_id, "play_data")
    assert set(ERASERS["play_data"]) == {leave_tables, leave_lobby, forget, forget_all}
    assert set(ERASERS["account"]) > {leave_tables, leave_lobby}
    assert await database.pool.fetchval("SELECT count(*) FROM match_moves WHERE match_id = $1", match)
    assert not await database.pool.fetchval("SELECT count(*) FROM match_seats WHERE replaced_at IS NOT NULL")
