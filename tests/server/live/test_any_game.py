"""Games that are not like the first one: two seats, no dice, no choice, moves of any length."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from sqlalchemy import select

from games import dice, registry
from games.book import read_book, replay
from games.registry import game
from server.live.models import Due, Match, MatchDecision, Source
from server.live.records.matches import match_book
from server.live.wire import messages as wire
from server.storage.database import Database
from server.study.settings import change_setting
from tests.server.live import longwinded
from tests.server.live.clients import PATIENCE, SeatClient, at_random
from tests.server.live.conftest import LocalServer, Party, Seat
from tests.server.live.test_whole_match import finished

TIC_TAC_TOE = "tic-tac-toe:standard"


@pytest.fixture
def long_winded() -> Iterator[str]:
    registry.KINDS[longwinded.KEY] = longwinded.KIND
    yield f"{longwinded.KEY}:standard"
    del registry.KINDS[longwinded.KEY]


async def play_out(database: Database, party: Party) -> Match:
    """Everybody plays at random to the end, and the record is what everybody was told."""
    for client in party.clients:
        await client.open()
    await asyncio.gather(*(client.play_on(at_random(number)) for number, client in enumerate(party.clients)))
    match = await finished(database, party.match)
    for client in party.clients:
        assert client.ended is not None
        assert client.problems == []
        assert len(client.moves) == len(match.moves)
        assert client.ended.scores == match.scores
    assert [move.ply for move in match.moves] == list(range(len(match.moves)))
    told = replay(read_book(match_book(match, None)))
    assert told.over
    assert list(told.position.winners()) == match.winners
    assert dice.verify(
        game(match.game), match.dice_seed.hex(), match.commitment, [move.move for move in match.moves]
    ).fair
    return match


async def test_tic_tac_toe_by_two_people(database: Database, seat: Seat) -> None:
    party = await seat(persons=2, game=TIC_TAC_TOE)
    match = await play_out(database, party)
    assert match.game == TIC_TAC_TOE
    assert {move.source for move in match.moves} <= {Source.PERSON, Source.FORCED}
    assert [move.seat for move in match.moves] == [ply % 2 for ply in range(len(match.moves))]
    for client in party.clients:
        for message in client.of_type(wire.Moves):
            assert message.shown.grid is not None
            assert not message.legal or client.seat in message.acting
            assert [move for move, _, _ in message.shown.grid.moves] == message.legal


async def decisions_of(database: Database, match: int) -> list[MatchDecision]:
    async with database.sessions() as session:
        query = select(MatchDecision).where(MatchDecision.match_id == match).order_by(MatchDecision.ply)
        return list(await session.scalars(query))


@pytest.mark.parametrize("where", ["browsers", "server"])
async def test_tic_tac_toe_by_a_person_and_a_program(database: Database, seat: Seat, where: str) -> None:
    async with database.transaction() as session:
        await change_setting(session, "programs_think", where, changed_by="test")
    party = await seat(persons=1, game=TIC_TAC_TOE)
    match = await play_out(database, party)
    (client,) = party.clients
    assert bool(client.panel) == (where == "browsers"), "nothing about players is sent where the server computes"
    (program,) = [one for one in match.seats if one.strategy is not None]
    played = [(move.ply, move.move) for move in match.moves if move.source == Source.SERVER]
    assert played, "no browser has proposed anything"
    async with asyncio.timeout(PATIENCE):
        while len(stored := await decisions_of(database, match.id)) < len(played):  # noqa: ASYNC110 - the server writes them
            await asyncio.sleep(0.1)
    assert [(one.ply, one.decision["move"]) for one in stored] == played
    assert {one.player for one in stored} == {program.strategy}
    assert all(one.decision["explanation"] for one in stored)


async def test_a_proposal_is_nonsense_where_programs_think_on_the_server(database: Database, seat: Seat) -> None:
    async with database.transaction() as session:
        await change_setting(session, "programs_think", "server", changed_by="test")
    (client,) = (await seat(persons=1)).clients
    await client.open()
    listening = asyncio.create_task(client.listen())
    await client.until(lambda: client.seat >= 0)
    await client.say(wire.Propose(ply=client.ply, seat=(client.seat + 1) % 3, choices=["p0"]))
    await client.until(lambda: bool(client.problems))
    assert client.problems[0].code == "bad_message"
    assert client.socket is not None
    await client.socket.close()
    await listening


async def test_a_match_that_begins_with_a_choice_begins_once(
    database: Database, server: LocalServer, seat: Seat
) -> None:
    """Before its time nobody can move; the beginning is told with nothing played; and it cannot be repeated."""
    party = await seat(persons=2, game=TIC_TAC_TOE)
    async with database.transaction() as session:
        match = await session.get_one(Match, party.match)
        assert (match.ply, match.due) == (0, Due.START)
    house = server.live.house
    table = await house.table(party.match)
    assert table is not None
    early = SeatClient(server.url, str(party.match), party.clients[0].visitor)
    await early.open()
    listening = asyncio.create_task(early.listen())
    await early.until(lambda: bool(early.of_type(wire.State)))
    first = early.of_type(wire.State)[0]
    if first.starts_ms:
        assert first.acting == []
        assert first.legal == []
    await early.until(lambda: bool(early.acting))
    assert early.ply == 0
    begun = [message for message in early.of_type(wire.Moves) if not message.moves]
    assert len(begun) <= 1
    assert table.started
    assert table.ply == 0

    due = await database.pool.fetchrow("SELECT ply, due, due_at FROM matches WHERE id = $1", party.match)
    table.started = False  # another process that has not heard of the beginning
    house.begin(table)
    await asyncio.sleep(0.5)
    assert await database.pool.fetchrow("SELECT ply, due, due_at FROM matches WHERE id = $1", party.match) == due
    assert table.started, "it has read the table again"
    assert early.socket is not None
    await early.socket.close()
    await listening


async def test_who_has_no_choice_is_moved_for_and_moves_may_be_long(
    database: Database, seat: Seat, long_winded: str
) -> None:
    """Both act at once, but only one has a choice: nothing is sealed, and nobody waits for the other."""
    party = await seat(persons=2, game=long_winded)
    match = await play_out(database, party)
    assert [move.seat for move in match.moves] == [0, 1] * longwinded.TURNS
    for move in match.moves:
        speaker = (move.ply // 2) % 2
        assert move.source == (Source.PERSON if move.seat == speaker else Source.FORCED)
        assert (move.move == "noop") == (move.seat != speaker)
    assert {len(move.move) for move in match.moves} == {4, 200}
    async with database.sessions() as session:
        assert await session.scalar(select(Match.ended_at).where(Match.id == match.id)) is not None
    assert await database.pool.fetchval("SELECT count(*) FROM sealed_moves") == 0
    for client in party.clients:
        own = [message for message in client.of_type(wire.Moves) if message.legal]
        assert all("noop" not in message.legal for message in own), "nobody is asked where there is no choice"
