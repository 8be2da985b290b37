"""Days that are over, packed once and kept: overviews count them without going through the tables again.

A day is kept when nothing of it can change any more: its matches have ended and its questionnaires are closed. Whoever
writes into the past, which simulated studies do, calls `forget`. Nothing depends on a day being kept: what is not
kept is packed from the tables when it is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information

from server.dashboards import answers
from server.dashboards.answers import Items, Part, items_of
from server.dashboards.chunks import Chunk, Packed, pack
from server.dashboards.filters import end_of, start_of
from server.dashboards.periods import Unit
from server.storage.database import Database

DAY: Final = timedelta(days=1)
SETTLED: Final = timedelta(hours=1)
"""How long after its end a day is packed at the earliest: what was begun before midnight is committed by then."""
WHOLE: Final = ""
"""The game of the row that says that a day is kept, also where nothing happened."""

BUSY = """
SELECT (created_at AT TIME ZONE 'UTC')::date AS day FROM matches WHERE ended_at IS NULL
UNION
SELECT (opened_at AT TIME ZONE 'UTC')::date FROM questionnaire_sheets
WHERE finished_at IS NULL AND skipped_at IS NULL AND closed_at IS NULL AND match_id IS NOT NULL
"""
FIRST = "SELECT (min(created_at) AT TIME ZONE 'UTC')::date FROM matches"
KEPT = "SELECT day, game, made_at FROM overview_days WHERE day >= $1 AND day < $2"
LOAD = "SELECT day, game, made_at, seats, sheets, judged FROM overview_days WHERE day = ANY($1) AND game <> ''"
COMPLETE = "SELECT day FROM overview_days WHERE game = '' AND answer_givers IS NOT NULL"
KEEP = """
INSERT INTO overview_days (day, game, made_at, seats, sheets, judged, answers, answer_givers, pair_givers)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
"""
# Who writes into the past and who keeps it wait for each other; readers wait for nobody.
ALONE = "SET LOCAL lock_timeout = '10s'; LOCK TABLE overview_days IN SHARE ROW EXCLUSIVE MODE"

_loaded: dict[tuple[str, date], tuple[datetime, list[Chunk]]] = {}
"""What was read before; a day's time says whether it is still the same. The key begins with the database."""


async def keep_days(database: Database, at: datetime) -> int:
    """Keep every day that is over and can be; gives how many were new."""
    async with database.pool.acquire() as connection:
        first = await connection.fetchval(FIRST)
        last = (at - SETTLED).date()
        if first is None:
            return 0
        known = {row["day"] for row in await connection.fetch(COMPLETE)}
        busy = {row["day"] for row in await connection.fetch(BUSY)}
        missing = [day for day in _days(first, last) if day not in known and day not in busy]
        items = await items_of(connection)
        for day in missing:
            await _keep(connection, day, at, items)
    return len(missing)


async def _keep(connection: asyncpg.Connection, day: date, at: datetime, items: Items) -> None:
    async with connection.transaction():
        await connection.execute(ALONE)
        chunks = await pack(connection, start_of(day), end_of(day), Unit.DAY)
        given = [await answers.packed(connection, part, items, start_of(day), end_of(day)) for part in Part]
        whole = (day, WHOLE, at, b"", b"", b"", json.dumps([one.keys for one in given]), *(one.givers for one in given))
        rows = [(day, one.game, at, one.seats, one.sheets, one.judged, None, None, None) for one in chunks]
        await connection.execute("DELETE FROM overview_days WHERE day = $1", day)
        await connection.executemany(KEEP, [whole, *rows])


async def forget(connection: asyncpg.Connection) -> None:
    """Before writing into the past: every day is packed anew when it is asked for, and kept again later."""
    await connection.execute(ALONE)
    await connection.execute("DELETE FROM overview_days")


async def chunks_of(
    connection: asyncpg.Connection, place: str, since: datetime, until: datetime, unit: Unit
) -> list[Chunk]:
    """What happened in a span; whole days from those that are kept, the rest from the tables.

    `place` names the database, since tests use many in one process.
    """
    if unit is Unit.HOUR:
        return [Chunk.of(one) for one in await pack(connection, since, until, unit)]
    kept = await _kept_days(connection, place, since, until)
    found = [chunk for chunks in kept.values() for chunk in chunks]
    for gap in gaps(since, until, kept):
        found += [Chunk.of(one) for one in await pack(connection, *gap, Unit.DAY)]
    return found


async def _kept_days(
    connection: asyncpg.Connection, place: str, since: datetime, until: datetime
) -> dict[date, list[Chunk]]:
    first = since.date() if since == start_of(since.date()) else since.date() + DAY
    made = {
        row["day"]: row["made_at"] for row in await connection.fetch(KEPT, first, until.date()) if row["game"] == WHOLE
    }
    fresh = [day for day, at in made.items() if _loaded.get((place, day), (None,))[0] != at]
    read: dict[date, list[Chunk]] = {day: [] for day in fresh}
    for row in await connection.fetch(LOAD, fresh) if fresh else ():
        packed = Packed(start_of(row["day"]), row["game"], row["seats"], row["sheets"], row["judged"])
        read[row["day"]].append(Chunk.of(packed))
    if any(known != place for known, _ in _loaded):
        _loaded.clear()
    _loaded.update({(place, day): (made[day], chunks) for day, chunks in read.items()})
    return {day: _loaded[place, day][1] for day in made}


def gaps(since: datetime, until: datetime, kept: Iterable[date]) -> list[tuple[datetime, datetime]]:
    """The spans between the days that are kept."""
    ends = [since, *(moment for day in sorted(kept) for moment in (start_of(day), end_of(day))), until]
    return [(begin, end) for begin, end in list(pairwise(ends))[::2] if begin < end]


def _days(first: date, last: date) -> Iterable[date]:
    """From the first day on, without the last."""
    return (first + n * DAY for n in range((last - first).days))
