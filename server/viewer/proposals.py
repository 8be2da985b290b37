"""Decisions that browsers computed and nobody checked: computed again and stored soon after the match.

The record then says why a program did what it did as of the day on which it was played, whoever looks at it later.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from concurrent.futures import Executor
from datetime import timedelta
from typing import Final

from sqlalchemy import select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from server.base.clock import now
from server.live.models import SIMULATED, Match, MatchDecision, Source
from server.rules.service import open_game
from server.viewer.choices import decisions_behind

RECENT: Final = timedelta(days=1)
"""Matches that ended earlier are left to whoever reads them first."""

UNEXPLAINED: Final = """
FROM matches m JOIN match_moves v ON v.match_id = m.id
WHERE v.source = 'proposal' AND NOT EXISTS (
    SELECT FROM match_decisions d
    WHERE d.match_id = v.match_id AND d.seat = v.seat AND d.ply BETWEEN v.ply - v.seat AND v.ply
      -- Seats that choose at once are asked at the ply of the first of them and move in their order.
      AND NOT EXISTS (SELECT FROM match_moves w WHERE w.match_id = v.match_id AND w.ply >= d.ply AND w.ply < v.ply
                                                  AND (w.seat < 0 OR w.seat >= v.seat)))
"""
WAITING: Final = text(
    "SELECT DISTINCT m.id " + UNEXPLAINED + "AND m.ended_at > :since AND NOT m.software LIKE :simulated ORDER BY m.id"
)
OF_MATCH: Final = text("SELECT v.ply, v.seat " + UNEXPLAINED + "AND m.id = :match ORDER BY v.ply")


async def waiting(session: AsyncSession) -> list[int]:
    """The matches that ended lately and have moves of programs without a decision; nobody played simulated ones."""
    return list(await session.scalars(WAITING, {"since": now() - RECENT, "simulated": f"%{SIMULATED}"}))


async def explain_proposals(session: AsyncSession, processes: Executor, match_id: int) -> int:
    """Store the decisions behind the proposals of a match; how many there were. The caller commits."""
    query = select(Match).where(Match.id == match_id).options(selectinload(Match.seats), selectinload(Match.moves))
    match = await session.scalar(query)
    if match is None:  # deleted meanwhile
        return 0
    game = await open_game(session, match.game)
    members = {seat.seat: seat.member for seat in match.seats if seat.member is not None}
    plies = defaultdict[int, list[int]](list)
    for ply, seat in await session.execute(OF_MATCH, {"match": match_id}):
        plies[members[seat]].append(ply)
    moves = [move.move for move in match.moves]
    assert all(match.moves[ply].source == Source.PROPOSAL for some in plies.values() for ply in some)
    made = 0
    for place, wanted in plies.items():
        member = match.panel[place]
        asked = (game.source, member["player"], match.game, member["seed"], wanted, moves)
        decided = await asyncio.get_running_loop().run_in_executor(processes, decisions_behind, *asked)
        rows = [
            {
                "match_id": match_id,
                "ply": ply,
                "seat": seat,
                "player": member["name"],
                "decision": decision,
                "at": now(),
            }
            for ply, seat, decision in decided
        ]
        if rows:
            await session.execute(insert(MatchDecision).on_conflict_do_nothing(), rows)
        made += len(rows)
    return made
