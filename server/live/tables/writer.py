"""Group commit: whatever came in while the last transaction was being written goes into the next one.

Everything that is written names the state that it answers to, and its statement changes only matches that still are in
it; which locks the row and makes a second answer to the same state, from wherever, change nothing. What is written is
one transaction with the notification to the other processes; whoever submitted is told after it is durable.

While the database is away everything waits. What it will never take is refused alone: the others of its batch are then
written one by one.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import structlog

from server.base.ending import end
from server.storage.outages import is_outage

log = structlog.get_logger(__name__)

LARGEST_BATCH: Final = 400
RETRY_SECONDS: Final = 0.2
LAST_WORDS_SECONDS: Final = 5.0


class Outcome(Enum):
    """What became of a commit."""

    WRITTEN = "written"
    TAKEN = "taken"
    """Somebody else was first."""
    UNKNOWN = "unknown"
    """The database went away over it."""
    REFUSED = "refused"
    """The database will never take it."""


Done = Callable[[Outcome], None]


class Writable(Protocol):
    """What answers to a state of a match."""

    @property
    def match(self) -> int: ...

    @property
    def ply(self) -> int: ...


T = TypeVar("T", bound=Writable)


class Form(NamedTuple, Generic[T]):
    """How such things are written."""

    statement: str
    """Its first column: the matches that were changed."""
    arguments: Callable[[Sequence[T], str], tuple[object, ...]]
    """Of a batch, and of the process that writes it."""


def columns(rows: Sequence[tuple[object, ...]], number: int) -> Sequence[Sequence[object]]:
    """Rows as the arrays that a statement takes."""
    return list(zip(*rows, strict=True)) if rows else [()] * number


def tell(done: Done, outcome: Outcome) -> None:
    """A table in trouble must neither end the writing of all others nor keep them from being told."""
    try:
        done(outcome)
    except Exception:
        log.exception("live.telling_failed")


class Writer(Generic[T]):
    """Writes what one process submits, many at a time."""

    def __init__(self, form: Form[T], pool: asyncpg.Pool, process: str, writers: int = 1):
        self.form = form
        self.pool = pool
        self.process = process
        self.writers = writers
        self.queue: list[tuple[T, Done]] = []
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

    def submit(self, one: T, done: Done) -> None:
        self.queue.append((one, done))
        self.drained.clear()
        self.wake.set()

    async def _write_for_ever(self) -> None:
        while True:
            try:
                async with self.pool.acquire() as connection:
                    statement = await connection.prepare(self.form.statement)
                    while True:
                        await self._write_next(statement)
            except Exception as error:
                if is_outage(error):
                    log.warning("live.commit_failed", error=str(error))
                else:  # ours: but nobody could play any more if the writing ended with it
                    log.exception("live.writing_failed")
                await asyncio.sleep(RETRY_SECONDS)

    async def _write_next(self, statement: "asyncpg.prepared_stmt.PreparedStatement") -> None:
        while not self.queue:
            self.wake.clear()
            await self.wake.wait()
        batch, self.queue = self.queue[:LARGEST_BATCH], self.queue[LARGEST_BATCH:]
        await self._write(statement, batch)
        if not self.queue:
            self.drained.set()

    async def _write(
        self, statement: "asyncpg.prepared_stmt.PreparedStatement", batch: Sequence[tuple[T, Done]]
    ) -> None:
        try:
            row = await statement.fetchrow(*self.form.arguments([one for one, _ in batch], self.process))
        except Exception as error:
            if not is_outage(error):
                await self._write_apart(statement, batch, error)
                return
            for _, done in batch:
                tell(done, Outcome.UNKNOWN)
            raise
        except BaseException:
            for _, done in batch:
                tell(done, Outcome.UNKNOWN)
            raise
        assert row is not None, "the statement always gives one row"
        changed = set(row[0] or ())
        for one, done in batch:
            tell(done, Outcome.WRITTEN if one.match in changed else Outcome.TAKEN)

    async def _write_apart(
        self,
        statement: "asyncpg.prepared_stmt.PreparedStatement",
        batch: Sequence[tuple[T, Done]],
        error: Exception,
    ) -> None:
        """Something in the batch cannot be written: find it, and let the others not suffer for it."""
        if len(batch) > 1:
            for place, one in enumerate(batch):
                try:
                    await self._write(statement, [one])
                except BaseException:
                    for _, done in batch[place + 1 :]:
                        tell(done, Outcome.UNKNOWN)
                    raise
            return
        ((refused, done),) = batch
        log.error("live.commit_refused", match=refused.match, ply=refused.ply, exc_info=error)
        tell(done, Outcome.REFUSED)
