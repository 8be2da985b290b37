"""`grintu differing`: which strategies are harder to detect for some groups of judges than for equally able others."""

from __future__ import annotations

import asyncio
import csv
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from lab.rasch.dif import Differing
from lab.records import finite
from server.cli.lab_ratings import AsJson
from server.cli.printing import Printer
from server.cli.rules import Game, in_study
from server.cli.shell import read_settings
from server.dashboards.differing import by_person, differing_between, differing_by
from server.storage.database import address, connect
from server.storage.migrate import migrate

app = typer.Typer(no_args_is_help=False)
BAD_INPUT = 2


@app.callback()
def group() -> None:
    """Differential functioning."""


@app.command()
def differing(
    by: Annotated[
        str, typer.Option(help="language, device, generation, or a question of the profile such as gender.")
    ] = "",
    groups: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="Groups of your own: CSV with person, group.")
    ] = None,
    game: Game = "",
    as_json: AsJson = False,
) -> None:
    """Which strategies are harder to detect for one group of judges than for another equally able one.

    Look here before groups are compared, or before judgements of different languages are put together. A small
    adjusted p (Holm) names a strategy that means something else to each group; that one group is more able is no
    such thing.
    """
    if bool(by) == (groups is not None):
        typer.echo("Say either --by or --groups.", err=True)
        raise typer.Exit(BAD_INPUT)
    found = asyncio.run(_differing(in_study(game).reference, by, _own(groups) if groups else None))
    if as_json:
        typer.echo(json.dumps([finite(asdict(one)) for one in found], ensure_ascii=False, indent=1, allow_nan=False))
    elif not found:
        typer.echo("No two groups have judged the same strategies often enough.")
    else:
        Printer().print(_table(found))


def _own(file: Path) -> dict[str, str]:
    with file.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines)
        if not {"person", "group"} <= set(rows.fieldnames or ()):
            typer.echo(f"{file}: expected the columns person and group", err=True)
            raise typer.Exit(BAD_INPUT)
        return {row["person"]: row["group"] for row in rows if row["group"]}


async def _differing(game: str, by: str, own: dict[str, str] | None) -> list[Differing]:
    async with address(read_settings()) as url:
        await asyncio.to_thread(migrate, url)
        async with connect(url, size=2, raw_size=1) as database, database.sessions() as session:
            if own is not None:
                return await differing_between(session, game, by_person(own))
            return await differing_by(session, database, game, by)


def _table(found: list[Differing]) -> Table:
    names = sorted({name for one in found for name in one.difficulty})
    table = Table("item", *map(escape, names), "χ²", "df", "p", "adjusted p")
    for one in found:
        difficulties = [f"{one.difficulty[name]:+.2f}" if name in one.difficulty else "–" for name in names]
        table.add_row(
            escape(one.item), *difficulties, f"{one.chi_squared:.1f}", str(one.df), f"{one.p:.3f}",
            f"{one.adjusted_p:.3f}",
        )  # fmt: skip
    return table
