"""grintu export: tables for research into a folder, with a codebook and a manifest."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn

from server.accounts.audit import COMMAND_LINE, audit
from server.base.clock import now
from server.cli.shell import read_settings
from server.exports.service import EARLIEST, Wanted
from server.exports.service import export as make_export
from server.exports.tables import GROUPS, TABLES, chosen
from server.exports.writers import FORMATS
from server.storage.database import address, connect
from server.storage.migrate import migrate

app = typer.Typer()
KNOWN = ", ".join(dict.fromkeys([*GROUPS, *(table.name for table in TABLES)]))


@app.command()
def export(
    what: Annotated[list[str] | None, typer.Argument(help=f"Groups or tables; all if none is named. {KNOWN}")] = None,
    out: Annotated[Path, typer.Option(help="Folder to write into; it must be empty or missing.")] = Path("export"),
    form: Annotated[str, typer.Option("--format", help="csv, xlsx, jsonl or parquet.")] = "csv",
    first: Annotated[str | None, typer.Option("--from", help="First day, as 2026-01-31.")] = None,
    last: Annotated[str | None, typer.Option("--to", help="Last day, included.")] = None,
    books: Annotated[bool, typer.Option(help="Also write every finished match as a game play book.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the manifest.")] = False,
) -> None:
    """Export tables for research, pseudonymised, with a codebook and a manifest."""
    if form not in FORMATS:
        _refuse(f"--format: expected one of {', '.join(FORMATS)}, got {form}")
    try:
        tables = chosen(what or [])
    except KeyError as error:
        _refuse(f"there is nothing called {error.args[0]} to export; there are {KNOWN}")
    wanted = Wanted(
        tables,
        form,
        _day("--from", first) or EARLIEST,
        _end_of(_day("--to", last)) or now(),
        books,
    )
    manifest = asyncio.run(_run(wanted, out, quiet=as_json))
    if as_json:
        typer.echo(json.dumps(manifest))
        return
    for file in manifest["files"]:
        if not file["file"].startswith("books/"):
            typer.echo(f"{out / file['file']}" + (f"  {file['rows']} rows" if "rows" in file else ""))


async def _run(wanted: Wanted, out: Path, *, quiet: bool) -> dict[str, Any]:
    settings = read_settings()
    console = Console(stderr=True, quiet=quiet)
    async with address(settings) as url:
        await asyncio.to_thread(migrate, url)
        async with connect(url, size=2, raw_size=1) as database:
            async with database.transaction() as session:
                names = ", ".join(table.name for table in wanted.tables)
                audit(session, COMMAND_LINE, "export", names, {"format": wanted.form, "books": wanted.books})
            with Progress(SpinnerColumn(), TextColumn("{task.description}"), console=console, transient=True) as bar:
                task = bar.add_task("", total=None)
                try:
                    return await make_export(
                        database, wanted, out, lambda table, n: bar.update(task, description=f"{table}: {n:,} rows")
                    )
                except FileExistsError as error:
                    _refuse(str(error))


def _day(option: str, text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        _refuse(f"{option}: expected a day such as 2026-01-31, got {text}")


def _end_of(day: datetime | None) -> datetime | None:
    return None if day is None else day.replace(hour=23, minute=59, second=59, microsecond=999_999)


def _refuse(reason: str) -> NoReturn:
    typer.echo(reason, err=True)
    raise typer.Exit(2)
