"""Live play of one server process, from start to stop: tables, notices and the sweep. Matchmaking fills the tables."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import Final

import structlog

from server.base.clock import now
from server.base.ending import end
from server.live.config import LiveConfig
from server.live.sockets.connection import Connection
from server.live.tables.house import House
from server.live.tables.notices import Notices
from server.live.wire import messages as wire
from server.programs.service import Programs
from server.storage.database import Database
from server.storage.outages import is_outage, outages_suppressed

log = structlog.get_logger(__name__)

SWEEP_SECONDS: Final = 1.0
MARK_SECONDS: Final = 5.0
SESSION_SECONDS: Final = 5.0
SESSIONS_AT_ONCE: Final = 2000
"""So many sockets are asked about in one query: moves get their turn between two of them."""
OVERDUE_SECONDS: Final = 1.0
"""So long after a deadline nobody seems to have the match loaded."""
EVICT_SECONDS: Final = 60.0
LOG_SECONDS: Final = 1.0


class Live:
    """Everything that live play keeps in a process; `app.state.live`."""

    def __init__(self, database: Database, config: LiveConfig, programs: Programs):
        self.config = config
        self.house = House(database, config, programs)
        self.waiting: dict[int, set[Connection]] = defaultdict(set)
        """Lobby sockets of this process, by person."""
        self.notices = Notices(
            database.pool,
            self.house.process,
            {
                "m": self.house.committed_elsewhere,
                "c": self.house.changed_elsewhere,
                "s": self.seated,
            },
            self.house.doubt_everything,
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Live]:
        await self.house.repository.beat()
        await self.notices.start()
        self.house.committer.start()
        self.house.sealer.start()
        loops = [
            asyncio.create_task(repeat(self.sweep, SWEEP_SECONDS)),
            asyncio.create_task(repeat(self.house.repository.mark_gone, MARK_SECONDS)),
            asyncio.create_task(repeat(self.end_expired_sessions, SESSION_SECONDS)),
            asyncio.create_task(repeat(self.house.scribe.write, LOG_SECONDS)),
            asyncio.create_task(repeat(self.house.decisions.write, LOG_SECONDS)),
        ]
        try:
            yield self
        finally:
            await end(*loops)
            for connection in self.connections():
                connection.close(1012, "restarting")
            for task in list(self.house.tasks):
                task.cancel()
            await self.house.sealer.stop()
            await self.house.committer.stop()
            await self.notices.stop()
            for table in self.house.tables.values():
                table.rest()
            with outages_suppressed():
                await self.house.scribe.write()
                await self.house.decisions.write()
                await self.house.repository.leave()

    def connections(self) -> Iterable[Connection]:
        for group in self.waiting.values():
            yield from list(group)
        for table in self.house.tables.values():
            yield from table.everybody()

    def seated(self, person: int, match: int) -> None:
        for connection in self.waiting.get(person, ()):
            connection.send(wire.Seated(match=str(match)))

    async def sweep(self) -> None:
        """Say that this process lives; act on what nobody has acted on; let go of what nobody needs."""
        repository, clockwork = self.house.repository, self.house.clockwork
        if not await repository.beat():
            await self.house.announce()
        for match in await repository.overdue(OVERDUE_SECONDS):
            table = await self.house.table(match)
            if table is not None:
                clockwork.act_if_overdue(table)
        for match, seat in await repository.gone_too_long():
            table = await self.house.table(match)
            if table is not None and table.connections.get(seat):
                await self.house.note_presence(table, seat)
            elif table is not None:
                await clockwork.replace(table, seat, "grace")
        self.evict()

    def evict(self) -> None:
        """Forget tables where nobody sits; the database knows them."""
        before = now().timestamp() - EVICT_SECONDS
        for match, table in list(self.house.tables.items()):
            if table.busy or any(table.connections.values()):
                continue
            if table.idle_since is None:
                table.idle_since = now().timestamp()
            elif table.ended or table.idle_since < before:
                table.rest()
                del self.house.tables[match]

    async def end_expired_sessions(self) -> None:
        """Sockets live as long as the log-in that opened them."""
        for some in slices(list(self.connections()), SESSIONS_AT_ONCE):
            expired = await self.house.repository.expired([one.session_id for one in some])
            for connection in some:
                if connection.session_id in expired:
                    connection.send(wire.Problem(code="session_expired", message="please log in again"))
                    connection.close(4401, "session expired")


def slices(connections: list[Connection], size: int) -> Iterator[list[Connection]]:
    for start in range(0, len(connections), size):
        yield connections[start : start + size]


async def repeat(work: Callable[[], Awaitable[None]], seconds: float) -> None:
    """Again and again; the database being away for a while ends nothing, nor does a fault in the work itself."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await work()
        except Exception as error:
            if is_outage(error):
                log.warning("live.database_trouble", work=work.__name__, error=str(error))
            else:
                log.exception("live.work_failed", work=work.__name__)
