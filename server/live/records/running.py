"""The match that somebody is in the middle of, for the pages beside it: where it is, and what its clock says."""

from __future__ import annotations

from datetime import datetime, timedelta

from pydantic import BaseModel
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.base.clock import now
from server.live.models import Due, Match, MatchSeat, SealedMove
from server.rules.service import open_game


class RunningMatch(BaseModel):
    """Of whoever asks. `left_ms` is the time on the clock, or until the match begins."""

    match: str
    begins: bool
    """Whether it is still to begin."""
    your_move: bool
    left_ms: int


async def running_match(session: AsyncSession, person_id: int) -> RunningMatch | None:
    """None for who plays nowhere; whom a stand-in has replaced plays no more."""
    query = (
        select(Match, MatchSeat.seat)
        .join(MatchSeat, MatchSeat.match_id == Match.id)
        .where(MatchSeat.person_id == person_id, MatchSeat.replaced_at.is_(None), Match.ended_at.is_(None))
        .order_by(Match.id.desc())
        .limit(1)
    )
    found = (await session.execute(query)).first()
    if found is None:
        return None
    match, seat = found
    moment = now()
    if match.due == Due.START:
        left = _ms_until(match.starts_at, moment)
        return RunningMatch(match=str(match.id), begins=True, your_move=False, left_ms=left)
    ends = match.turn_at + timedelta(milliseconds=match.clock_ms)
    if match.due == Due.ASKED and match.due_seat == seat and match.due_at is not None:
        ends = match.due_at
    return RunningMatch(
        match=str(match.id),
        begins=False,
        your_move=await _chooses(session, match, seat),
        left_ms=_ms_until(ends, moment),
    )


def _ms_until(then: datetime, moment: datetime) -> int:
    return max(0, round((then - moment).total_seconds() * 1000))


async def _chooses(session: AsyncSession, match: Match, seat: int) -> bool:
    """Whether a seat has a choice now and has not chosen yet."""
    position = (await open_game(session, match.game)).position(match.position)
    if seat not in position.acting or position.forced(seat) is not None:
        return False
    return await session.get(SealedMove, (match.id, match.ply, seat)) is None
