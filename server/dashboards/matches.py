"""The newest matches of a strategy or of a person in a game, with who sat opposite."""

from __future__ import annotations

from typing import Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information

from server.dashboards.schemas import PlayedMatch

MOST: Final = 50
"""How many matches and answers a page lists, the newest."""

OF_STRATEGY: Final = "s.strategy = $2 AND s.person_id IS NULL"
OF_PERSON: Final = "s.person_id = $2"

QUERY = """
SELECT m.id, m.created_at, m.ended_at IS NOT NULL AS ended, m.game, s.seat = ANY(m.winners) AS won,
       (SELECT array_agg(coalesce(p.pseudonym, o.strategy) ORDER BY o.seat)
        FROM match_seats o LEFT JOIN persons p ON p.id = o.person_id
        WHERE o.match_id = m.id AND o.seat <> s.seat) AS opponents
FROM match_seats s JOIN matches m ON m.id = s.match_id
WHERE m.game = $1 AND {seats} ORDER BY s.match_id DESC LIMIT $3
"""


async def newest_matches(
    connection: asyncpg.Connection | asyncpg.Pool, seats: str, game: str, who: str | int
) -> list[PlayedMatch]:
    rows = await connection.fetch(QUERY.format(seats=seats), game, who, MOST)
    return [
        PlayedMatch(
            match=row["id"],
            at=row["created_at"],
            ended=row["ended"],
            game=row["game"],
            opponents=row["opponents"] or [],
            won=row["won"],
        )
        for row in rows
    ]
