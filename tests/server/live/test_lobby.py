"""The lobby over real websockets: who is seated, with whom, and how one gets out."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import AsyncExitStack

import httpx
import pytest
from sqlalchemy import select, text
from websockets.asyncio.client import ClientConnection, connect

from server.base.settings import Settings
from server.live.config import LiveConfig
from server.live.models import Match, MatchSeat
from server.live.wire import messages as wire
from server.matchmaking.lobby import Found, Lobby, Wait, drawn_company
from server.matchmaking.seating import Seating
from server.storage.database import Database
from server.study.settings import StudySettings, change_setting
from tests.server.live.clients import PATIENCE, Visitor, visitors
from tests.server.live.conftest import LocalServer, serving

GAME = "jostle:standard"


async def enter(stack: AsyncExitStack, server: LocalServer, visitor: Visitor) -> ClientConnection:
    address = f"{server.url.replace('http', 'ws', 1)}/live/lobby"
    socket = await stack.enter_async_context(connect(address, additional_headers=visitor.headers))
    await socket.send(wire.Join(game=GAME).model_dump_json())
    return socket


async def answer(socket: ClientConnection) -> wire.LobbyServerMessage:
    return wire.LOBBY_SERVER.validate_json(await asyncio.wait_for(socket.recv(), PATIENCE))


async def seated(socket: ClientConnection) -> int:
    """The match that follows the first answer."""
    while not isinstance(message := await answer(socket), wire.Seated):
        assert isinstance(message, wire.Waiting)
    return int(message.match)


async def persons_in(database: Database, match: int) -> set[int]:
    async with database.sessions() as session:
        found = await session.scalars(select(MatchSeat.person_id).where(MatchSeat.match_id == match))
        return {person for person in found if person is not None}


async def test_two_who_wait_sit_together_with_one_program(
    database: Database, settings: Settings, live_environment: pytest.MonkeyPatch
) -> None:
    live_environment.setenv("GRINTU_LIVE_DEPARTURES", "false")  # two are seated as soon as they are two
    people = await visitors(database, settings, 2)
    async with database.transaction() as session:
        await change_setting(session, "waiting_time", 600, changed_by="test")  # a slow machine seats nobody alone
    async with serving(settings) as server, AsyncExitStack() as stack:
        sockets = [await enter(stack, server, one) for one in people]
        (match,) = {await seated(socket) for socket in sockets}
    assert await persons_in(database, match) == {one.person_id for one in people}
    async with database.sessions() as session:
        programs = select(MatchSeat.seat).where(MatchSeat.match_id == match, MatchSeat.person_id.is_(None))
        assert len((await session.scalars(programs)).all()) == 1


async def test_one_who_waits_alone_sits_with_two_programs(
    server: LocalServer, database: Database, settings: Settings
) -> None:
    (person,) = await visitors(database, settings, 1)
    async with AsyncExitStack() as stack:
        socket = await enter(stack, server, person)
        first = await answer(socket)
        assert isinstance(first, wire.Waiting)
        assert first.waited_ms <= first.at_most_ms
        match = await seated(socket)
    assert await persons_in(database, match) == {person.person_id}
    async with database.sessions() as session:
        strategies = list(await session.scalars(select(MatchSeat.strategy).where(MatchSeat.match_id == match)))
        panel = [member["name"] for member in (await session.scalars(select(Match.panel))).one()]
    assert len([one for one in strategies if one]) == 2
    assert {one for one in strategies if one} <= set(panel)
    assert len(panel) == 8


async def test_who_plays_is_sent_back_to_the_match(server: LocalServer, database: Database, settings: Settings) -> None:
    (person,) = await visitors(database, settings, 1)
    async with AsyncExitStack() as stack:
        match = await seated(await enter(stack, server, person))
        again = await answer(await enter(stack, server, person))
        assert again == wire.Seated(match=str(match))


@pytest.fixture
def patient_lobby(database: Database) -> Lobby:
    """Waiting times of hours, so that nobody is due before the test says so."""
    return Lobby(database, Seating(LiveConfig(pace=1000)), "test")


async def make_due(database: Database, *people: Visitor) -> None:
    async with database.transaction() as session:
        statement = text("UPDATE lobby_places SET due_at = now() - interval '1 s' WHERE person_id = ANY(:people)")
        await session.execute(statement, {"people": [one.person_id for one in people]})


async def test_leaving_is_possible_at_any_time(
    server: LocalServer, database: Database, settings: Settings, patient_lobby: Lobby
) -> None:
    (person,) = await visitors(database, settings, 1)
    async with AsyncExitStack() as stack:
        await patient_lobby.join(person.person_id, GAME)
        socket = await enter(stack, server, person)
        await socket.send(wire.Leave().model_dump_json())
        while not isinstance(message := await answer(socket), wire.Left):
            assert isinstance(message, wire.Waiting)
        await socket.wait_closed()
        assert socket.close_code == 1000
    await make_due(database, person)
    assert await patient_lobby.seat_those_due() == {}


async def test_nobody_is_seated_with_a_ghost(database: Database, settings: Settings, patient_lobby: Lobby) -> None:
    present, ghost = await visitors(database, settings, 2)
    await patient_lobby.join(ghost.person_id, GAME)
    await patient_lobby.join(present.person_id, GAME)
    async with database.transaction() as session:
        statement = text("UPDATE lobby_places SET beat_at = now() - interval '20 s' WHERE person_id = :ghost")
        await session.execute(statement, {"ghost": ghost.person_id})
    await make_due(database, present, ghost)
    matches = await patient_lobby.seat_those_due()
    assert list(matches) == [present.person_id]
    assert await persons_in(database, matches[present.person_id]) == {present.person_id}


async def test_a_reload_keeps_the_time_waited(database: Database, settings: Settings, patient_lobby: Lobby) -> None:
    (person,) = await visitors(database, settings, 1)
    await patient_lobby.join(person.person_id, GAME)
    async with database.transaction() as session:
        await session.execute(text("UPDATE lobby_places SET since = now() - interval '90 s'"))
    again = await patient_lobby.join(person.person_id, GAME)
    assert isinstance(again, Wait)
    assert again.waited >= 90


async def test_partners_are_new_as_long_as_there_are_new_ones(
    database: Database, settings: Settings, patient_lobby: Lobby
) -> None:
    people = await visitors(database, settings, 4)
    met: Counter[frozenset[int]] = Counter()
    for _ in range(6):
        for one in people:
            assert isinstance(await patient_lobby.join(one.person_id, GAME), Wait)
        await make_due(database, *people)
        matches = await patient_lobby.seat_those_due()
        assert len(matches) == 4
        for match in set(matches.values()):
            met[frozenset(await persons_in(database, match))] += 1
        async with database.transaction() as session:
            await session.execute(text("UPDATE matches SET ended_at = now()"))
    assert len(met) == 6, "four people make six pairs, each used before one is repeated"
    assert set(met.values()) == {2}


async def test_several_processes_seat_everybody_exactly_once(
    database: Database, settings: Settings, patient_lobby: Lobby
) -> None:
    people = await visitors(database, settings, 20)
    for one in people:
        await patient_lobby.join(one.person_id, GAME)
    await make_due(database, *people)
    rivals = [Lobby(database, patient_lobby.seating, f"process {number}") for number in range(4)]
    results = await asyncio.gather(*(rival.seat_those_due() for rival in rivals))
    taken = Counter(person for result in results for person in result)
    assert taken == Counter(one.person_id for one in people)
    async with database.sessions() as session:
        places = list(await session.scalars(select(MatchSeat.person_id).where(MatchSeat.person_id.is_not(None))))
    assert Counter(places) == taken


async def test_someone_in_a_match_does_not_wait_for_another(
    database: Database, settings: Settings, patient_lobby: Lobby
) -> None:
    (person,) = await visitors(database, settings, 1)
    await patient_lobby.join(person.person_id, GAME)
    await make_due(database, person)
    matches = await patient_lobby.seat_those_due()
    assert await patient_lobby.beat(person.person_id) == Found(matches[person.person_id])


# ------------------------------------------------------------------------------------------ several games, company

TIC_TAC_TOE = "tic-tac-toe:standard"


@pytest.fixture
async def two_games(database: Database) -> None:
    async with database.transaction() as session:
        await change_setting(session, "games", [GAME, TIC_TAC_TOE], changed_by="test")


async def drawn(database: Database, company: float) -> None:
    async with database.transaction() as session:
        await change_setting(session, "company", company, changed_by="test")


async def seated_events(database: Database) -> dict[int, dict[str, int]]:
    """Seated persons and what was kept of it."""
    rows = await database.pool.fetch(
        "SELECT s.person_id, e.details FROM match_events e JOIN match_seats s USING (match_id, seat) "
        "WHERE e.kind = 'seated'"
    )
    return {row[0]: json.loads(row[1]) for row in rows}


@pytest.mark.usefixtures("two_games")
async def test_people_sit_together_who_want_the_same(
    database: Database, settings: Settings, patient_lobby: Lobby
) -> None:
    await drawn(database, 1.0)
    people = await visitors(database, settings, 4)
    wishes = [GAME, TIC_TAC_TOE, GAME, TIC_TAC_TOE]
    for one, game in zip(people, wishes, strict=True):
        assert isinstance(await patient_lobby.join(one.person_id, game), Wait)
    await make_due(database, *people)
    matches = await patient_lobby.seat_those_due()
    ids = [one.person_id for one in people]
    assert matches[ids[0]] == matches[ids[2]] != matches[ids[1]] == matches[ids[3]]
    async with database.sessions() as session:
        games = {match.id: match.game for match in await session.scalars(select(Match))}
    assert [games[matches[person]] for person in ids] == wishes
    kept = await seated_events(database)
    assert {(kept[person]["drawn"], kept[person]["got"]) for person in ids} == {(2, 2)}


@pytest.mark.usefixtures("two_games")
async def test_who_drew_a_program_meets_one_whoever_is_around(
    database: Database, settings: Settings, patient_lobby: Lobby
) -> None:
    people = await visitors(database, settings, 3)
    await drawn(database, 0.0)
    for one in people[:2]:
        await patient_lobby.join(one.person_id, TIC_TAC_TOE)
    await drawn(database, 1.0)
    await patient_lobby.join(people[2].person_id, TIC_TAC_TOE)
    await make_due(database, *people)
    matches = await patient_lobby.seat_those_due()
    assert len(set(matches.values())) == 3, "they drew differently, or nobody"
    kept = await seated_events(database)
    assert [(kept[one.person_id]["drawn"], kept[one.person_id]["got"]) for one in people] == [(1, 1), (1, 1), (2, 1)]


def test_company_is_drawn_as_often_as_the_study_says() -> None:
    drawn_at_two = Counter(drawn_company(2, StudySettings(company=0.25)) for _ in range(4000))
    assert set(drawn_at_two) == {1, 2}
    assert 850 < drawn_at_two[2] < 1150
    alike = {drawn_company(3, StudySettings(company=share)) for share in (0.0, 0.5, 1.0)}
    assert alike == {2}, "where three play, one is a program unless the study says otherwise"
    at_four = [drawn_company(4, StudySettings(programs_at_table=programs)) for programs in range(4)]
    assert at_four == [4, 3, 2, 1]
    assert [drawn_company(seats, StudySettings(programs_at_table=3)) for seats in (1, 3)] == [1, 1], "who joins sits"


@pytest.mark.usefixtures("two_games")
async def test_who_wants_something_else_begins_to_wait_anew(
    database: Database, settings: Settings, patient_lobby: Lobby
) -> None:
    (person,) = await visitors(database, settings, 1)
    await patient_lobby.join(person.person_id, GAME)
    await database.pool.execute("UPDATE lobby_places SET since = now() - interval '90 s'")
    again = await patient_lobby.join(person.person_id, TIC_TAC_TOE)
    assert isinstance(again, Wait)
    assert again.waited < 60
    assert await database.pool.fetchval("SELECT game FROM lobby_places") == TIC_TAC_TOE


async def test_a_game_that_is_not_offered_is_refused(
    server: LocalServer, database: Database, settings: Settings
) -> None:
    (person,) = await visitors(database, settings, 1)
    address = f"{server.url.replace('http', 'ws', 1)}/live/lobby"
    async with connect(address, additional_headers=person.headers) as socket:
        for message in (wire.Beat(), wire.Join(game=TIC_TAC_TOE), wire.Join(game="chess")):
            await socket.send(message.model_dump_json())
            refused = await answer(socket)
            assert isinstance(refused, wire.Problem)
            assert refused.code == "not_offered"
    async with httpx.AsyncClient(base_url=server.url, headers={**person.headers, "accept": "text/html"}) as browser:
        assert (await browser.get("/lobby", params={"game": TIC_TAC_TOE})).status_code == 404
        assert (await browser.get("/lobby", params={"game": "jostle"})).status_code == 200


@pytest.mark.usefixtures("two_games")
async def test_the_page_asks_which_game_only_if_there_are_several(
    server: LocalServer, database: Database, settings: Settings
) -> None:
    (person,) = await visitors(database, settings, 1)
    async with httpx.AsyncClient(base_url=server.url, headers={**person.headers, "accept": "text/html"}) as browser:
        choice = (await browser.get("/lobby")).text
        assert "/lobby?game=tic-tac-toe%3Astandard" in choice
        assert "/lobby?game=jostle%3Astandard" in choice
        assert f'data-game="{TIC_TAC_TOE}"' in (await browser.get("/lobby", params={"game": TIC_TAC_TOE})).text
        async with database.transaction() as session:
            await change_setting(session, "games", [TIC_TAC_TOE], changed_by="test")
        assert f'data-game="{TIC_TAC_TOE}"' in (await browser.get("/lobby")).text
