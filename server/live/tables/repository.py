"""The hand-written SQL of live play, except for the commits of moves (commits.py) and the lobby
(server/matchmaking)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information

from server.live.tables.notices import CHANNEL
from server.live.tables.table import Next

RECENT_SECONDS: Final = 5.0
"""A process that has not beaten for so long is dead."""

# JSON as text, whatever the connection makes of it elsewhere.
LOAD = """
SELECT game, dice_seed, secret, commitment, panel::text, programs_think, thinking::text, clock_ms, ask_ms, grace_ms,
       proposal_ms, check_share, animation_speed, ply, due, due_seat,
       extract(epoch FROM starts_at)::float8 AS starts_at, extract(epoch FROM turn_at)::float8 AS turn_at,
       extract(epoch FROM due_at)::float8 AS due_at, ended_at IS NOT NULL AS ended,
       (SELECT array_agg(move ORDER BY mv.ply) FROM match_moves mv WHERE mv.match_id = m.id) AS moves,
       (SELECT json_agg(json_build_array(person_id, member, replaced_at IS NOT NULL) ORDER BY seat)::text
        FROM match_seats s WHERE s.match_id = m.id) AS places,
       (SELECT json_agg(json_build_array(seat, move, source, ms, extract(epoch FROM at)))::text
        FROM sealed_moves z WHERE z.match_id = m.id AND z.ply = m.ply) AS sealed,
       (SELECT json_agg(json_build_array(seat, kind, details -> 'ply', details -> 'until'))::text
        FROM match_events e WHERE e.match_id = m.id AND kind IN ('asked', 'wrong_proposal')) AS notes
