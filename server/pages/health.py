"""Whether this process can do its work: the database answers and has the schema it knows, or a newer one.

Migrations are safe while the previous version serves, so during an update that version stays healthy.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from sqlalchemy.exc import SQLAlchemyError

from server.storage.database import Database
from server.storage.migrate import current_revision, known_revisions, newest_revision

PATIENCE: Final = 3.0
"""Seconds; less than those who ask, such as a container's health check, have."""

_asking: WeakKeyDictionary[Database, asyncio.Task[Health]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Health:
    database: bool
    revision: str | None
    expected: str

    @property
    def migrated(self) -> bool:
        return self.revision == self.expected or self.newer

    @property
    def newer(self) -> bool:
        """Whether a newer version, which knows revisions that this one does not, has migrated the database."""
        return self.revision is not None and self.revision not in known_revisions()

    @property
    def good(self) -> bool:
        return self.database and self.migrated

    def as_json(self) -> dict[str, object]:
        return {
            "status": "ok" if self.good else "failing",
            "database": "ok" if self.database else "unreachable",
            "migrations": "ok" if self.migrated else f"expected {self.expected}, found {self.revision}",
        }


async def check_health(database: Database) -> Health:
    """Answers within PATIENCE even if the database is frozen. One question at a time is on the way, whoever asks: else
    those who ask every few seconds would take all connections."""
    asking = _asking.get(database)
    if asking is None or asking.done():
        asking = _asking[database] = asyncio.create_task(_ask(database))
    await asyncio.wait({asking}, timeout=PATIENCE)
    return asking.result() if asking.done() else Health(False, None, newest_revision())


async def _ask(database: Database) -> Health:
    try:
        async with database.engine.connect() as connection:
            return Health(True, await current_revision(connection), newest_revision())
    except (SQLAlchemyError, OSError):
        return Health(False, None, newest_revision())
