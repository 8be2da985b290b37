"""Exports from the browser: one archive with tables, codebook and manifest, made in its own folder and streamed."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from server.accounts.audit import audit
from server.accounts.dependencies import ProvedResearcher, Researcher
from server.accounts.limits import take
from server.base.clock import now
from server.base.errors import N_, InvalidInput
from server.exports.service import EARLIEST, Wanted, export
from server.exports.tables import GROUPS, TABLES, chosen
from server.exports.writers import FORMATS
from server.storage.scratch import scratch_folder
from server.web.dependencies import DatabaseOf, Session, SettingsOf
from server.web.rendering import render

router = APIRouter()
PIECE = 256 * 1024


@router.get("/research/exports", response_class=Response)
async def exports_page(request: Request, _: Researcher) -> Response:
    return render(request, "research/exports.html", tables=TABLES, groups=GROUPS, forms=list(FORMATS))


@router.get("/research/exports/download")
async def download(
    session: Session,
    database: DatabaseOf,
    settings: SettingsOf,
    who: ProvedResearcher,
    what: Annotated[list[str] | None, Query(max_length=20)] = None,
    form: Annotated[str, Query(max_length=20)] = "csv",
    first: Annotated[str, Query(max_length=10)] = "",
    last: Annotated[str, Query(max_length=10)] = "",
    books: bool = False,
) -> Response:
    """The chosen groups of tables as a zip archive."""
    await take(database, settings, "export-account", str(who.account_id))
    if form not in FORMATS:
        raise InvalidInput(N_("There is no such format."))
    try:
        tables = chosen(what or [])
    except KeyError as error:
        raise InvalidInput(N_("There is no such table.")) from error
    begin = _day(first)
    end = _day(last)
    wanted = Wanted(
        tables,
        form,
        datetime.combine(begin, time.min, UTC) if begin else EARLIEST,
        datetime.combine(end, time.max, UTC) if end else now(),
        books,
    )
    audit(session, who, "export", ", ".join(table.name for table in tables), {"format": form, "books": books})
    place = scratch_folder(settings.data_dir / "exports")
    folder = await run_in_threadpool(place.__enter__)
    try:
        await export(database, wanted, folder / "grintu-export")
        archive = await run_in_threadpool(_pack, folder)
    except BaseException:
        await run_in_threadpool(place.__exit__, None, None, None)
        raise
    headers = {
        "Content-Disposition": f'attachment; filename="grintu-export-{now():%Y-%m-%d}.zip"',
        "Content-Length": str(archive.stat().st_size),
        "Cache-Control": "no-store",
    }
    tidy = BackgroundTask(place.__exit__, None, None, None)
    return StreamingResponse(_pieces(archive), media_type="application/zip", headers=headers, background=tidy)


def _pack(folder: Path) -> Path:
    target = folder / "export.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted((folder / "grintu-export").rglob("*")):
            archive.write(path, path.relative_to(folder))
    return target


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise InvalidInput(N_("A day is written as 2026-01-31.")) from error
