"""How each fault of a plan is done."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import subprocess
from collections.abc import Awaitable, Callable
from typing import Any, Final

import psutil
from pydantic import JsonValue

from games.jostle import JOSTLE
from server.jobs.registry import enqueue
from server.ratings.tasks import COMPUTE
from server.storage.database import Database
from server.storage.outages import is_outage
from tests.chaos.plan import Fault
from tests.chaos.process import FAIL, NOTE
from tests.chaos.world import World

AT_ONCE: Final = 100


class Attack:
    """The faults, and what they have done so far."""

    def __init__(self, world: World, database: Database, crowds: list[subprocess.Popen[bytes]]):
        self.world = world
        self.database = database
        self.crowds = crowds
        self.notes = 0
        self.failures = 0
        self.frozen: set[int] = set()

    async def strike(self, fault: Fault) -> None:
        await FAULTS[fault.kind](self, **fault.details)

    # ------------------------------------------------------------------------------------------------------- processes

    async def kill_server(self, server: int, away: float) -> None:
        await self.world.kill(f"server-{server}", away)

    async def kill_worker(self, away: float) -> None:
        await self.world.kill("worker", away)

    async def kill_computation(self) -> None:
        """Whatever the worker has given to a process of its own, as the kernel does for want of memory."""
        worker = self.world.named("worker").process
        assert worker is not None
        with contextlib.suppress(psutil.NoSuchProcess):
            for child in psutil.Process(worker.pid).children(recursive=True):
                if "multiprocessing.spawn" in " ".join(child.cmdline()):
                    child.kill()

    async def restart_postgres(self, away: float) -> None:
        await self.world.take_postgres(away, killed=False)

    async def kill_postgres(self, away: float) -> None:
        await self.world.take_postgres(away, killed=True)

    # --------------------------------------------------------------------------------------------------------- clients

    async def freeze(self, crowd: int, **details: Any) -> None:
        process = self.crowds[crowd]
        if crowd in self.frozen or process.poll() is not None:
            return
        self.frozen.add(crowd)
        process.send_signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(details["for"])
        finally:
            process.send_signal(signal.SIGCONT)
            self.frozen.discard(crowd)

    async def stop_reading(self, crowd: int, **details: Any) -> None:
        self._command(crowd, {"do": "stop reading", **details})

    async def cut(self, crowd: int, **details: Any) -> None:
        self._command(crowd, {"do": "cut", **details})

    def _command(self, crowd: int, command: dict[str, Any]) -> None:
        process = self.crowds[crowd]
        assert process.stdin is not None
        if process.poll() is None:
            process.stdin.write(json.dumps(command).encode() + b"\n")
            process.stdin.flush()

    # ------------------------------------------------------------------------------------------------------------ jobs

    async def fill_queue(self, jobs: int, failing: float) -> None:
        """Some fail, one in fifty computes the ratings, the others leave a note."""
        for first in range(0, jobs, AT_ONCE):
            size = min(AT_ONCE, jobs - first)
            failures, computations = round(size * failing), size // 50
            await self.enqueue(size - failures - computations, failures, computations)

    async def enqueue(self, notes: int, failures: int, computations: int) -> None:
        """All of them; again if the database went away, which may bring some of them twice."""
        wanted: list[tuple[str, JsonValue]] = [(NOTE, self.notes + number) for number in range(notes)]
        wanted += [(FAIL, self.failures + number) for number in range(failures)]
        wanted += [(COMPUTE, {"game": JOSTLE.reference})] * computations
        self.notes += notes
        self.failures += failures
        while True:
            try:
                async with self.database.transaction() as session:
                    for name, payload in wanted:
                        await enqueue(session, name, payload)
                return
            except Exception as error:
                if not is_outage(error):
                    raise
                await asyncio.sleep(0.2)

    # ----------------------------------------------------------------------------------------------------------- clock

    async def forward(self, by: float) -> None:
        await self.world.move_clock(by)

    async def back(self, by: float) -> None:
        await self.world.move_clock(-by)


FAULTS: Final[dict[str, Callable[..., Awaitable[None]]]] = {
    "kill a server": Attack.kill_server,
    "restart Postgres": Attack.restart_postgres,
    "kill Postgres": Attack.kill_postgres,
    "kill the worker": Attack.kill_worker,
    "kill a computation": Attack.kill_computation,
    "freeze a crowd": Attack.freeze,
    "stop reading": Attack.stop_reading,
    "cut within a frame": Attack.cut,
    "fill the queue": Attack.fill_queue,
    "put the clock forward": Attack.forward,
    "put the clock back": Attack.back,
}
