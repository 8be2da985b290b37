"""Writes down what people log over their match sockets: many batches in one transaction, once a second.

A batch every five seconds from everybody is far more often than anybody moves, and nobody waits for it. What is lost
when a process is killed was never acknowledged; the match matters more than its log.
"""

from __future__ import annotations

from typing import Final

import structlog

from server.database import Database
from server.live.interactions import Page, keep

log = structlog.get_logger(__name__)

LARGEST_BATCH: Final = 500
MOST_WAITING: Final = 10_000
"""Pages kept in memory while the database is away; later ones are dropped."""


class Scribe:
    def __init__(self, database: Database):
        self.database = database
        self.waiting: list[Page] = []

    def note(self, page: Page) -> None:
        if len(self.waiting) < MOST_WAITING:
            self.waiting.append(page)
        else:
            log.warning("live.log_dropped", match=page.match, number=page.number)

    async def write(self) -> None:
        """Everything that was noted so far."""
        while self.waiting:
            pages, self.waiting = self.waiting[:LARGEST_BATCH], self.waiting[LARGEST_BATCH:]
            try:
                async with self.database.transaction() as session:
                    await keep(session, pages)
            except BaseException:
                self.waiting[:0] = pages
                raise
