"""Writes down what programs decided here and why: once a second, because no move waits for it."""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import structlog

log = structlog.get_logger(__name__)

LARGEST_BATCH: Final = 500
MOST_WAITING: Final = 10_000
"""Decisions kept in memory while the database is away; later ones are dropped, for they can be computed again."""

KEEP: Final = """
INSERT INTO match_decisions (match_id, ply, seat, player, decision, at)
SELECT match_id, ply, seat, player, decision::jsonb, now()
FROM unnest($1::bigint[], $2::int[], $3::smallint[], $4::text[], $5::text[])
    AS made(match_id, ply, seat, player, decision)
WHERE EXISTS (SELECT FROM matches WHERE id = made.match_id)
ON CONFLICT DO NOTHING
"""


class Made(NamedTuple):
    """A decision: `ply` is the one at which the seat began to choose, `decision` npc.decision.Decision.as_json."""

    match: int
    ply: int
    seat: int
    player: str
    decision: dict[str, Any]


class DecisionLog:
    """The decisions of one process that are still to be written."""

    def __init__(self, pool: asyncpg.Pool):
        self.pool = pool
        self.waiting: list[Made] = []

    def note(self, made: Made) -> None:
        if len(self.waiting) < MOST_WAITING:
            self.waiting.append(made)
        else:
            log.warning("live.decision_dropped", match=made.match, ply=made.ply)

    async def write(self) -> None:
        """Everything that was noted so far."""
        while self.waiting:
            some, self.waiting = self.waiting[:LARGEST_BATCH], self.waiting[LARGEST_BATCH:]
            rows = [(*one[:-1], json.dumps(one.decision)) for one in some]
            try:
                await self.pool.execute(KEEP, *map(list, zip(*rows, strict=True)))
            except BaseException:
                self.waiting[:0] = some
                raise
