"""The books of all finished matches, a few at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import selectinload

from server.live.models import Match
from server.live.records.matches import match_book, pseudonyms
from server.rules.service import open_game
from server.storage.database import Database

AT_ONCE: Final = 100


async def books(database: Database, first: datetime, last: datetime) -> AsyncIterator[tuple[int, str]]:
    """Number and book of every match that began in this time and is over; a finished match never changes again.

    Of most simulated matches no moves are kept: there is no book of them.
    """
    after = 0
    while True:
        query = (
            select(Match)
            .where(Match.id > after, Match.ply > 0, Match.ended_at.is_not(None), Match.starts_at.between(first, last))
            .order_by(Match.id)
            .limit(AT_ONCE)
            .options(selectinload(Match.seats), selectinload(Match.moves))
        )
        async with database.sessions() as session:
            matches = list(await session.scalars(query))
            names = await pseudonyms(session, matches)
            for reference in {match.game for match in matches}:
                await open_game(session, reference)  # from now on the process knows these rules
        for match, text in zip(matches, await asyncio.to_thread(_written, matches, names), strict=True):
            yield match.id, text
        if len(matches) < AT_ONCE:
            return
        after = matches[-1].id


def _written(matches: Sequence[Match], names: Mapping[int, str]) -> list[str]:
    """Each takes some milliseconds, in which the event loop has others to serve."""
    return [match_book(match, names) for match in matches]
