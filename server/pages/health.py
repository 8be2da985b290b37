"""Whether this process can do its work: the database answers and has the schema it knows, or a newer one.

Migrations are safe while the previous version serves, so during an update that version stays healthy.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.exc import SQLAlchemyError

from server.database import Database
from server.migrate import current_revision, known_revisions, newest_revision


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
    try:
        async with database.engine.connect() as connection:
            return Health(True, await current_revision(connection), newest_revision())
    except (SQLAlchemyError, OSError):
        return Health(False, None, newest_revision())
