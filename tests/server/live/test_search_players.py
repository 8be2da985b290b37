"""Search players at live tables: a study names them, they think apart, and what they saw is stored and shown."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from npc.levels import LEVELS
from server.base.errors import InvalidInput
from server.base.settings import Settings
from server.live.config import LiveConfig
from server.live.models import MatchDecision, MatchMove, Source
from server.matchmaking.population import population
from server.matchmaking.seating import Seating
from server.matchmaking.selection import Request, Selection
from server.programs.service import is_heavy
from server.storage.database import Database
from server.study.settings import change_setting, read_setting
from tests.server.live.clients import PATIENCE, SeatClient, at_random, visitors
from tests.server.live.conftest import LocalServer

SEARCH = "mcts:simulations=40 random_error=0.1"
AHEAD = "minimax:nodes=50"


async def test_a_study_names_players_of_any_kind(session: AsyncSession) -> None:
    await change_setting(session, "games", "tic-tac-toe, tricks", changed_by="test")
    written = f"{SEARCH}; {AHEAD}, composed:winning searcher\nmcts:simulations=1000"
    await change_setting(session, "players", written, changed_by="test")
    named = await read_setting(session, "players")
    assert named == [SEARCH, AHEAD, "composed:Winning SEARCHER", "mcts:"]
    assert set(named) <= set((await population(session, "tic-tac-toe:standard")).strategies)
    playing = set((await population(session, "tricks:standard")).strategies)
    assert {SEARCH, "mcts:"} <= playing
    assert AHEAD not in playing, "it cannot play games with secrets"


async def test_levels_are_met_in_live_matches_under_what_they_mean(session: AsyncSession) -> None:
    await change_setting(session, "games", "tic-tac-toe", changed_by="test")
    await change_setting(session, "players", "club, master", changed_by="test")
    named = await read_setting(session, "players")
    assert named == [LEVELS["club"], LEVELS["master"]]
    assert set(named) <= set((await population(session, "tic-tac-toe:standard")).strategies)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("mcts:rave=9999", "rave takes whole numbers from 0 to 5000, not 9999"),
        ("Winning SEARCHER", "a player is written composed:"),
        ("prolog:move(a1).", "Rule bases are put into play"),
        (["program:python\nprint(1)"], "take part in tournaments only"),
    ],
)
async def test_players_that_cannot_be_read_are_refused(
    session: AsyncSession, written: str | list[str], reason: str
) -> None:
    with pytest.raises(InvalidInput, match=reason):
        await change_setting(session, "players", written, changed_by="test")


@pytest.mark.parametrize("game", ["tic-tac-toe:standard", "tricks:standard"])
async def test_a_search_player_plays_to_the_end_and_what_it_saw_is_stored(
    server: LocalServer, database: Database, settings: Settings, game: str
) -> None:
    async def against_the_search(session: AsyncSession, request: Request, rng: random.Random) -> Selection:
        return Selection((SEARCH, "Winning RANDOMIZER"), (0,))

    (person,) = await visitors(database, settings, 1)
    async with database.transaction() as session:
        await change_setting(session, "programs_think", "server", changed_by="test")
        match = await Seating(LiveConfig(), against_the_search).seat(session, [person.person_id], game=game)
        match_id = match.id
        assert [member["player"] for member in match.panel] == [SEARCH, "composed:Winning RANDOMIZER"]
    assert is_heavy(SEARCH, game, "")
    client = SeatClient(server.url, str(match_id), person)
    await client.open()
    await client.play_on(at_random(1))
    assert client.ended is not None

    async with database.sessions() as session:
        moves = select(MatchMove).where(MatchMove.match_id == match_id, MatchMove.source == Source.SERVER)
        played = [move.move for move in await session.scalars(moves.order_by(MatchMove.ply))]
    assert played
    async with asyncio.timeout(PATIENCE):
        while len(stored := await decisions(database, match_id)) < len(played):  # noqa: ASYNC110 - the server writes them
            await asyncio.sleep(0.1)
    assert [each["move"] for each in stored] == played
    chosen = [each for each in stored if each["values"]]
    assert chosen, "there was something to choose"
    for each in chosen:
        assert each["move"] in [move for move, _ in each["values"]]
        assert all(0 <= value <= 100 for _, value in each["values"])
        assert each["explanation"].startswith("Saw 40 games; ")
        assert each["fault"] is None


async def decisions(database: Database, match: int) -> list[dict[str, Any]]:
    async with database.sessions() as session:
        query = select(MatchDecision.decision).where(MatchDecision.match_id == match).order_by(MatchDecision.ply)
        return list(await session.scalars(query))
