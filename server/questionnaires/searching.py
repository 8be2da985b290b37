"""A full-text search in free answers, the newest first, with who wrote what about whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
from sqlalchemy.ext.asyncio import AsyncSession

from lab.judgements import HUMAN
from server.questionnaires.free_texts import items_of_type
from server.storage.database import driver_of

SHOWN: Final = 100

WORDS = "AND to_tsvector('simple', value #>> '{}') @@ websearch_to_tsquery('simple', $3)"

# The words are looked up first and the newest taken one by one until enough of them count: OFFSET 0 keeps Postgres,
# which underrates how often a word occurs, from joining every answer that holds it before it sorts them.
QUERY = """
SELECT a.id, a.item, a.seat, a.value #>> '{}' AS text, q.version_id, q.match_id, v.number, p.pseudonym, played.game,
       CASE WHEN m.person_id IS NULL THEN m.strategy ELSE $4 END AS about
FROM (SELECT id, sheet_id, item, seat, value FROM answers
      WHERE item = ANY($1) AND jsonb_typeof(value) = 'string' AND id < $2 {words} ORDER BY id DESC OFFSET 0) AS a
JOIN questionnaire_sheets q ON q.id = a.sheet_id
JOIN questionnaire_versions v ON v.id = q.version_id
JOIN persons p ON p.id = q.person_id
LEFT JOIN matches played ON played.id = q.match_id
LEFT JOIN match_seats m ON m.match_id = q.match_id AND m.seat = a.seat
WHERE (q.version_id, a.item) IN (SELECT * FROM unnest($5::bigint[], $6::text[]))
  AND NOT EXISTS (SELECT FROM answers l WHERE l.sheet_id = a.sheet_id AND l.item = a.item
                  AND l.seat IS NOT DISTINCT FROM a.seat AND l.id > a.id)
ORDER BY a.id DESC LIMIT $7
"""


@dataclass(frozen=True)
class FoundText:
    """A free answer that counts; `about` is the strategy that sat on the seat, "human", or None for no seat."""

    id: int
    text: str
    question: dict[str, str]
    match: int | None
    game: str | None
    seat: int | None
    about: str | None
    author: str
    version: int


async def search(session: AsyncSession, words: str, before: int | None = None) -> list[FoundText]:
    """Free answers that hold all the words, or a "phrase in quotes", without -those; older ones than `before`."""
    items = await items_of_type(session, "open", "half_open")
    asked = [(version, key) for version, keys in items.items() for key in keys]
    driver: asyncpg.Connection = await driver_of(session)
    wanted: list[Any] = [sorted({key for _, key in asked}), before or 2**63 - 1, words, HUMAN]
    rows = await driver.fetch(
        QUERY.replace("{words}", WORDS if words.strip() else "AND $3::text IS NOT NULL"),
        *wanted,
        [version for version, _ in asked],
        [key for _, key in asked],
        SHOWN,
    )
    return [
        FoundText(
            row["id"],
            row["text"],
            items[row["version_id"]][row["item"]],
            row["match_id"],
            row["game"],
            row["seat"],
            row["about"],
            row["pseudonym"],
            row["number"],
        )
        for row in rows
    ]
