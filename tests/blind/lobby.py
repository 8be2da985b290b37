"""Does the time that somebody has waited tell who sits at the table? The real lobby, on a simulated clock.

People come as a kind of traffic says, wait, are seated by `server.matchmaking`, play and in some kinds come again.
Postgres is told the time by us, so that days of traffic take a minute.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Final, NamedTuple

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import numpy as np

from server.base.settings import Settings
from server.live.config import LiveConfig
from server.matchmaking.lobby import Lobby
from server.matchmaking.seating import Seating
from server.storage.database import Database, connect, plain_url
from server.study.settings import change_setting
from tests.blind.classifier import Area, with_interval
from tests.server.live.clients import visitors

WAITING_SECONDS: Final = 20.0
BEGINNING: Final = datetime(2027, 1, 4, 10, 0, 0, tzinfo=UTC)

# Unqualified names are looked up in the order of the search path: our clock stands before Postgres' own.
CLOCK: Final = """
CREATE SCHEMA simulated;
CREATE TABLE simulated.clock (at timestamptz NOT NULL);
INSERT INTO simulated.clock VALUES ('2027-01-04 10:00:00Z');
CREATE FUNCTION simulated.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT at FROM simulated.clock';
CREATE FUNCTION simulated.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    'SELECT at FROM simulated.clock';
"""


class Came(NamedTuple):
    """Somebody comes to the lobby."""

    at: float
    person: int


Again = Callable[[random.Random, float], float | None]
"""When somebody comes again whose match began at a time; None: never."""


class Traffic(NamedTuple):
    """How people come: the first time, and again after a match."""

    first: Callable[[random.Random, int], list[Came]]
    again: Again | None = None


def steady(per_wait: float) -> Traffic:
    """Strangers, so many in one waiting time on the average, never twice."""

    def first(rng: random.Random, people: int) -> list[Came]:
        at, came = 0.0, []
        for person in range(people):
            at += rng.expovariate(per_wait / WAITING_SECONDS)
            came.append(Came(at, person))
        return came

    return Traffic(first)


def group(size: int) -> Traffic:
    """So many who begin together within a minute, then play, answer and come again, for a long time."""

    def first(rng: random.Random, _people: int) -> list[Came]:
        return [Came(rng.uniform(0, 60), person) for person in range(size)]

    def again(rng: random.Random, began: float) -> float:
        return began + rng.lognormvariate(4.0, 0.6)  # about a minute for the sheet

    return Traffic(first, again)


def classes(size: int) -> Traffic:
    """Groups of strangers who are told to begin, one group after the other, each within some seconds of a full hour."""

    def first(rng: random.Random, people: int) -> list[Came]:
        return [Came(3600 * (person // size) + rng.expovariate(1 / 8), person) for person in range(people)]

    return Traffic(first)


TRAFFIC: Final = {
    "one person in three waiting times": steady(1 / 3),
    "one in a waiting time": steady(1),
    "three in a waiting time": steady(3),
    "three people, again and again": group(3),
    "a dozen, again and again": group(12),
    "five who begin at the same hour": classes(5),
}


class Seated(NamedTuple):
    """What came of one wait."""

    match: int
    company: bool
    """Whether another person sits at the table."""
    waited: float


@dataclass
class Station:
    """The lobby, and the clock by which it goes."""

    database: Database
    lobby: Lobby
    at: float = 0.0

    async def until(self, at: float) -> None:
        """Let time pass; everybody who waits is still there."""
        self.at = at
        moment = BEGINNING + timedelta(seconds=at)
        await self.database.pool.execute("UPDATE simulated.clock SET at = $1", moment)
        await self.database.pool.execute("UPDATE lobby_places SET beat_at = $1", moment)

    async def next_departure(self) -> float:
        due: datetime | None = await self.database.pool.fetchval("SELECT min(due_at) FROM lobby_places")
        return float("inf") if due is None else (due - BEGINNING).total_seconds()


@asynccontextmanager
async def station(url: str, game: str) -> AsyncIterator[Station]:
    """A lobby of one game in this database, which lives by our clock from now on."""
    connection = await asyncpg.connect(plain_url(url))
    await connection.execute(CLOCK)
    name = await connection.fetchval("SELECT current_database()")
    await connection.execute(f'ALTER DATABASE "{name}" SET search_path = public, simulated, pg_catalog')
    await connection.close()
    async with connect(url, size=2, raw_size=2) as database:
        async with database.transaction() as session:
            await change_setting(session, "games", [game], changed_by="test")
            await change_setting(session, "waiting_time", WAITING_SECONDS, changed_by="test")
        yield Station(database, Lobby(database, Seating(LiveConfig()), "test"))


async def seatings(here: Station, settings: Settings, game: str, traffic: Traffic, waits: int) -> list[Seated]:
    """What came of so many waits."""
    rng = random.Random(f"{game} {waits}")
    coming = traffic.first(rng, waits)
    people = [one.person_id for one in await visitors(here.database, settings, 1 + max(one.person for one in coming))]
    order = count()
    events = [(one.at, next(order), people[one.person]) for one in coming]
    heapq.heapify(events)
    came: dict[int, float] = {}
    found: list[Seated] = []
    while len(found) < waits and (events or came):
        departs = await here.next_departure()
        if events and events[0][0] <= departs:
            at, _, person = heapq.heappop(events)
            await here.until(max(at, here.at))
            await here.lobby.join(person, game)
            came[person] = here.at
            continue
        await here.until(departs)
        tables = await here.lobby.seat_those_due()
        company = list(tables.values())
        lengths = {match: rng.lognormvariate(5.5, 0.4) for match in company}  # about four minutes
        for person, match in tables.items():
            found.append(Seated(match, company.count(match) > 1, here.at - came.pop(person)))
            if traffic.again is not None:
                back = traffic.again(rng, here.at + lengths[match])
                if back is not None:
                    heapq.heappush(events, (back, next(order), person))
        await here.database.pool.execute("UPDATE matches SET ended_at = now() WHERE ended_at IS NULL")
    return found


class Told(NamedTuple):
    """How well the time waited tells that a person is at the table: by being long, or by being middling."""

    long: Area
    middling: Area

    @property
    def is_chance(self) -> bool:
        return all(one.low <= 0.5 <= one.high for one in self)


def waiting_tells(found: Sequence[Seated]) -> Told:
    matches = np.array([one.match for one in found])
    company = np.array([one.company for one in found])
    waited = np.array([one.waited for one in found])
    rng = np.random.default_rng(1)
    middling = -np.abs(waited - WAITING_SECONDS / 2)
    return Told(with_interval(matches, company, waited, rng), with_interval(matches, company, middling, rng))
