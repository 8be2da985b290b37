"""The lobby: who waits for which game, and who is seated with whom.

The spec's waiting time is the longest that anybody waits. Once in this time there is a departure (departures.py), at
which everybody who came since the last one is seated, by lot: with each other, or with programs where nobody is left.
So the time waited tells when somebody came and nothing about the table. Were people seated as soon as there are enough
of them, who is seated at once would know that somebody was there, and who waits to the end that nobody was
(docs/live-play.md has the figures).

How many persons are to sit at a table is drawn, too, when somebody joins: where two play, a person is met with the
probability that the study sets, whoever is around; where more play, one seat at least is a program's. People sit
together who want to play the same and drew the same. Whoever drew company and finds none plays with programs, and what
was drawn and what came of it is kept with the match.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Final

import structlog
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.marks import COMPANIONS_OF
from server.base.clock import now
from server.live.tables.notices import CHANNEL, line
from server.live.wire.messages import BEAT_SECONDS
from server.matchmaking.departures import LEAST_SECONDS, shift
from server.matchmaking.seating import Seating
from server.rules.service import open_game
from server.storage.database import Database
from server.study.consent import may_play
from server.study.settings import StudySettings, read_settings

log = structlog.get_logger(__name__)

FRESH_SECONDS: Final = 2.5 * BEAT_SECONDS
"""Who has not been heard of for longer is not seated."""
FORGOTTEN_SECONDS: Final = 60
MOST_AT_ONCE: Final = 50

SEATING_LOCK: Final = 20261118
"""One process at a time seats people: two would each keep somebody from the other, and seat both alone."""

# Who falls silent or wants to play something else begins to wait anew.
JOIN = text("""
INSERT INTO lobby_places AS old (person_id, game, company, since, due_at, beat_at)
SELECT :person, :game, :company, at, CASE WHEN CAST(:departures AS bool)
           THEN to_timestamp((floor((extract(epoch FROM at)::float8 - shift) / every) + 1) * every + shift)
           ELSE at + make_interval(secs => every) END, at
FROM clock_timestamp() AS at, (VALUES (CAST(:every AS float8), CAST(:shift AS float8))) AS departures(every, shift)
ON CONFLICT (person_id) DO UPDATE SET
    (game, company, since, due_at) = (
        SELECT CASE WHEN anew THEN excluded.game ELSE old.game END,
               CASE WHEN anew THEN excluded.company ELSE old.company END,
               CASE WHEN anew THEN excluded.since ELSE old.since END,
               CASE WHEN anew THEN excluded.due_at ELSE old.due_at END
        FROM (SELECT old.beat_at < now() - make_interval(secs => :fresh) OR old.game <> excluded.game) AS place(anew)),
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

ALONE = text("SELECT pg_try_advisory_xact_lock(:key)")

DUE = text("""
SELECT person_id, game, company FROM lobby_places
WHERE due_at <= clock_timestamp() AND beat_at > clock_timestamp() - make_interval(secs => :fresh)
ORDER BY random() LIMIT 1 FOR UPDATE
""")

# Without departures people are seated as soon as there are enough of them.
EARLY = text("""
SELECT person_id, game, company FROM lobby_places p
WHERE beat_at > clock_timestamp() - make_interval(secs => :fresh) AND company > 1
  AND company <= (SELECT count(*) FROM lobby_places o
                  WHERE o.game = p.game AND o.company = p.company
                    AND o.beat_at > clock_timestamp() - make_interval(secs => :fresh))
ORDER BY random() LIMIT 1 FOR UPDATE
""")

# Whoever those at the table have met least often, and else anybody: who has waited longer must not be likelier to find
# company. Never somebody who would most likely be one of them once more.
PARTNER = text(f"""
SELECT p.person_id FROM lobby_places p
WHERE p.person_id <> ALL(CAST(:persons AS bigint[])) AND p.game = :game AND p.company = :company
  AND (CAST(:at_once AS bool) OR p.due_at <= clock_timestamp())
  AND p.beat_at > clock_timestamp() - make_interval(secs => :fresh)
  AND p.person_id <> ALL({COMPANIONS_OF})
ORDER BY (SELECT count(*) FROM match_seats mine JOIN match_seats theirs USING (match_id)
          WHERE mine.person_id = ANY(CAST(:persons AS bigint[])) AND theirs.person_id = p.person_id), random()
LIMIT 1 FOR UPDATE OF p
""")  # noqa: S608 - the inserted text is a constant

