"""The hand-written SQL of the overview about persons and about now; what happened when is in chunks.py."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import numpy as np

from server.dashboards.facts import Numbers
from server.dashboards.filters import Part, Where
from server.dashboards.periods import Unit, sql

# Compiling such short queries takes longer than running them.
PLANNING = "SET LOCAL jit = off"

# Researchers and admins are no probands; who deleted the account was one, as far as is known.
REGISTERED = """
SELECT {at} AS at, array_agg(p.id) AS ids, array_agg(a.id IS NULL OR a.confirmed_at IS NOT NULL) AS confirmed
FROM persons p LEFT JOIN accounts a ON a.person_id = p.id
WHERE {where} AND coalesce(a.role, 'proband') = 'proband' GROUP BY 1
"""

NOW = """
SELECT (SELECT count(*) FROM matches WHERE ended_at IS NULL) AS running,
       (SELECT count(*) FROM lobby_places WHERE beat_at > now() - interval '30 seconds') AS waiting
"""

BEGINNING = """
SELECT least((SELECT min(created_at) FROM persons), (SELECT min(created_at) FROM matches))
"""

STAGE_NAMES: Final = ("registered", "confirmed", "played", "judged", "came_back", "ten_matches")


@dataclass(frozen=True)
class Registered:
    """The probands who came in the chosen time: how many per period, who, and whether they confirmed their address."""

    per_period: dict[datetime, int]
    ids: Numbers
    confirmed: np.ndarray[tuple[int], np.dtype[np.bool_]]

    def stages(self, matches: Numbers, judged: Numbers) -> dict[str, int]:
        """How far they got, by the length of the way that they went. `matches` and `judged` count by person."""
        played = matches[self.ids]
        reached = {
            "registered": self.ids >= 0,
            "confirmed": self.confirmed,
            "played": played >= 1,
            "judged": judged[self.ids] >= 1,
            "came_back": played >= 2,
            "ten_matches": played >= 10,
        }
        return {name: int(reached[name].sum()) for name in STAGE_NAMES}


async def registered(connection: asyncpg.Connection, part: Part, unit: Unit) -> Registered:
    where = Where().add("p.created_at >= {0} AND p.created_at < {1}", part.since, part.until)
    if part.persons is not None:
        where.add("p.id = ANY({0})", part.persons)
    query = REGISTERED.format(at=sql("p.created_at", unit), where=where)
    rows = await connection.fetch(query, *where.values)
    return Registered(
        {row["at"]: len(row["ids"]) for row in rows},
        np.array([person for row in rows for person in row["ids"]], np.int64),
        np.array([one for row in rows for one in row["confirmed"]], np.bool_),
    )


async def at_present(connection: asyncpg.Connection) -> asyncpg.Record:
    return await connection.fetchrow(NOW)


async def beginning(pool: asyncpg.Pool) -> datetime | None:
    found: datetime | None = await pool.fetchval(BEGINNING)
    return found


async def person_ids(pool: asyncpg.Pool, pseudonyms: list[str]) -> list[int]:
    rows: list[Any] = await pool.fetch("SELECT id FROM persons WHERE pseudonym = ANY($1)", pseudonyms)
    return [row["id"] for row in rows]
