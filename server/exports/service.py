"""Making an export: all tables of one moment, a codebook, and a manifest with the hash of every file."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version as package_version
from pathlib import Path
from typing import Any, Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information

from server.base.clock import now
from server.exports.books import books
from server.exports.codebook import as_text, codebook
from server.exports.columns import MATCH
from server.exports.tables import Table
from server.exports.writers import FORMATS
from server.live.records.judging import still_to_judge
from server.storage.database import Database
from server.storage.migrate import newest_revision

BATCH: Final = 4000
PACKED_BATCH: Final = 8
EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)
Progress = Callable[[str, int], None]


@dataclass(frozen=True)
class Wanted:
    """What to export: which tables, in which form, from when to when, with or without the books.

    `reader` is the person who will read it: matches that this person has still to judge are left out, because their
    rows tell who was who.
    """

    tables: Sequence[Table]
    form: str = "csv"
    first: datetime = EARLIEST
    last: datetime = field(default_factory=now)
    books: bool = False
    reader: int | None = None


async def export(
    database: Database, wanted: Wanted, folder: Path, progress: Progress = lambda *_: None
) -> dict[str, Any]:
    """Write everything below `folder`, which must be empty or missing, and give the manifest."""
    _require_empty(folder)
    files: list[dict[str, Any]] = []
    async with database.sessions() as session:
        withheld = frozenset() if wanted.reader is None else await still_to_judge(session, wanted.reader)
    # One snapshot for all tables: what is written to the database meanwhile is in none of them.
    async with (
        database.pool.acquire() as connection,
        connection.transaction(isolation="repeatable_read", readonly=True),
    ):
        await connection.set_type_codec("jsonb", schema="pg_catalog", encoder=json.dumps, decoder=json.loads)
        try:
            for table in wanted.tables:
                path = folder / f"{table.name}.{wanted.form}"
                rows = await _write_table(connection, table, wanted, path, progress, withheld)
                files.append(await asyncio.to_thread(_described, path, folder, rows))
            if wanted.books:
                files += await _write_books(database, wanted, folder, progress, withheld)
            book = codebook(wanted.tables, await _versions(connection))
            position = await connection.fetchval("SELECT coalesce(max(id), 0) FROM judgements")
        finally:
            await connection.reset_type_codec("jsonb", schema="pg_catalog")
    for name, text in (("codebook.json", _pretty(book)), ("codebook.md", as_text(book))):
        (folder / name).write_text(text, encoding="utf-8")
        files.append(_described(folder / name, folder, None))
    manifest = {
        "software": f"grintu {package_version('grintu')}",
        "schema": newest_revision(),
        "made_at": now().isoformat(),
        "filters": {"first": wanted.first.isoformat(), "last": wanted.last.isoformat()},
        "judgement_log_position": position,
        "matches_withheld_until_judged": sorted(withheld),
        "format": wanted.form,
        "files": files,
    }
    (folder / "manifest.json").write_text(_pretty(manifest), encoding="utf-8")
    return manifest


def _require_empty(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty; an export never mixes with other files")


async def _write_table(
    connection: asyncpg.pool.PoolConnectionProxy,
    table: Table,
    wanted: Wanted,
    path: Path,
    progress: Progress,
    withheld: Collection[int],
) -> int:
    written = 0
    match = table.columns.index(MATCH) if MATCH in table.columns else None
    with FORMATS[wanted.form](path, table) as writer:
        async for found in _batches(connection, table, wanted):
            rows = await asyncio.to_thread(_unpacked, table, found)
            if match is not None and withheld:
                rows = [row for row in rows if row[match] not in withheld]
            await asyncio.to_thread(writer.write, rows)
            written += len(rows)
            progress(table.name, written)
    return written


async def _batches(
    connection: asyncpg.pool.PoolConnectionProxy, table: Table, wanted: Wanted
) -> AsyncIterator[list[asyncpg.Record]]:
    cursor = await connection.cursor(table.query, wanted.first, wanted.last)
    while rows := await cursor.fetch(PACKED_BATCH if table.unpack else BATCH):
        yield rows


def _unpacked(table: Table, rows: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
    unpack = table.unpack
    return rows if unpack is None else [row for packed in rows for row in unpack(packed)]


async def _write_books(
    database: Database, wanted: Wanted, folder: Path, progress: Progress, withheld: Collection[int]
) -> list[dict[str, Any]]:
    (folder / "books").mkdir()
    files = []
    async for number, text in books(database, wanted.first, wanted.last):
        if number in withheld:
            continue
        path = folder / "books" / f"{number}.book"
        await asyncio.to_thread(path.write_text, text, encoding="utf-8")
        files.append(await asyncio.to_thread(_described, path, folder, None))
        progress("books", len(files))
    return files


async def _versions(connection: asyncpg.pool.PoolConnectionProxy) -> list[tuple[str, int, dict[str, Any]]]:
    rows = await connection.fetch(
        "SELECT purpose, number, content FROM questionnaire_versions WHERE state <> 'draft' ORDER BY purpose, number"
    )
    return [(row["purpose"], row["number"], row["content"]) for row in rows]


def _described(path: Path, folder: Path, rows: int | None) -> dict[str, Any]:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    name = path.relative_to(folder).as_posix()
    described: dict[str, Any] = {"file": name, "sha256": digest, "bytes": path.stat().st_size}
    return described if rows is None else described | {"rows": rows}


def _pretty(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
