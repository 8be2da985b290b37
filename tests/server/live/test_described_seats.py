"""People play described games with one seat and with four, from the lobby to the questionnaire's door."""

from __future__ import annotations

import httpx
import pytest

from npc import practice
from server.base.settings import Settings
from server.live.config import LiveConfig
from server.live.models import Source
from server.matchmaking.lobby import Lobby, Wait
from server.matchmaking.seating import Seating
from server.rules.service import add_source
from server.storage.database import Database
from server.study.settings import change_setting
from tests.server.live.clients import visitors
from tests.server.live.conftest import LocalServer, Seat
from tests.server.live.test_any_game import play_out
from tests.server.workshop.described import FOUR_SEATS, ONE_SEAT


async def added(database: Database, source: str) -> str:
    async with database.transaction() as session:
        return (await add_source(session, "gdl", source, "", "test")).reference


@pytest.mark.parametrize(("source", "persons", "seats"), [(ONE_SEAT, 1, 1), (FOUR_SEATS, 3, 4), (FOUR_SEATS, 1, 4)])
async def test_it_is_played_to_its_end(
    database: Database, server: LocalServer, seat: Seat, source: str, persons: int, seats: int
) -> None:
    reference = await added(database, source)
    party = await seat(persons=persons, game=reference)
    match = await play_out(database, party)
    assert len(match.seats) == len(match.scores or ()) == seats
    async with httpx.AsyncClient(base_url=server.url, headers=party.clients[0].visitor.headers) as browser:
        asked = await browser.get(f"/matches/{match.id}/questionnaire")
        assert asked.status_code == 200
        assert asked.text.count('data-item="verdict"') == seats - 1, "everybody else is judged"
        assert (await browser.get(f"/matches/{match.id}")).status_code == 200
    by_programs = [move for move in match.moves if move.source not in (Source.PERSON, Source.FORCED)]
    assert bool(by_programs) == (persons < seats)


@pytest.mark.parametrize(("source", "at_once"), [(ONE_SEAT, True), (FOUR_SEATS, False)])
async def test_who_plays_alone_waits_for_nobody(
    database: Database, settings: Settings, source: str, at_once: bool
) -> None:
    reference = await added(database, source)
    (visitor,) = await visitors(database, settings, 1)
    async with database.transaction() as session:
        await change_setting(session, "games", [reference], changed_by="test")
        await change_setting(session, "waiting_time", 600, changed_by="test")
    lobby = Lobby(database, Seating(LiveConfig(departures=True)), "test")
    assert isinstance(await lobby.join(visitor.person_id, reference), Wait)
    assert (visitor.person_id in await lobby.seat_those_due()) == at_once


@pytest.mark.parametrize(("source", "seats"), [(ONE_SEAT, 1), (FOUR_SEATS, 4)])
async def test_it_can_be_practised(database: Database, source: str, seats: int) -> None:
    reference = await added(database, source)
    told = practice.advance(reference, "s", [])
    moves = [move for update in told["updates"] for move in update["moves"]]
    while not told["over"]:
        moves.append(told["legal"][0])
        told = practice.advance(reference, "s", moves)
        moves += [move for update in told["updates"] for move in update["moves"]][1:]
    assert len(told["scores"]) == len(told["players"]) == seats
