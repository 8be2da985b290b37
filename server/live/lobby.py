"""The lobby: who waits, and who is seated with whom.

The spec's waiting time is the longest that anybody waits. Everybody's own time is drawn evenly below it and nobody is
told before it is over: the first whose time is over is seated with somebody who waits, or with two programs. Someone
who arrives second waits for the first one's time. Were the times fixed instead, who is seated at once would know that
somebody was there, and who waits to the end that nobody was. With an even draw, the time waited is equally distributed
for those who meet a person and those who meet none (docs/live-play.md shows why).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

import structlog
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from server.database import Database
from server.live.commits import CHANNEL
from server.live.seating import Seating
from server.live.wire import BEAT_SECONDS
from server.study.settings import read_settings

log = structlog.get_logger(__name__)

FRESH_SECONDS: Final = 2.5 * BEAT_SECONDS
"""Who has not been heard of for longer is not seated."""
FORGOTTEN_SECONDS: Final = 60
MOST_AT_ONCE: Final = 50

JOIN = text("""
INSERT INTO lobby_places AS old (person_id, since, due_at, beat_at)
VALUES (:person, clock_timestamp(), clock_timestamp() + make_interval(secs => :wait), clock_timestamp())
ON CONFLICT (person_id) DO UPDATE SET
    since = CASE WHEN old.beat_at < now() - make_interval(secs => :fresh) THEN excluded.since ELSE old.since END,
    due_at = CASE WHEN old.beat_at < now() - make_interval(secs => :fresh) THEN excluded.due_at ELSE old.due_at END,
    beat_at = excluded.beat_at
""")

# The last two assignments change something only if the clock was moved back.
BEAT = text("""
UPDATE lobby_places
SET beat_at = clock_timestamp(), since = least(since, clock_timestamp()),
    due_at = least(due_at, clock_timestamp() + make_interval(secs => :longest))
WHERE person_id = :person
RETURNING extract(epoch FROM clock_timestamp() - since)::float8
""")

LEAVE = text("DELETE FROM lobby_places WHERE person_id = :person")

# Asked four times a second by every process, so it must cost next to nothing when nobody is due.
ANYBODY = "SELECT EXISTS (SELECT FROM lobby_places WHERE $1 OR due_at <= clock_timestamp())"

DUE = text("""
SELECT person_id FROM lobby_places
WHERE due_at <= clock_timestamp() AND beat_at > clock_timestamp() - make_interval(secs => :fresh)
ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
""")

# Whoever the person has met least often, then who has waited longest.
PARTNER = text("""
SELECT p.person_id FROM lobby_places p
WHERE p.person_id <> :person AND p.beat_at > clock_timestamp() - make_interval(secs => :fresh)
ORDER BY (SELECT count(*) FROM match_seats mine JOIN match_seats theirs USING (match_id)
          WHERE mine.person_id = :person AND theirs.person_id = p.person_id), p.since
LIMIT 1 FOR UPDATE OF p SKIP LOCKED
""")

# How long each of them waited is kept as an event of the match: researchers want to know.
SEATED = text("""
WITH seated AS (DELETE FROM lobby_places WHERE person_id = ANY(:persons) RETURNING person_id, since)
INSERT INTO match_events (match_id, seat, at, kind, details)
SELECT s.match_id, s.seat, clock_timestamp(), 'seated',
       jsonb_build_object('waited_ms', round(extract(epoch FROM clock_timestamp() - seated.since) * 1000)::int)
