"""What the processes tell each other: one Postgres channel, listened to on a connection of its own.

A notice is a text: the sender's process id in the first line, then one line per event, a letter and a list in JSON:

    m [MATCH, PLY, AT, [TEXT, TEXT]]    moves were committed; null instead of texts that would be too long
    c [MATCH]                           somebody was asked or replaced, or has chosen while others still choose
    s [PERSON, MATCH]                   a person in the lobby was seated

Everything is sent inside the transaction that it tells of, so it arrives if and only if that was committed. Postgres
takes at most 8000 bytes at a time, and refuses the whole transaction otherwise.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Sequence
from typing import Any, Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import structlog

from server.base.ending import end
from server.live.wire.frames import listed
from server.storage.outages import is_outage

log = structlog.get_logger(__name__)

CHANNEL: Final = "grintu_live"
LONGEST: Final = 7900
"""Bytes of the lines of one notice: what Postgres takes, less the sender."""
RETRY_SECONDS: Final = 0.5
CHECK_SECONDS: Final = 5.0

Handler = Callable[..., None]
"""Gets the members of a line's list."""


def line(letter: str, *told: Any) -> str:
    """A line of a notice; all of it ASCII, so that its characters are its bytes."""
    return f"{letter} {json.dumps(told, separators=(',', ':'))}"


def moved_line(match: int, ply: int, at: float, texts: Sequence[str]) -> str:
    """Tells of moves; those who need texts that are too long read them in the database."""
    told = f"m [{match},{ply},{at:.6f},[{listed(tuple(texts))}]]"
    return told if len(told) < LONGEST else f"m [{match},{ply},{at:.6f},null]"


def changed_line(match: int) -> str:
    return f"c [{match}]"


def grouped(lines: Sequence[str]) -> list[int]:
    """For each line the number of the notice in which it has room."""
    numbers: list[int] = []
    number, used = 0, 0
    for one in lines:
        used += len(one) + 1
        if used > LONGEST:
            number, used = number + 1, len(one) + 1
        numbers.append(number)
    return numbers


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
            except Exception as error:
                if not is_outage(error):
                    raise
                log.warning("live.listening_failed", error=str(error))
                await asyncio.sleep(RETRY_SECONDS)

    def _receive(self, _connection: object, _pid: int, _channel: str, payload: str) -> None:
        sender, _, lines = payload.partition("\n")
        if sender == self.process:
            return
        for told in lines.split("\n"):
            letter, _, rest = told.partition(" ")
            self.handlers[letter](*json.loads(rest))
