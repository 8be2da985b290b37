"""A match from the first die to the book, over real websockets."""

from __future__ import annotations

import asyncio

from sqlalchemy import select
from sqlalchemy.orm import selectinload

from games import dice
from games.book import read_book, replay
from games.registry import game
from server.live.models import Match
from server.live.records.matches import match_book
from server.storage.database import Database
from tests.server.live.clients import at_random
from tests.server.live.conftest import Seat


async def finished(database: Database, match_id: int) -> Match:
    async with database.sessions() as session:
        query = select(Match).where(Match.id == match_id)
        return (await session.scalars(query.options(selectinload(Match.seats), selectinload(Match.moves)))).one()


async def test_two_persons_and_a_program_play_to_the_end(database: Database, seat: Seat) -> None:
    party = await seat(persons=2)
    for client in party.clients:
        await client.open()
    await asyncio.gather(*(client.play_on(at_random(number)) for number, client in enumerate(party.clients)))

    first, second = party.clients
    assert first.ended is not None
    assert first.ended == second.ended
    assert first.moves == second.moves
    assert first.problems == second.problems == []

    match = await finished(database, party.match)
    assert [move.move for move in match.moves] == first.moves
    assert [move.ply for move in match.moves] == list(range(len(first.moves)))
    assert match.scores == first.ended.scores

    told = replay(read_book(match_book(match, None)))
    assert told.over
    assert list(told.position.scores()) == match.scores
    pieces = [move for move in first.moves if move.startswith("p") and move != "pass"]
    assert [str(move) for move in told.moves if str(move).startswith("p") and str(move) != "pass"] == pieces

    verdict = dice.verify(game(match.game), match.dice_seed.hex(), match.commitment, first.moves)
    assert verdict.fair
    assert verdict.dice > 10