FROM matches m WHERE id = $1
"""

COME = """
WITH here AS (
    INSERT INTO seat_connections (match_id, seat, process_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
), back AS (
    UPDATE match_seats SET gone_at = NULL
    WHERE match_id = $1 AND seat = $2 AND gone_at IS NOT NULL AND replaced_at IS NULL RETURNING 1
)
INSERT INTO match_events (match_id, seat, at, kind, details) SELECT $1, $2, now(), 'came', '{}' FROM back
"""

GO = """
WITH away AS (
    DELETE FROM seat_connections WHERE match_id = $1 AND seat = $2 AND process_id = $3
), gone AS (
    UPDATE match_seats s SET gone_at = now() FROM matches m
    WHERE s.match_id = $1 AND s.seat = $2 AND s.gone_at IS NULL AND s.replaced_at IS NULL
      AND m.id = $1 AND m.ended_at IS NULL
      AND NOT EXISTS (SELECT FROM seat_connections c WHERE c.match_id = $1 AND c.seat = $2 AND c.process_id <> $3)
    RETURNING 1
)
INSERT INTO match_events (match_id, seat, at, kind, details) SELECT $1, $2, now(), 'left', '{}' FROM gone
"""

CONNECTED = """
SELECT EXISTS (
    SELECT FROM seat_connections c JOIN live_processes p ON p.id = c.process_id
    WHERE c.match_id = $1 AND c.seat = $2 AND p.beat_at > now() - make_interval(secs => $3))
"""

# A person whose clock ran out: asked if connected, otherwise left to the grace time. Whoever asks second finds another
# deadline.
ASK = """
WITH asked AS (
    UPDATE matches SET due = $4, due_at = to_timestamp($5), due_seat = $6
    WHERE id = $1 AND ply = $2 AND ended_at IS NULL
      AND due IS NOT DISTINCT FROM $7 AND due_seat IS NOT DISTINCT FROM $8 RETURNING id
), noted AS (
    INSERT INTO match_events (match_id, seat, at, kind, details)
    SELECT id, $3, now(), 'asked', jsonb_build_object('ply', $2::int, 'until', $9::float8) FROM asked
    WHERE $9::float8 IS NOT NULL
), told AS (
    SELECT pg_notify($10, $11 || E'\\nc [' || id || ']') FROM asked
)
SELECT (SELECT count(*) FROM asked), (SELECT count(*) FROM told)
"""

REPLACE = """
WITH replaced AS (
    UPDATE match_seats SET strategy = $3, member = $4, replaced_at = now()
    WHERE match_id = $1 AND seat = $2 AND replaced_at IS NULL AND person_id IS NOT NULL RETURNING match_id
), woken AS (
    UPDATE matches SET due = $5, due_at = to_timestamp($6), due_seat = $7
    WHERE id = (SELECT match_id FROM replaced) AND ply = $11 AND ended_at IS NULL AND $5::text IS NOT NULL
), noted AS (
    INSERT INTO match_events (match_id, seat, at, kind, details)
    SELECT match_id, $2, now(), 'replaced', jsonb_build_object('strategy', $3::text, 'why', $8::text) FROM replaced
), told AS (
    SELECT pg_notify($9, $10 || E'\\nc [' || match_id || ']') FROM replaced
)
SELECT (SELECT count(*) FROM replaced), (SELECT count(*) FROM told)
"""

BEAT = """
INSERT INTO live_processes (id, beat_at) VALUES ($1, now()) ON CONFLICT (id) DO UPDATE SET beat_at = now()
RETURNING xmax = 0
"""

# Stamps that lie ahead were set before the clock was moved back. Whoever is buried alive says so with the next beat.
BURY = """
DELETE FROM live_processes WHERE abs(extract(epoch FROM now() - beat_at)) > $1
"""

# Persons without any connection of whom nobody has said that they are gone: their process died.
MARK_GONE = """
WITH gone AS (
    UPDATE match_seats s SET gone_at = now() FROM matches m
    WHERE m.id = s.match_id AND m.ended_at IS NULL AND s.person_id IS NOT NULL AND s.replaced_at IS NULL
      AND (s.gone_at IS NULL OR s.gone_at > now() + interval '10 seconds')
      AND NOT EXISTS (SELECT FROM seat_connections c WHERE c.match_id = s.match_id AND c.seat = s.seat)
    RETURNING s.match_id, s.seat
)
INSERT INTO match_events (match_id, seat, at, kind, details) SELECT match_id, seat, now(), 'left', '{}' FROM gone
"""

OVERDUE = """
SELECT id FROM matches
WHERE ended_at IS NULL AND (due_at < now() - make_interval(secs => $1) OR turn_at > now() + interval '10 seconds')
ORDER BY due_at LIMIT 200
"""

GONE_TOO_LONG = """
SELECT s.match_id, s.seat FROM matches m JOIN match_seats s ON s.match_id = m.id
WHERE m.ended_at IS NULL AND s.replaced_at IS NULL AND s.gone_at IS NOT NULL
  AND s.gone_at < now() - m.grace_ms * interval '1 millisecond'
LIMIT 200
"""

EXPIRED_SESSIONS = """
SELECT asked.id FROM unnest($1::bigint[]) AS asked(id)
WHERE NOT EXISTS (SELECT FROM account_sessions s WHERE s.id = asked.id AND s.expires_at > now())
"""

NOTE = "INSERT INTO match_events (match_id, seat, at, kind, details) VALUES ($1, $2, now(), $3, $4::jsonb)"


@dataclass(frozen=True, slots=True)
class Repository:
    """What one process asks the database."""

    pool: asyncpg.Pool
    process: str

    async def load(self, match: int) -> asyncpg.Record | None:
        return await self.pool.fetchrow(LOAD, match)

    async def come(self, match: int, seat: int) -> None:
        await self.pool.execute(COME, match, seat, self.process)

    async def go(self, match: int, seat: int) -> None:
        await self.pool.execute(GO, match, seat, self.process)

    async def connected(self, match: int, seat: int) -> bool:
        return bool(await self.pool.fetchval(CONNECTED, match, seat, RECENT_SECONDS))

    async def ask(self, match: int, ply: int, seat: int, next_: Next, instead_of: Next, until: float | None) -> bool:
        """Note that a seat was asked (`until` is how long it has) or that nobody is there to be asked."""
        before = (instead_of.due, instead_of.seat)
        row = await self.pool.fetchrow(ASK, match, ply, seat, *next_, *before, until, CHANNEL, self.process)
        return bool(row[0])

    async def replace(self, match: int, ply: int, seat: int, name: str, member: int, next_: Next, why: str) -> bool:
        row = await self.pool.fetchrow(REPLACE, match, seat, name, member, *next_, why, CHANNEL, self.process, ply)
        return bool(row[0])

    async def beat(self) -> bool:
        """Say that this process lives, and clear up after those that do not. False if nobody knew of this one."""
        if await self.pool.fetchval(BEAT, self.process):
            return False
        if await self.pool.execute(BURY, RECENT_SECONDS) != "DELETE 0":
            await self.mark_gone()
        return True

    async def mark_gone(self) -> None:
        """Looks at everybody who plays, so it is done when a process has died, and now and then in case it was not."""
        await self.pool.execute(MARK_GONE)

    async def leave(self) -> None:
        await self.pool.execute("DELETE FROM live_processes WHERE id = $1", self.process)
        await self.mark_gone()

    async def overdue(self, lag: float) -> list[int]:
        return [row[0] for row in await self.pool.fetch(OVERDUE, lag)]

    async def gone_too_long(self) -> list[tuple[int, int]]:
        return [(row[0], row[1]) for row in await self.pool.fetch(GONE_TOO_LONG)]

    async def expired(self, sessions: list[int]) -> set[int]:
        return {row[0] for row in await self.pool.fetch(EXPIRED_SESSIONS, sessions)}

    async def note(self, match: int, seat: int, kind: str, details: dict[str, object]) -> None:
        await self.pool.execute(NOTE, match, seat, kind, json.dumps(details))
