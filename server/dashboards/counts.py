"""The hand-written SQL of the overview: counts per period, each from an index alone as far as the filter allows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information

from server.dashboards.filters import Part, Where
from server.dashboards.periods import Unit, sql

NEWEST_WAITS: Final = 20_000
"""Waiting times are looked at for so many seatings at most, the newest ones."""

# A plan made without knowing the group looks through all its persons for every row, which took 14 s instead of 0.1 s;
# and compiling such short queries takes longer than running them.
PLANNING = "SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL jit = off"

# Researchers and admins are no probands; who deleted the account was one, as far as is known.
IS_PROBAND = "NOT EXISTS (SELECT FROM accounts a WHERE a.person_id = p.id AND a.role <> 'proband')"

# How far persons got, by the length of the way that they went.
STAGES = """
SELECT count(*) AS registered,
       count(*) FILTER (WHERE confirmed) AS confirmed,
       count(*) FILTER (WHERE matches >= 1) AS played,
       count(*) FILTER (WHERE judged) AS judged,
       count(*) FILTER (WHERE matches >= 2) AS came_back,
       count(*) FILTER (WHERE matches >= 10) AS ten_matches
FROM (
    SELECT NOT EXISTS (SELECT FROM accounts a WHERE a.person_id = p.id AND a.confirmed_at IS NULL) AS confirmed,
           (SELECT count(*) FROM (SELECT FROM match_seats s WHERE s.person_id = p.id LIMIT 10) AS first) AS matches,
           EXISTS (SELECT FROM judgements j WHERE j.person_id = p.id) AS judged
    FROM persons p WHERE {where} AND {probands}
) AS person
"""
STAGE_NAMES: Final = ("registered", "confirmed", "played", "judged", "came_back", "ten_matches")

NOW = """
SELECT (SELECT count(*) FROM matches WHERE ended_at IS NULL) AS running,
       (SELECT count(*) FROM lobby_places WHERE beat_at > now() - interval '30 seconds') AS waiting
"""

BEGINNING = """
SELECT least((SELECT min(created_at) FROM persons), (SELECT min(created_at) FROM matches))
"""


@dataclass(frozen=True, slots=True)
class Counts:
    """Queries on one connection, one after the other: play has the right of way on the pool."""

    connection: asyncpg.Connection
    part: Part
    unit: Unit

    async def _by_period(self, select: str, table: str, time: str, where: Where) -> list[asyncpg.Record]:
        query = (
            f"SELECT {sql(time, self.unit)} AS at, {select} FROM {table} "  # noqa: S608 - all of it is ours
            f"WHERE {where} GROUP BY 1"
        )
        rows: list[asyncpg.Record] = await self.connection.fetch(query, *where.values)
        return rows

    def _span(self, time: str) -> Where:
        return Where().add(f"{time} >= {{0}} AND {time} < {{1}}", self.part.since, self.part.until)

    def _matches(self) -> Where:
        where = self._span("m.created_at")
        if self.part.game is not None:
            where.add("m.game = {0}", self.part.game)
        if self.part.persons is not None:
            where.add(
                "EXISTS (SELECT FROM match_seats o WHERE o.match_id = m.id AND o.person_id = ANY({0}))",
                self.part.persons,
            )
        return where

    def _of_match(self, where: Where, table: str) -> Where:
        """The part for rows that belong to a match and a person."""
        if self.part.game is not None:
            where.add(
                f"EXISTS (SELECT FROM matches m WHERE m.id = {table}.match_id AND m.game = {{0}})", self.part.game
            )
        if self.part.persons is not None:
            where.add(f"{table}.person_id = ANY({{0}})", self.part.persons)
        return where

    async def probands(self) -> list[asyncpg.Record]:
        return await self._by_period("count(*) AS probands", "persons p", "p.created_at", self._probands())

    def _probands(self) -> Where:
        where = self._span("p.created_at").add(IS_PROBAND)
        return where if self.part.persons is None else where.add("p.id = ANY({0})", self.part.persons)

    async def matches(self) -> list[asyncpg.Record]:
        return await self._by_period("count(*) AS matches", "matches m", "m.created_at", self._matches())

    async def stand_ins(self) -> list[asyncpg.Record]:
        """Matches in which somebody was replaced."""
        replaced = "(SELECT DISTINCT match_id FROM match_seats WHERE replaced_at IS NOT NULL) r"
        return await self._by_period(
            "count(*) AS stand_ins", f"{replaced} JOIN matches m ON m.id = r.match_id", "m.created_at", self._matches()
        )

    async def sheets(self) -> list[asyncpg.Record]:
        where = self._of_match(self._span("q.opened_at").add("q.match_id IS NOT NULL"), "q")
        return await self._by_period(
            """count(q.finished_at) AS finished, count(q.skipped_at) AS skipped,
               count(q.closed_at) FILTER (WHERE q.finished_at IS NULL AND q.skipped_at IS NULL) AS expired,
               count(*) FILTER (WHERE coalesce(q.finished_at, q.skipped_at, q.closed_at) IS NULL) AS open""",
            "questionnaire_sheets q",
            "q.opened_at",
            where,
        )

    async def judgements(self) -> int:
        where = self._of_match(self._span("j.at"), "j")
        count: int = await self.connection.fetchval(
            f"SELECT count(*) FROM judgements j WHERE {where}",  # noqa: S608 - all of it is ours
            *where.values,
        )
        return count

    async def waits(self) -> list[float]:
        """Seconds waited, among those who were seated last."""
        newest = self._span("at").add("kind = 'seated'")
        where = Where(list(newest.values))
        if self.part.game is not None:
            where.add("EXISTS (SELECT FROM matches m WHERE m.id = e.match_id AND m.game = {0})", self.part.game)
        if self.part.persons is not None:
            where.add(
                """EXISTS (SELECT FROM match_seats s WHERE s.match_id = e.match_id AND s.seat = e.seat
                           AND s.person_id = ANY({0}))""",
                self.part.persons,
            )
        query = f"""
            SELECT (e.details ->> 'waited_ms')::float8 / 1000 AS seconds
            FROM (SELECT match_id, seat, details FROM match_events WHERE {newest}
                  ORDER BY at DESC LIMIT {NEWEST_WAITS}) e
            WHERE {where}"""  # noqa: S608 - all of it is ours
        return [row["seconds"] for row in await self.connection.fetch(query, *where.values)]

    async def stages(self) -> asyncpg.Record:
        where = self._span("p.created_at")
        if self.part.persons is not None:
            where.add("p.id = ANY({0})", self.part.persons)
        return await self.connection.fetchrow(STAGES.format(where=where, probands=IS_PROBAND), *where.values)

    async def now(self) -> asyncpg.Record:
        return await self.connection.fetchrow(NOW)


async def beginning(pool: asyncpg.Pool) -> datetime | None:
    found: datetime | None = await pool.fetchval(BEGINNING)
    return found


async def person_ids(pool: asyncpg.Pool, pseudonyms: list[str]) -> list[int]:
    rows: list[Any] = await pool.fetch("SELECT id FROM persons WHERE pseudonym = ANY($1)", pseudonyms)
    return [row["id"] for row in rows]
