"""A database that has lived through every migration, with data of each time in it; and what to beware of in one.

`history/REVISION.sql` is what an installation of that revision could have written. It is plain SQL and stays as it is:
today's models say nothing about yesterday's rows.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, event

from server.storage.migrate import _config, migrate

HISTORY = Path(__file__).parent / "history"
CHAIN = [found.revision for found in ScriptDirectory.from_config(_config()).walk_revisions()][::-1]
"""Every revision, oldest first."""

DERIVED = {"overview_days"}
"""Tables that are computed anew from the others whenever they lack something: losing their rows is no loss."""

Row = dict[str, Any]
Rows = dict[str, list[Row]]
"""Table → its rows."""
Change = Callable[[Row, Rows], Row | None]
"""What a migration means to make of a row, given everything that was there; None: it is meant to go."""


def _named(text: str, before: Rows) -> str | None:
    """The name of the newest rule base with this script, or of one that was deleted; None if it is no script."""
    found = [base for base in before.get("rule_bases", ()) if base["script"] == text]
    if not found and text and "\n" in text:
        return f"Gone rules (deleted rule base {hashlib.sha256(text.encode()).hexdigest()[:8]})"
    return max(found, key=lambda base: base["id"])["name"] if found else None


def _with_reference(row: Row, _: Rows) -> Row:
    return row | {"game": {"jostle": "jostle:standard"}.get(row["game"], row["game"])}


def _match_of_any_game(row: Row, before: Rows) -> Row:
    panel = [
        {
            "player": f"{'prolog' if _named(member['strategy'], before) else 'composed'}:{member['strategy']}",
            "name": _named(member["strategy"], before) or member["strategy"],
            "seed": member["seed"],
        }
        for member in row["panel"]
    ]
    kept = {name: value for name, value in row.items() if name != "layout"}
    return _with_reference(kept, before) | {"panel": panel}


def _signed_with_a_name(row: Row, before: Rows) -> Row:
    return row | {"strategy": _named(row["strategy"], before) or row["strategy"]}


def _shipped_one_retired(row: Row, _: Rows) -> Row:
    if row["author"] != "GRINTU" or row["state"] != "published":
        return row
    return {name: value for name, value in row.items() if name != "retired_at"} | {"state": "retired"}


MEANT: dict[str, dict[str, Change]] = {
    "20261118_17": {
        "matches": _match_of_any_game,
        "rounds": _with_reference,
        "match_seats": _signed_with_a_name,
        "lobby_places": lambda _row, _before: None,
    },
    "20261118_20": {"questionnaire_versions": _shipped_one_retired},
    "20261118_22": {"questionnaire_versions": _shipped_one_retired},
}
"""Revision → table → what it makes of the rows on purpose. Every other change of a value is a loss."""
OFFLINE: dict[str, set[str]] = {
    "20261118_17": {
        "DELETE FROM lobby_places",
        "ALTER TABLE matches DROP COLUMN layout",
        "DELETE FROM pgqueuer WHERE entrypoint = 'ratings.compute'",  # jobs of no game; the schedule asks anew
    },
}
"""Revisions that refuse while servers of the previous version live, so that they need not leave those in peace → what
they throw away on purpose."""


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
        return lost(meant(self.before, self.revision), self.after)

    @property
    def hazards(self) -> list[str]:
        tables = self.before.keys() - DERIVED
        if self.revision in OFFLINE:
            thrown = [text for text in self.statements if flat(text) not in OFFLINE[self.revision]]
            return [found for statement in thrown for found in hazards(statement, tables, LOSSES)]
        return [found for statement in self.statements for found in hazards(statement, tables)]


def meant(before: Rows, *revisions: str) -> Rows:
    """The rows as these revisions mean to leave them, one after the other."""
    for revision in revisions:
        changes = MEANT.get(revision, {})
        before = {
            table: [
                changed
                for row in rows
                if (changed := changes[table](row, before) if table in changes else row) is not None
            ]
            for table, rows in before.items()
        }
    return before


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
LOSSES = {pattern: why for pattern, why in HAZARDS.items() if pattern.startswith(("DROP", "TRUNCATE", "DELETE"))} | {
    r"ALTER TABLE (?P<table>\w+) DROP COLUMN": "loses data"
}
"""What it must not do either while nobody serves."""


def hazards(statement: str, tables: Collection[str], known: Mapping[str, str] = HAZARDS) -> list[str]:
    return [
        f"{flat(statement)}: {why}"
        for pattern, why in known.items()
        if (found := re.match(pattern, flat(statement), re.IGNORECASE)) and found["table"] in tables
    ]


def flat(statement: str) -> str:
    return " ".join(statement.replace('"', "").split())
