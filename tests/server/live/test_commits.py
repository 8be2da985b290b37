"""Moves are written many at a time: what the database will never take harms nobody else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from games.protocol import CHANCE
from server.base.settings import Settings
from server.live.config import LiveConfig
from server.live.tables.commits import COMMITS, Commit
from server.live.tables.notices import CHANNEL, Notices, grouped, line, moved_line
from server.live.tables.table import NOTHING_DUE
from server.live.tables.writer import Outcome, Writer
from server.matchmaking.seating import Seating
from server.storage.database import Database, connect
from server.storage.outages import is_outage, outages_suppressed
from tests.server.live.clients import visitors

LONG = tuple(f"(say {number}, (and so on {'x' * 170}))" for number in range(60))


@pytest.fixture
async def committer(database: Database) -> AsyncIterator[Writer[Commit]]:
    made = Writer(COMMITS, database.pool, "test")
    yield made
    await made.stop()


async def matches(database: Database, settings: Settings, number: int) -> list[int]:
    people = await visitors(database, settings, number)
    async with database.transaction() as session:
        return [(await Seating(LiveConfig()).seat(session, [one.person_id])).id for one in people]


def a_commit(match: int, *texts: str, ply: int = 0, starts: bool = True) -> Commit:
    return Commit(
        match=match,
        ply=ply,
        starts=starts,
        seats=(CHANCE,) * len(texts),
        texts=texts,
        sources=("chance",) * len(texts),
        ms=(0,) * len(texts),
        to_act=0,
        position="somewhere",
        at=1.0e9,
        next=NOTHING_DUE,
        scores=None,
        winners=None,
        notice=moved_line(match, ply, 1.0e9, texts),
    )


async def outcomes(committer: Writer[Commit], *commits: Commit) -> list[Outcome]:
    """What becomes of commits that come in at the same time."""
    told: dict[int, Outcome] = {}
    everybody = asyncio.Event()

    def hear(place: int, outcome: Outcome) -> None:
        told[place] = outcome
        if len(told) == len(commits):
            everybody.set()

    for place, commit in enumerate(commits):
        committer.submit(commit, lambda outcome, place=place: hear(place, outcome))  # type: ignore[misc]  # mypy does not see the default argument
    if not committer.tasks:
        committer.start()
    await asyncio.wait_for(everybody.wait(), 60)
    return [told[place] for place in range(len(commits))]


async def moves_of(database: Database, match: int) -> list[str]:
    rows = await database.pool.fetch("SELECT move FROM match_moves WHERE match_id = $1 ORDER BY ply", match)
    return [row[0] for row in rows]


async def test_what_cannot_be_written_is_refused_alone(
    database: Database, settings: Settings, committer: Writer[Commit]
) -> None:
    first, bad, last = await matches(database, settings, 3)
    found = await outcomes(committer, a_commit(first, "1"), a_commit(bad, "\x00"), a_commit(last, "3"))
    assert found == [Outcome.WRITTEN, Outcome.REFUSED, Outcome.WRITTEN]
    assert [await moves_of(database, match) for match in (first, bad, last)] == [["1"], [], ["3"]]
    assert await outcomes(committer, a_commit(bad, "2")) == [Outcome.WRITTEN], "the writing goes on"


async def test_moves_that_are_too_long_for_a_notice_are_written_and_told(
    database: Database, settings: Settings, committer: Writer[Commit]
) -> None:
    """Postgres refuses a transaction that tells more than 8000 bytes at a time."""
    heard: list[tuple[Any, ...]] = []
    notices = Notices(database.pool, "other", {"m": lambda *told: heard.append(told)}, lambda: None)
    await notices.start()
    wordy, *short = await matches(database, settings, 4)
    commits = [a_commit(wordy, *LONG), *(a_commit(match, *LONG[:30]) for match in short)]
    assert await outcomes(committer, *commits) == [Outcome.WRITTEN] * 4
    assert await moves_of(database, wordy) == list(LONG)
    async with asyncio.timeout(30):
        while len(heard) < 4:  # noqa: ASYNC110 - Postgres tells them
            await asyncio.sleep(0.05)
    await notices.stop()
    assert sorted(heard) == [
        (wordy, 0, 1.0e9, None),
        *((match, 0, 1.0e9, list(LONG[:30])) for match in sorted(short)),
    ]


def test_lines_find_room_in_notices_that_postgres_takes() -> None:
    lines = [line("m", 1, 2, 3.0, ["x" * size]) for size in (10, 7000, 900, 10, 7800, 5)]
    numbers = grouped(lines)
    assert numbers == sorted(numbers)
    for number in set(numbers):
        group = [one for one, place in zip(lines, numbers, strict=True) if place == number]
        assert len("\n".join(["0123456789ab", *group]).encode()) < 8000


def test_a_line_carries_any_move() -> None:
    texts = ["a, b (c d)", 'say "x"', "ü\\", "[1,2]"]
    letter, _, rest = moved_line(7, 3, 1.5, texts).partition(" ")
    assert (letter, json.loads(rest)) == ("m", [7, 3, 1.5, texts])
    assert moved_line(7, 3, 1.5, texts).isascii()


async def test_a_match_begins_once(database: Database, settings: Settings, committer: Writer[Commit]) -> None:
    (match,) = await matches(database, settings, 1)
    assert await outcomes(committer, a_commit(match)) == [Outcome.WRITTEN], "also without a move"
    assert await outcomes(committer, a_commit(match)) == [Outcome.TAKEN]
    assert await outcomes(committer, a_commit(match, "1")) == [Outcome.TAKEN]
    assert await outcomes(committer, a_commit(match, "1", starts=False)) == [Outcome.WRITTEN]
    assert CHANNEL


async def test_an_outage_is_told_from_a_mistake(database: Database, database_url: str) -> None:
    async with connect("postgresql://nobody:none@127.0.0.1:1/none?sslmode=disable") as away:
        with pytest.raises(OSError) as refused:
            await away.pool.execute("SELECT 1")
        assert is_outage(refused.value)
        with outages_suppressed():
            async with away.sessions() as session:
                await session.execute(text("SELECT 1"))
    closed = await asyncpg.connect(database_url)
    await closed.close()
    with pytest.raises(asyncpg.InterfaceError) as hung_up:
        await closed.execute("SELECT 1")
    assert is_outage(hung_up.value)
    for mistake in ("SELECT nothing FROM nowhere", "SELECT 1 / 0", "SELECT 'x'::int", "SELEC"):
        with pytest.raises(asyncpg.PostgresError) as ours:
            await database.pool.execute(mistake)
        assert not is_outage(ours.value), mistake
        async with database.sessions() as session:
            with pytest.raises(DBAPIError) as wrapped:
                await session.execute(text(mistake.replace(":", "\\:")))
        assert not is_outage(wrapped.value), mistake
    with pytest.raises(asyncpg.DataError) as argument:
        await database.pool.execute("SELECT $1::int", "x")
    assert not is_outage(argument.value)
    with pytest.raises(asyncpg.InterfaceError) as too_many:
        await database.pool.execute("SELECT $1::int", 1, 2)
    assert not is_outage(too_many.value)
    one = await asyncpg.connect(database_url)
    busy = asyncio.create_task(one.execute("SELECT pg_sleep(3600)"))
    asked = "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND state = 'active'"
    while not await database.pool.fetchval(asked, one.get_server_pid()):  # noqa: ASYNC110 - in another process
        await asyncio.sleep(0.01)
    with pytest.raises(asyncpg.InterfaceError) as at_once:
        await one.execute("SELECT 1")
    one.terminate()
    await asyncio.wait([busy])
    assert isinstance(busy.exception(), asyncpg.PostgresConnectionError), "it was hung up on"
    assert not is_outage(at_once.value)
    async with database.pool.acquire() as held:
        await database.pool.execute("SELECT pg_terminate_backend($1)", held.get_server_pid())
        # Which of these it is depends on whether the goodbye has been read already.
        either = (asyncpg.InterfaceError, asyncpg.PostgresError, asyncpg.InternalClientError)
        with pytest.raises(either) as lost:
            async with asyncio.timeout(60):
                while True:  # until it is noticed
                    await held.execute("SELECT 1")
        assert is_outage(lost.value)
        with pytest.raises(asyncpg.InterfaceError, match="released") as taken_back:
            await held.execute("SELECT 1")
        assert is_outage(taken_back.value)
    async with database.sessions() as session:
        await session.execute(text("SELECT 1"))
        await database.pool.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> "
            "pg_backend_pid()"
        )
        with pytest.raises(DBAPIError) as cut:
            await session.execute(text("SELECT 1"))
    assert is_outage(cut.value)
