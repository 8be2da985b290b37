"""`grintu` with a clock that can be moved from outside, and with the jobs that a chaos run fills the queue with.

    python -m tests.chaos.process CLOCK_FILE serve --port 0

The clock file holds one double: how many seconds the process is ahead of the machine.
"""

from __future__ import annotations

import asyncio
import faulthandler
import mmap
import signal
import struct
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import JsonValue
from sqlalchemy import text

from server.base.clock import use_clock
from server.cli.main import app
from server.jobs.registry import Tools, job

SHIFT = struct.Struct("d")
NOTE, FAIL = "chaos.note", "chaos.fail"


class MovableClock:
    """The machine's time plus what the file says."""

    def __init__(self, path: Path):
        with path.open("rb") as file:
            self.shift = mmap.mmap(file.fileno(), SHIFT.size, access=mmap.ACCESS_READ)

    def __call__(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=SHIFT.unpack_from(self.shift)[0])


@job(NOTE)
async def note(tools: Tools, payload: JsonValue) -> None:
    """Leaves a trace that can be counted; doing it twice is doing it once."""
    async with tools.database.transaction() as session:
        query = text("INSERT INTO chaos.notes (number) VALUES (:number) ON CONFLICT DO NOTHING")
        await session.execute(query, {"number": payload})


@job(FAIL)
async def fail(_: Tools, payload: JsonValue) -> None:
    raise RuntimeError(f"job {payload} fails on purpose")


def tell_where(*_: object) -> None:
    """What everybody is waiting for; to the log, for whoever looks into a run that is stuck."""
    for task in asyncio.all_tasks(asyncio.get_event_loop_policy().get_event_loop()):
        task.print_stack(limit=8)


def main() -> None:
    path = Path(sys.argv.pop(1))
    signal.signal(signal.SIGUSR1, tell_where)
    faulthandler.register(signal.SIGUSR1, chain=True)
    with use_clock(MovableClock(path)):
        app()


if __name__ == "__main__":
    main()
