"""What happened, packed: who sat where, which questionnaires were answered and who judged, a chunk per period and game.

A chunk holds fixed-width rows that Postgres writes one after the other and NumPy reads without looking at each, so that
a million judgements are counted for any set of persons in some tens of milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Any, Final, Self

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import numpy as np

from server.dashboards.periods import Unit, sql

Numbers = np.ndarray[tuple[int], np.dtype[np.int32]]
Marks = np.ndarray[tuple[int], np.dtype[np.bool_]]

SEAT: Final = np.dtype([("match", ">i4"), ("person", ">i4"), ("waited", ">i4"), ("replaced", ">i2")])
"""A person's seat: milliseconds waited (-1: not known), and whether somebody at the table was replaced."""
SHEET: Final = np.dtype([("person", ">i4"), ("state", ">i2")])
JUDGED: Final = np.dtype([("person", ">i4"), ("count", ">i4")])
"""How many seats a person judged."""


class SheetState(IntEnum):
    """What became of a questionnaire after a match; the query says these numbers too."""

    OPEN = 0
    FINISHED = 1
    SKIPPED = 2
    EXPIRED = 3


SEATS = """
SELECT at, game, string_agg(int4send(match_id::int4) || int4send(person_id::int4)
    || int4send(coalesce(waited, -1)) || int2send(replaced::int::int2), ''::bytea ORDER BY match_id) AS packed
FROM (
    SELECT {at} AS at, m.game, s.match_id, s.person_id, (e.details ->> 'waited_ms')::float8::int4 AS waited,
           bool_or(s.replaced_at IS NOT NULL) OVER (PARTITION BY s.match_id) AS replaced
    FROM matches m JOIN match_seats s ON s.match_id = m.id AND s.person_id IS NOT NULL
    LEFT JOIN match_events e ON e.match_id = m.id AND e.seat = s.seat AND e.kind = 'seated'
    WHERE m.created_at >= $1 AND m.created_at < $2
) AS seat GROUP BY 1, 2
"""
SHEETS = """
SELECT {at} AS at, m.game, string_agg(int4send(q.person_id::int4) || int2send(CASE
    WHEN q.finished_at IS NOT NULL THEN 1 WHEN q.skipped_at IS NOT NULL THEN 2 WHEN q.closed_at IS NOT NULL THEN 3
    ELSE 0 END::int2), ''::bytea) AS packed
FROM questionnaire_sheets q JOIN matches m ON m.id = q.match_id
WHERE q.match_id IS NOT NULL AND q.opened_at >= $1 AND q.opened_at < $2 GROUP BY 1, 2
"""
JUDGEMENTS = """
SELECT at, game, string_agg(int4send(person_id::int4) || int4send(number::int4), ''::bytea) AS packed
FROM (SELECT {at} AS at, j.game, j.person_id, count(*) AS number FROM judgements j
      WHERE j.at >= $1 AND j.at < $2 GROUP BY 1, 2, 3) AS person GROUP BY 1, 2
"""
# The planner reads whole tables for a day's rows, because it takes every page for one that must be fetched from a disk;
# and compiling such queries takes longer than running them.
FEW = "SET LOCAL jit = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off"
MANY = "SET LOCAL jit = off; SET LOCAL enable_hashjoin = on; SET LOCAL enable_mergejoin = on"
SHORT: Final = timedelta(days=3)

QUERIES: Final = {
    "seats": (SEATS, "m.created_at"),
    "sheets": (SHEETS, "q.opened_at"),
    "judged": (JUDGEMENTS, "j.at"),
}


@dataclass(frozen=True, slots=True)
class Packed:
    """A chunk as it is stored."""

    at: datetime
    game: str
    seats: bytes = b""
    sheets: bytes = b""
    judged: bytes = b""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk to count with: its rows taken apart into columns. Seats are in the order of their matches."""

    at: datetime
    game: str
    match: Numbers
    person: Numbers
    waited: Numbers
    replaced: Marks
    sheet_person: Numbers
    sheet_state: Numbers
    judge: Numbers
    judged: Numbers

    @classmethod
    def of(cls, packed: Packed) -> Self:
        seats = np.frombuffer(packed.seats, SEAT)
        sheets = np.frombuffer(packed.sheets, SHEET)
        judged = np.frombuffer(packed.judged, JUDGED)
        return cls(
            packed.at,
            packed.game,
            _native(seats["match"]),
            _native(seats["person"]),
            _native(seats["waited"]),
            seats["replaced"] > 0,
            _native(sheets["person"]),
            _native(sheets["state"]),
            _native(judged["person"]),
            _native(judged["count"]),
        )

    def of_persons(self, member: Marks) -> Self:
        """The part of some persons, whose numbers are marked."""
        seat, sheet, judge = member[self.person], member[self.sheet_person], member[self.judge]
        return type(self)(
            self.at,
            self.game,
            self.match[seat],
            self.person[seat],
            self.waited[seat],
            self.replaced[seat],
            self.sheet_person[sheet],
            self.sheet_state[sheet],
            self.judge[judge],
            self.judged[judge],
        )

    def counts(self) -> dict[str, int]:
        """Matches, how many of them had a stand-in, and questionnaires by what became of them."""
        begins = np.ones(len(self.match), np.bool_)
        begins[1:] = self.match[1:] != self.match[:-1]
        states = np.bincount(self.sheet_state, minlength=len(SheetState))
        return {
            "matches": int(np.count_nonzero(begins)),
            "stand_ins": int(np.count_nonzero(begins & self.replaced)),
            **{state.name.lower(): int(states[state]) for state in SheetState},
        }


async def pack(connection: asyncpg.Connection, since: datetime, until: datetime, unit: Unit) -> list[Packed]:
    """What the tables say about a span. Within a transaction."""
    await connection.execute(FEW if until - since <= SHORT else MANY)
    parts: dict[tuple[datetime, str], dict[str, bytes]] = {}
    for name, (query, time) in QUERIES.items():
        for row in await connection.fetch(query.format(at=sql(time, unit)), since, until):
            parts.setdefault((row["at"], row["game"]), {})[name] = row["packed"]
    return [Packed(at, game, **packed) for (at, game), packed in sorted(parts.items())]


def _native(column: Any) -> Numbers:
    """In the machine's own order of bytes, and one number beside the other."""
    return np.ascontiguousarray(column, np.int32)
