"""Writes down what match sockets tell about people, their log and their screen: many in one transaction, once a second.

A batch every five seconds from everybody is far more often than anybody moves, and nobody waits for it. What is lost
when a process is killed was never acknowledged; the match matters more than its log.
"""

from __future__ import annotations

from typing import Final

import structlog

from server.live.records.interactions import Page, keep
from server.live.records.screens import Seen, keep_screens
from server.storage.database import Database

log = structlog.get_logger(__name__)

LARGEST_BATCH: Final = 500
MOST_WAITING: Final = 10_000
"""Pages kept in memory while the database is away; later ones are dropped."""


class Scribe:
    def __init__(self, database: Database):
        self.database = database
        self.waiting: list[Page] = []
        self.screens: list[Seen] = []

    def note(self, page: Page) -> None:
        if len(self.waiting) < MOST_WAITING:
            self.waiting.append(page)
        else:
            log.warning("live.log_dropped", match=page.match, number=page.number)

    def saw(self, seen: Seen) -> None:
        if len(self.screens) < MOST_WAITING:
            self.screens.append(seen)
        else:
            log.warning("live.screen_dropped", match=seen.match, seat=seen.seat)

    async def write(self) -> None:
        """Everything that was noted so far."""
        while self.screens:
            screens, self.screens = self.screens[:LARGEST_BATCH], self.screens[LARGEST_BATCH:]
            try:
                async with self.database.transaction() as session:
                    await keep_screens(session, screens)
            except BaseException:
                self.screens[:0] = screens
                raise
        while self.waiting:
            pages, self.waiting = self.waiting[:LARGEST_BATCH], self.waiting[LARGEST_BATCH:]
            try:
                async with self.database.transaction() as session:
                    await keep(session, pages)
            except BaseException:
                self.waiting[:0] = pages
                raise
