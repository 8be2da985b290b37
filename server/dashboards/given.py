"""All answers that were ever given after matches, by person: from the days that are kept, the rest from the tables."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information

from server.dashboards.answers import Given, Packed, Part, items_of, packed, summed
from server.dashboards.chunks import FEW, MANY
from server.dashboards.days import gaps

EVER: Final = (datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC))
AT_ONCE: Final = 25
"""So many days are read at a time: those of a year together would take more memory than their sum."""

MADE = "SELECT day, made_at FROM overview_days WHERE game = '' AND answer_givers IS NOT NULL"
LOAD = """
SELECT day, made_at, (answers -> {place})::text AS keys, {column} AS givers FROM overview_days
WHERE game = '' AND {column} IS NOT NULL AND day = ANY($1)
"""
LOADS: Final = {
    Part.SINGLE: LOAD.format(place=0, column="answer_givers"),
    Part.PAIRS: LOAD.format(place=1, column="pair_givers"),
}

_added: dict[tuple[str, Part], tuple[dict[date, datetime], Given]] = {}
"""The sum of the days that were read before, and when each was made. The key begins with the database."""


async def answers_given(connection: asyncpg.Connection, place: str, part: Part) -> Given:
    """`place` names the database, since tests use many in one process. Within a transaction."""
    days, kept = await _kept(connection, place, part)
    items = await items_of(connection)
    await connection.execute(FEW if days else MANY)
    fresh = [await packed(connection, part, items, *gap) for gap in gaps(*EVER, days)]
    await connection.execute(MANY)
    return summed([kept, *(one.unpacked() for one in fresh)])


async def _kept(connection: asyncpg.Connection, place: str, part: Part) -> tuple[dict[date, datetime], Given]:
    made = {row["day"]: row["made_at"] for row in await connection.fetch(MADE)}
    days, found = _added.get((place, part), ({}, {}))
    if not days.items() <= made.items():  # what was added is not kept any more, or was kept anew
        days, found = {}, {}
    missing = sorted(made.keys() - days.keys())
    for begin in range(0, len(missing), AT_ONCE):
        rows = await connection.fetch(LOADS[part], missing[begin : begin + AT_ONCE])
        found = summed([found, *(Packed(json.loads(row["keys"]), row["givers"]).unpacked() for row in rows)])
        days = days | {row["day"]: row["made_at"] for row in rows}
    for known in [key for key in _added if key[0] != place]:
        del _added[known]
    _added[place, part] = days, found
    return days, found
