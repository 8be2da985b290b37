"""Many probands at once: they come one after the other, stay for a while, and go when what they began is ended."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.probands.accounts import Login
from benchmarks.probands.advice import Library
from benchmarks.probands.browser import Browser
from benchmarks.probands.proband import Habits, Proband
from benchmarks.probands.tally import Tally


@dataclass
class Crowd:
    port: int
    habits: Habits
    tally: Tally = field(default_factory=Tally)
    library: Library = field(default_factory=Library)
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def come(self, logins: Sequence[Login], seconds: float) -> None:
        """All of them, evenly spread over this time."""
        for login in logins:
            browser = Browser(self.port, login.network, self.tally)
            proband = Proband(login.email, login.password, browser, self.habits, self.library, login.email)
            self.tasks.append(asyncio.create_task(proband.live(self.closing)))
            await asyncio.sleep(seconds / len(logins))

    async def go(self, patience: float) -> None:
        """Nobody begins another match; whoever is not through after `patience` seconds is counted as an error."""
        self.closing.set()
        if self.tasks:
            _, late = await asyncio.wait(self.tasks, timeout=patience)
            for task in late:
                self.tally.failed("not through in time")
                task.cancel()
        for result in await asyncio.gather(*self.tasks, return_exceptions=True):
            if isinstance(result, BaseException) and not isinstance(result, asyncio.CancelledError):
                self.tally.failed(f"driver: {result!r}")
