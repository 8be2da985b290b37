"""Group commit of moves: whatever came in while the last transaction was being written goes into the next one.

A commit names the ply it answers to. The statement updates the match only where that is still the ply, which locks the
row and makes a second commit for the same ply, from wherever, change nothing. Moves, the new state with its deadline,
and the notification to the other processes are one transaction; whoever submitted is told after it is durable. A match
that is over has no legal move, so its last ply is never answered to.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final, NamedTuple

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import structlog

from server.ending import end
from server.live.models import Due
from server.outages import DATABASE_AWAY

log = structlog.get_logger(__name__)

CHANNEL: Final = "grintu_live"
LARGEST_BATCH: Final = 400
LINES_PER_NOTICE: Final = 50
RETRY_SECONDS: Final = 0.2
LAST_WORDS_SECONDS: Final = 5.0

Done = Callable[[bool | None], None]
"""Told True when committed, False when the ply was already taken, None when the database could not say."""


class Commit(NamedTuple):
    """A seat's move with the dice after it, and the state they lead to. Times are seconds since the epoch."""

    match: int
    ply: int
    seats: tuple[int, ...]
    texts: tuple[str, ...]
    sources: tuple[str, ...]
    ms: int
    to_act: int
    position: str
    at: float
    due_at: float | None
    due: Due | None
    scores: str | None
    winners: str | None
    notice: str


STATEMENT: Final = """
WITH came AS (
    SELECT * FROM unnest($1::bigint[], $2::int[], $3::int[], $4::smallint[], $5::text[], $6::float8[], $7::float8[],
                         $8::text[], $9::text[], $10::text[], $11::text[])
        WITH ORDINALITY AS t(id, ply, next_ply, to_act, position, at, due_at, due, scores, winners, notice, n)
), moved AS (
    UPDATE matches m
    SET ply = came.next_ply, to_act = came.to_act, position = came.position, turn_at = to_timestamp(came.at),
        due_at = to_timestamp(came.due_at), due = came.due,
        ended_at = CASE WHEN came.scores IS NULL THEN NULL ELSE to_timestamp(came.at) END,
        scores = string_to_array(came.scores, ',')::int[], winners = string_to_array(came.winners, ',')::int[]
    FROM came
    WHERE m.id = came.id AND m.ply = came.ply
    RETURNING m.id
), appended AS (
    INSERT INTO match_moves (match_id, ply, seat, move, source, ms, at)
    SELECT new.id, new.ply, new.seat, new.move, new.source, new.ms, to_timestamp(new.at)
    FROM unnest($12::bigint[], $13::int[], $14::smallint[], $15::text[], $16::text[], $17::int[], $18::float8[])
        AS new(id, ply, seat, move, source, ms, at)
    WHERE new.id IN (SELECT id FROM moved)
), told AS (
    SELECT pg_notify($19, $20 || E'\\n' || string_agg(came.notice, E'\\n')) FROM came JOIN moved USING (id)
    GROUP BY came.n / $21::int
)
SELECT (SELECT array_agg(id) FROM moved), (SELECT count(*) FROM told)
"""


def arguments(batch: list[Commit], process: str) -> tuple[object, ...]:
    """The statement's arrays: one entry per match, then one per move."""
    moves = [
        (one.match, one.ply + index, seat, text, source, 0 if index else one.ms, one.at)
        for one in batch
        for index, (seat, text, source) in enumerate(zip(one.seats, one.texts, one.sources, strict=True))
    ]
    matches = [
        (
            one.match,
            one.ply,
            one.ply + len(one.texts),
            one.to_act,
            one.position,
            one.at,
            one.due_at,
            one.due,
            one.scores,
            one.winners,
            one.notice,
        )
        for one in batch
    ]
    return (*zip(*matches, strict=True), *zip(*moves, strict=True), CHANNEL, process, LINES_PER_NOTICE)


def tell(done: Done, result: bool | None) -> None:
    """A table in trouble must neither end the writing of all others nor keep them from being told."""
    try:
        done(result)
    except Exception:
        log.exception("live.telling_failed")


class Committer:
    """Writes commits of one process, many at a time."""

    def __init__(self, pool: asyncpg.Pool, process: str, writers: int = 1):
        self.pool = pool
        self.process = process
        self.writers = writers
        self.queue: list[tuple[Commit, Done]] = []
        self.wake = asyncio.Event()
        self.drained = asyncio.Event()
        self.drained.set()
        self.tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self.tasks = [asyncio.create_task(self._write_for_ever()) for _ in range(self.writers)]

    async def stop(self) -> None:
        """Write what is queued, then end."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.drained.wait(), LAST_WORDS_SECONDS)
        await end(*self.tasks)

    def submit(self, commit: Commit, done: Done) -> None:
        self.queue.append((commit, done))
        self.drained.clear()
        self.wake.set()

    async def _write_for_ever(self) -> None:
        while True:
            try:
                async with self.pool.acquire() as connection:
                    statement = await connection.prepare(STATEMENT)
                    while True:
                        await self._write_next(statement)
            except DATABASE_AWAY as error:
                log.warning("live.commit_failed", error=str(error))
                await asyncio.sleep(RETRY_SECONDS)

    async def _write_next(self, statement: "asyncpg.prepared_stmt.PreparedStatement") -> None:
        while not self.queue:
            self.wake.clear()
            await self.wake.wait()
        batch, self.queue = self.queue[:LARGEST_BATCH], self.queue[LARGEST_BATCH:]
        try:
            row = await statement.fetchrow(*arguments([commit for commit, _ in batch], self.process))
        except BaseException:
            for _, done in batch:
                tell(done, None)
            raise
        assert row is not None, "the statement always gives one row"
        moved = set(row[0] or ())
        for commit, done in batch:
            tell(done, commit.match in moved)
        if not self.queue:
            self.drained.set()
