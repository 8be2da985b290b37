"""Making a backup while people play, and putting one back."""

from __future__ import annotations

import asyncio
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information

from server.accounts.audit import COMMAND_LINE
from server.backup.archive import Contents, Manifest, dump_of, read_manifest, write_backup
from server.backup.errors import BackupError
from server.backup.programs import Programs, Report
from server.backup.sealing import opened
from server.base.clock import now
from server.storage.database import plain_url
from server.storage.migrate import known_revisions, migrate, newest_revision

TABLES: Final = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
OTHERS: Final = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""
NOTED: Final = """
INSERT INTO audit_log (at, actor, action, target, details) VALUES ($1, $2, $3, $4, '{}')
"""
CONNECT_SECONDS: Final = 30.0
COMMAND_SECONDS: Final = 3600.0
"""Counting all rows of a large study, or looking it over, takes minutes; a database that is frozen takes for ever."""
LOOKS: Final = 10
BETWEEN_LOOKS: Final = 0.3
"""Postgres needs a moment to notice that a connection has ended, so one look is not enough to say that it is in use."""
OLDEST_SERVER: Final = 15
"""The oldest major version of Postgres that all of this was tried with."""
TELLING: Final = ("persons", "matches", "study_settings", "audit_log")
"""Tables that are empty until somebody has used the installation."""


async def back_up(programs: Programs, path: Path, report: Report, key: bytes | None = None) -> Manifest:
    """Write a backup of the database as it is now. Others go on writing; what they write is not in it. With a key it is
    sealed."""
    connection = await _connect(programs.url)
    try:
        _require_version(connection, programs)
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            snapshot: str = await connection.fetchval("SELECT pg_export_snapshot()")
            contents = await _contents(connection)
            with closing(programs.dump(snapshot, report)) as dump:  # else a failure would leave pg_dump to the exit
                return await asyncio.to_thread(write_backup, path, contents, dump, key)
    finally:
        await connection.close()


async def restore(
    programs: Programs, path: Path, report: Report, *, force: bool = False, key: bytes | None = None
) -> Manifest:
    """Put a backup into the database and bring it to the newest schema. Whatever is refused changes nothing."""
    sealed = opened(path, key)
    plain = await asyncio.to_thread(sealed.__enter__)
    try:
        return await _restore(programs, plain, report, force=force)
    finally:
        await asyncio.to_thread(sealed.__exit__, None, None, None)


async def _restore(programs: Programs, path: Path, report: Report, *, force: bool) -> Manifest:
    manifest = await asyncio.to_thread(read_manifest, path)
    if manifest.contents.revision not in known_revisions():
        raise BackupError(
            f"{path} was made by version {manifest.contents.software} with the schema {manifest.contents.revision}, "
            f"which is newer than this software ({version('grintu')}, {newest_revision()}). Use that version."
        )
    await asyncio.to_thread(programs.check, dump_of(path))
    connection = await _connect(programs.url)
    try:
        _require_version(connection, programs)
        _require_new_server(connection)
        await _require_room(connection, force=force)
    finally:
        await connection.close()
    await asyncio.to_thread(programs.replace, dump_of(path), report, manifest.contents.rows)
    await asyncio.to_thread(migrate, programs.url)
    return manifest


async def note(url: str, action: str, file: Path) -> None:
    """Into the audit log: who can run commands here has taken all data away, or put others in their place."""
    connection = await _connect(url)
    try:
        await connection.execute(NOTED, now(), COMMAND_LINE, action, file.name)
    finally:
        await connection.close()


async def look_over(url: str) -> None:
    """After restoring: Postgres knows nothing yet about the tables."""
    connection = await _connect(url)
    try:
        await connection.execute("ANALYZE")
    finally:
        await connection.close()


async def _connect(url: str) -> asyncpg.Connection:
    try:
        return await asyncpg.connect(plain_url(url), timeout=CONNECT_SECONDS, command_timeout=COMMAND_SECONDS)
    except (OSError, asyncpg.PostgresError) as error:
        raise BackupError(f"Cannot reach the database: {error}") from error


def _require_version(connection: asyncpg.Connection, programs: Programs) -> None:
    server, ours = connection.get_server_version().major, programs.major()
    if server > ours:
        raise BackupError(
            f"The database server is Postgres {server}, but the programs in {programs.folder} are of version {ours}, "
            f"too old for it. Name a folder with newer ones: --programs /usr/lib/postgresql/{server}/bin"
        )


def _require_new_server(connection: asyncpg.Connection) -> None:
    server = connection.get_server_version().major
    if server < OLDEST_SERVER:
        raise BackupError(
            f"The database server is Postgres {server}; this software needs Postgres {OLDEST_SERVER} or newer. "
            "Nothing was changed."
        )


async def _contents(connection: asyncpg.Connection) -> Contents:
    rows = await _counts(connection)
    if "alembic_version" not in rows:
        raise BackupError("There is nothing to back up: the database is empty.")
    revision: str = await connection.fetchval("SELECT version_num FROM alembic_version")
    server: int = connection.get_server_version().major
    return Contents(now().isoformat(), version("grintu"), revision, server, rows)


async def _counts(connection: asyncpg.Connection) -> dict[str, int]:
    tables: list[Any] = await connection.fetch(TABLES)
    count = 'SELECT count(*) FROM public."{}"'
    return {name: await connection.fetchval(count.format(name)) for (name,) in tables}


async def _require_room(connection: asyncpg.Connection, *, force: bool) -> None:
    """Nobody at work in the database, and nothing in it that would be missed."""
    for _ in range(LOOKS):
        others = await connection.fetchval(OTHERS)
        if not others:
            break
        await asyncio.sleep(BETWEEN_LOOKS)
    else:
        raise BackupError(f"The database is in use by {others} connections. Stop every server and worker first.")
    rows = await _counts(connection)
    held = {name: rows[name] for name in TELLING if rows.get(name)}
    if held and not force:
        told = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in held.items())
        raise BackupError(
            f"The database holds data already ({told}), and restoring replaces all of it. Restore into a fresh one "
            "(another GRINTU_DATA_DIR or GRINTU_DATABASE_URL), or repeat the command with --force."
        )
    if rows and not held and "alembic_version" not in rows and not force:
        raise BackupError("The database holds tables of something else. Restore into an empty one.")