FROM seated JOIN match_seats s ON s.match_id = :match AND s.person_id = seated.person_id
""")

TELL = text("SELECT pg_notify(:channel, :notice)")

FORGET = text("DELETE FROM lobby_places WHERE beat_at < clock_timestamp() - make_interval(secs => :forgotten)")

RUNNING = text("""
SELECT m.id FROM matches m JOIN match_seats s ON s.match_id = m.id
WHERE s.person_id = :person AND m.ended_at IS NULL AND s.replaced_at IS NULL ORDER BY m.id DESC LIMIT 1
""")


@dataclass(frozen=True, slots=True)
class Wait:
    """Still waiting: how long so far, and at most."""

    waited: float
    at_most: float


@dataclass(frozen=True, slots=True)
class Found:
    """Seated in this match."""

    match: int


@dataclass(frozen=True, slots=True)
class Lobby:
    """The queue in the database, as one process sees it."""

    database: Database
    seating: Seating
    process: str

    async def running_match(self, session: AsyncSession, person: int) -> int | None:
        """The match that this person plays now."""
        match: int | None = await session.scalar(RUNNING, {"person": person})
        return match

    async def join(self, person: int) -> Wait | Found:
        """Wait for a table; who is in a match already is sent back there."""
        async with self.database.transaction() as session:
            match = await self.running_match(session, person)
            if match is not None:
                return Found(match)
            longest = await self._longest_wait(session)
            own = random.uniform(0, longest) if self.seating.config.draw_waiting else longest
            await session.execute(JOIN, {"person": person, "wait": own, "fresh": FRESH_SECONDS})
        return await self.beat(person)

    async def beat(self, person: int) -> Wait | Found:
        """Still here."""
        async with self.database.transaction() as session:
            longest = await self._longest_wait(session)
            waited: float | None = await session.scalar(BEAT, {"person": person, "longest": longest})
            if waited is not None:
                return Wait(min(waited, longest), longest)
            match = await self.running_match(session, person)
        return Found(match) if match is not None else await self.join(person)

    async def is_closed(self, person: int) -> bool:
        """Whether this person cannot get a table now: maintenance, unless a match of theirs is still on."""
        async with self.database.sessions() as session:
            closed = (await read_settings(session)).maintenance
            return closed and await self.running_match(session, person) is None

    async def leave(self, person: int) -> None:
        async with self.database.transaction() as session:
            await session.execute(LEAVE, {"person": person})

    async def _longest_wait(self, session: AsyncSession) -> float:
        return (await read_settings(session)).waiting_time.total_seconds() * self.seating.config.pace

    async def seat_those_due(self) -> dict[int, int]:
        """Seat everybody whose time is over, with a partner if there is one: person → match."""
        seated: dict[int, int] = {}
        if not await self.database.pool.fetchval(ANYBODY, not self.seating.config.draw_waiting):
            return seated
        for _ in range(MOST_AT_ONCE):
            table = await self._seat_one()
            if table is None:
                break
            seated |= table
        return seated

    async def _seat_one(self) -> dict[int, int] | None:
        async with self.database.transaction() as session:
            fresh = {"fresh": FRESH_SECONDS}
            if (await read_settings(session)).maintenance:
                return None
            first: int | None = await session.scalar(DUE, fresh)
            if first is None and not self.seating.config.draw_waiting:
                first = await self._early(session)
            if first is None:
                return None
            partner: int | None = await session.scalar(PARTNER, {"person": first, **fresh})
            persons = [first] if partner is None else [first, partner]
            match = await self.seating.seat(session, persons)
            await session.execute(SEATED, {"persons": persons, "match": match.id})
            lines = [f"s {person} {match.id}" for person in persons]
            await session.execute(TELL, {"channel": CHANNEL, "notice": "\n".join([self.process, *lines])})
        log.info("live.seated", match=match.id, persons=len(persons))
        return dict.fromkeys(persons, match.id)

    async def _early(self, session: AsyncSession) -> int | None:
        """Where waiting times are not drawn, two are seated as soon as they are two."""
        waiting = text("""
            SELECT person_id FROM lobby_places WHERE beat_at > clock_timestamp() - make_interval(secs => :fresh)
            ORDER BY since LIMIT 2 FOR UPDATE SKIP LOCKED""")
        rows = (await session.scalars(waiting, {"fresh": FRESH_SECONDS})).all()
        return rows[0] if len(rows) == 2 else None

    async def clean(self) -> None:
        async with self.database.transaction() as session:
            await session.execute(FORGET, {"forgotten": FORGOTTEN_SECONDS})
