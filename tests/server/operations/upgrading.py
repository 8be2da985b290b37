"""A database that has lived through every migration, with data of each time in it; and what to beware of in one.

`history/REVISION.sql` is what an installation of that revision could have written. It is plain SQL and stays as it is:
today's models say nothing about yesterday's rows.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, event

from server.migrate import _config, migrate

HISTORY = Path(__file__).parent / "history"
CHAIN = [found.revision for found in ScriptDirectory.from_config(_config()).walk_revisions()][::-1]
"""Every revision, oldest first."""

DERIVED = {"overview_days"}
"""Tables that are computed anew from the others whenever they lack something: losing their rows is no loss."""

Row = dict[str, Any]
Rows = dict[str, list[Row]]
"""Table → its rows."""


@dataclass
class Step:
    """What one migration found and did, and what its time wrote afterwards."""

    revision: str
    before: Rows
    after: Rows
    written: Rows
    statements: list[str] = field(default_factory=list)

    @property
    def lost(self) -> list[tuple[str, Row]]:
        return lost(self.before, self.after)

    @property
    def hazards(self) -> list[str]:
        return [found for statement in self.statements for found in hazards(statement, self.before.keys() - DERIVED)]


def lost(before: Rows, after: Rows) -> list[tuple[str, Row]]:
    """Rows that are not there any more, or not with all their values; new columns are no loss."""
    return [
        (table, row)
        for table, rows in before.items()
        if table not in DERIVED
        for row in rows
        if not any(all(new.get(name, ...) == value for name, value in row.items()) for new in after.get(table, ()))
    ]


async def rows_of(connection: asyncpg.Connection) -> Rows:
    """Everything in the database but the revision it is at."""
    names = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
    every = 'SELECT to_jsonb(t)::text FROM "{}" t'
    return {
        name: [json.loads(row[0]) for row in await connection.fetch(every.format(name))]
        for (name,) in names
        if name != "alembic_version"
    }


async def grow(url: str) -> list[Step]:
    """Migrate an empty database step by step, and let every step's time write its data."""
    steps = []
    connection = await asyncpg.connect(url)
    for revision in CHAIN:
        before = await rows_of(connection)
        with recorded() as statements:
            await asyncio.to_thread(migrate, url, revision)
        after = await rows_of(connection)
        script = HISTORY / f"{revision}.sql"
        if script.exists():
            await connection.execute(script.read_text())
        steps.append(Step(revision, before, after, await rows_of(connection), statements))
    await connection.close()
    return steps


@contextmanager
def recorded() -> Iterator[list[str]]:
    """The statements that any engine of this process executes."""
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        statements.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_cursor_execute", note)


HAZARDS = {
    r"CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)\S+ ON (?P<table>\w+)": "blocks writers while it builds",
    r"DROP TABLE (?:IF EXISTS )?(?P<table>\w+)": "the previous version needs it",
    r"TRUNCATE (?:TABLE )?(?P<table>\w+)": "loses data",
    r"DELETE FROM (?P<table>\w+)": "loses data",
    r"ALTER TABLE (?P<table>\w+) RENAME": "the previous version knows the old name",
    r"ALTER TABLE (?P<table>\w+) DROP COLUMN": "the previous version needs it",
    r"ALTER TABLE (?P<table>\w+) ADD COLUMN (?!.*\bDEFAULT\b).*\bNOT NULL\b": "the previous version does not fill it",
    r"ALTER TABLE (?P<table>\w+) ALTER COLUMN \w+ (?:SET DATA )?TYPE": "writes the table anew under a lock",
    r"ALTER TABLE (?P<table>\w+) ALTER COLUMN \w+ SET NOT NULL": "reads the whole table under a lock",
    r"ALTER TABLE (?P<table>\w+) ADD CONSTRAINT (?!.*NOT VALID)(?!.*USING INDEX)": "reads the table under a lock",
}
"""What a migration must not do to a table that has data, because the previous version serves meanwhile → why."""


def hazards(statement: str, tables: set[str]) -> list[str]:
    flat = " ".join(statement.replace('"', "").split())
    return [
        f"{flat}: {why}"
        for pattern, why in HAZARDS.items()
        if (found := re.match(pattern, flat, re.IGNORECASE)) and found["table"] in tables
    ]
