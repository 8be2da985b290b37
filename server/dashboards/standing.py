"""The ratings that count now, in the parts that pages show.

A snapshot never changes and may hold ten thousand persons, so the parts of the newest one are kept in memory.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from server.dashboards.schemas import HumanPoint, Rated
from server.dashboards.shares import by_person, clustered
from server.database import Database
from server.ratings.service import basis

Record = dict[str, Any]

NEWEST = """
SELECT id FROM rating_snapshots ORDER BY (fingerprint = $1) DESC, log_position DESC, id DESC LIMIT 1
"""

# The weights per strategy are most of a snapshot; a person's page computes its own from the log.
PARTS = """
SELECT id, computed_at, log_position, judgements, software, left_out, record - 'persons' AS rest,
       (SELECT jsonb_agg(person - 'weights') FROM jsonb_array_elements(record -> 'persons') AS person) AS persons
FROM rating_snapshots WHERE id = $1
"""

# Real humans are the yardstick in the space of the strategies.
ABOUT_HUMANS = """strategy IS NULL AND j.id <= $1
    AND person_id <> ALL(SELECT p.id FROM persons p WHERE p.pseudonym = ANY($2))"""


@dataclass(frozen=True)
class Standing:
    """One snapshot."""

    id: int
    computed_at: datetime
    log_position: int
    judgements: int
    software: str
    left_out: frozenset[str]
    record: Record
    persons: list[Record]
    humans: HumanPoint

    @property
    def rated(self) -> Rated:
        return Rated(
            computed_at=self.computed_at,
            log_position=self.log_position,
            judgements=self.judgements,
            software=self.software,
        )

    @cached_property
    def strategies(self) -> dict[str, Record]:
        return {one["strategy"]: one for one in self.record["strategies"]}

    @cached_property
    def by_name(self) -> dict[str, Record]:
        return {one["person"]: one for one in self.persons}

    def members(self, group: int) -> list[str]:
        return [one["person"] for one in self.persons if one["group"] == group]


_kept: dict[str, Standing] = {}
"""The last one asked for; the key says of which database, since tests use many in one process."""


async def standing(session: AsyncSession, database: Database) -> Standing | None:
    """The newest snapshot with the fingerprint of now; while there is none, the newest of any."""
    newest = await database.pool.fetchval(NEWEST, (await basis(session)).fingerprint)
    if newest is None:
        return None
    place = str(database.engine.url)
    kept = _kept.get(place)
    if kept is None or kept.id != newest:
        row = await database.pool.fetchrow(PARTS, newest)
        if row is None:  # pruned in between: a newer one is there
            return kept
        left_out = json.loads(row["left_out"])
        said = await database.pool.fetchrow(by_person(ABOUT_HUMANS), row["log_position"], left_out)
        kept = Standing(
            id=row["id"],
            computed_at=row["computed_at"],
            log_position=row["log_position"],
            judgements=row["judgements"],
            software=row["software"],
            left_out=frozenset(left_out),
            record=json.loads(row["rest"]),
            persons=json.loads(row["persons"] or "[]"),
            humans=HumanPoint(
                detection=clustered(said["trials"], said["yes"]) if said else clustered((), ()),
                fun=said and said["fun"],
                challenge=said and said["challenge"],
            ),
        )
        _kept.clear()
        _kept[place] = kept
    return kept