# How long each of them waited, how many persons were drawn to sit there and how many do, is kept as an event of the
# match: researchers want to know.
SEATED = text("""
WITH seated AS (DELETE FROM lobby_places WHERE person_id = ANY(:persons) RETURNING person_id, since, company)
INSERT INTO match_events (match_id, seat, at, kind, details)
SELECT s.match_id, s.seat, clock_timestamp(), 'seated',
       jsonb_build_object('waited_ms', round(extract(epoch FROM clock_timestamp() - seated.since) * 1000)::int,
                          'drawn', seated.company, 'got', cardinality(CAST(:persons AS bigint[])))
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
class NotOffered:
    """This game is not played here."""

    game: str


@dataclass(frozen=True, slots=True)
class NotAgreed:
    """The person does not take part (any more)."""


Answer = Wait | Found | NotOffered | NotAgreed


def drawn_company(seats: int, study: StudySettings) -> int:
    """How many persons are to sit at a table with so many seats: the one who joins, and others as drawn.

    Where two play, both are persons as often as the study says. Where more play, the study says how many are programs.
    """
    if seats == 2:
        return 2 if random.random() < study.company else 1
    return max(1, seats - study.programs_at_table)


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

    async def join(self, person: int, game: str) -> Answer:
        """Wait for a table of a game; who is in a match already is sent back there."""
        async with self.database.transaction() as session:
            match = await self.running_match(session, person)
            if match is not None:
                return Found(match)
            if not await may_play(session, person):
                return NotAgreed()
            study = await read_settings(session)
            if game not in study.games:
                return NotOffered(game)
            seats = len((await open_game(session, game)).seats)
            # Who plays alone waits for nobody, and there is nothing that waiting could tell.
            alone = seats == 1
            every = 0 if alone else max(self._longest_wait(study), LEAST_SECONDS)
            place = {"person": person, "game": game, "company": drawn_company(seats, study)}
            departures = self.seating.config.departures and not alone
            departs = {"departures": departures, "every": every, "shift": shift(now(), every) if departures else 0}
            await session.execute(JOIN, {**place, **departs, "fresh": FRESH_SECONDS})
        return await self.beat(person, game)

    async def beat(self, person: int, game: str | None = None) -> Answer:
        """Still here, and waiting for this game."""
        async with self.database.transaction() as session:
            longest = self._longest_wait(await read_settings(session))
            waited: float | None = await session.scalar(BEAT, {"person": person, "longest": longest})
            if waited is not None:
                return Wait(min(waited, longest), longest)
            match = await self.running_match(session, person)
        if match is not None:
            return Found(match)
        return NotOffered("") if game is None else await self.join(person, game)

    async def is_closed(self, person: int) -> bool:
        """Whether this person cannot get a table now: maintenance, unless a match of theirs is still on."""
        async with self.database.sessions() as session:
            closed = (await read_settings(session)).maintenance
            return closed and await self.running_match(session, person) is None

    async def leave(self, person: int) -> None:
        async with self.database.transaction() as session:
            await session.execute(LEAVE, {"person": person})

    def _longest_wait(self, study: StudySettings) -> float:
        return study.waiting_time.total_seconds() * self.seating.config.pace

    async def seat_those_due(self) -> dict[int, int]:
        """Seat everybody whose time is over, with partners if there are any: person → match."""
        seated: dict[int, int] = {}
        if not await self.database.pool.fetchval(ANYBODY, not self.seating.config.departures):
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
            if (await read_settings(session)).maintenance or not await session.scalar(ALONE, {"key": SEATING_LOCK}):
                return None
            first = (await session.execute(DUE, fresh)).one_or_none()
            early = first is None and not self.seating.config.departures
            if early:
                first = (await session.execute(EARLY, fresh)).one_or_none()
            if first is None:
                return None
            person, game, company = first
            persons = await self._company(session, person, {"game": game, "company": company, **fresh})
            if early and len(persons) < company:  # those who wait do not fit together; programs when their time is over
                return None
            match = await self.seating.seat(session, persons, game=game)
            await session.execute(SEATED, {"persons": persons, "match": match.id})
            lines = [line("s", one, match.id) for one in persons]
            await session.execute(TELL, {"channel": CHANNEL, "notice": "\n".join([self.process, *lines])})
        log.info("live.seated", match=match.id, game=game, persons=len(persons))
        return dict.fromkeys(persons, match.id)

    async def _company(self, session: AsyncSession, first: int, wanted: dict[str, Any]) -> list[int]:
        """The first person and as many others as there are and were drawn, of whom no two are likely to be one."""
        persons = [first]
        at_once = not self.seating.config.departures
        while len(persons) < wanted["company"]:
            partner = await session.scalar(PARTNER, {"persons": persons, "at_once": at_once, **wanted})
            if partner is None:
                break
            persons.append(partner)
        return persons

    async def clean(self) -> None:
        async with self.database.transaction() as session:
            await session.execute(FORGET, {"forgotten": FORGOTTEN_SECONDS})
