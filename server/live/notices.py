"""What the processes tell each other: one Postgres channel, listened to on a connection of its own.

A notice is a text: the sender's process id in the first line, then one line per event. The lines are

    m MATCH PLY AT TEXT,TEXT    moves were committed
    c MATCH                     somebody was asked or replaced
    s PERSON MATCH              a person in the lobby was seated

Everything is sent inside the transaction that it tells of, so it arrives if and only if that was committed.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import structlog

from server.ending import end
from server.live.commits import CHANNEL
from server.outages import DATABASE_AWAY

log = structlog.get_logger(__name__)

RETRY_SECONDS: Final = 0.5
CHECK_SECONDS: Final = 5.0

Handler = Callable[[list[str]], None]
"""Gets the words of a line after its letter."""


class Notices:
    """Listens, and hands every line of other processes to the handler of its letter."""

    def __init__(
        self, pool: asyncpg.Pool, process: str, handlers: dict[str, Handler], on_gap: Callable[[], None]
    ) -> None:
        self.pool = pool
        self.process = process
        self.handlers = handlers
        self.on_gap = on_gap
        self.task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Returns when the channel is open, so that nothing is missed afterwards."""
        opened = asyncio.Event()
        self.task = asyncio.create_task(self._listen_for_ever(opened))
        await opened.wait()

    async def stop(self) -> None:
        if self.task is not None:
            await end(self.task)

    async def _listen_for_ever(self, opened: asyncio.Event) -> None:
        while True:
            try:
                async with self.pool.acquire() as connection:
                    await connection.add_listener(CHANNEL, self._receive)
                    if opened.is_set():
                        self.on_gap()
                    opened.set()
                    lost = asyncio.Event()
                    connection.add_termination_listener(lambda *_, lost=lost: lost.set())
                    try:
                        while True:
                            with contextlib.suppress(TimeoutError):
                                await asyncio.wait_for(lost.wait(), CHECK_SECONDS)
                            await connection.execute("SELECT 1")
                    finally:
                        await connection.remove_listener(CHANNEL, self._receive)
            except DATABASE_AWAY as error:
                log.warning("live.listening_failed", error=str(error))
                await asyncio.sleep(RETRY_SECONDS)

    def _receive(self, _connection: object, _pid: int, _channel: str, payload: str) -> None:
        sender, _, lines = payload.partition("\n")
        if sender == self.process:
            return
        for line in lines.split("\n"):
            letter, *words = line.split(" ")
            self.handlers[letter](words)
