"""What a person looked at during a match: how the board was drawn, in which language, on what device.

How something is shown may change what people do and think, so it is kept with the seat. The first word counts: a match
that is opened again elsewhere began where it began.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from server.live.models import MatchSeat
from server.live.wire.messages import Screen


class Seen(NamedTuple):
    """Whose screen, at which seat of which match."""

    match: int
    seat: int
    person: int
    screen: Screen


async def keep_screens(session: AsyncSession, screens: Sequence[Seen]) -> None:
    # In one order, so that two processes never wait for each other's seats.
    for seen in sorted(screens, key=lambda each: (each.match, each.seat)):
        await session.execute(
            update(MatchSeat)
            .where(
                MatchSeat.match_id == seen.match,
                MatchSeat.seat == seen.seat,
                MatchSeat.person_id == seen.person,
                MatchSeat.board_shape.is_(None),
                MatchSeat.replaced_at.is_(None),  # nothing more is recorded of who has left the table
            )
            .values(**seen.screen.model_dump(exclude={"type"}))
        )
