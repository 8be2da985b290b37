"""`grintu ratings`: compute the ratings of the study's own judgement log, now and here."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import typer

from lab.records import Record
from server.cli.lab_ratings import AsJson, rating_tables, show
from server.cli.rules import Game, in_study
from server.cli.shell import read_settings
from server.ratings.repository import whole
from server.ratings.service import refresh
from server.storage.database import address, connect
from server.storage.migrate import migrate

app = typer.Typer(no_args_is_help=False)


@app.callback()
def group() -> None:
    """The study's ratings."""


@app.command()
def ratings(game: Game = "", as_json: AsJson = False) -> None:
    """Compute the ratings of all judgements in a game, keep them as a snapshot, and show them."""
    record = asyncio.run(_ratings(in_study(game).reference))
    if record is None:
        typer.echo("There are no ratings yet: nobody has judged.", err=True)
        raise typer.Exit(1)
    show(record, as_json, rating_tables)


async def _ratings(game: str) -> Record | None:
    async with address(read_settings()) as url:
        await asyncio.to_thread(migrate, url)
        with ThreadPoolExecutor(1) as here:
            async with connect(url, size=2, raw_size=1) as database:
                snapshot = await refresh(database, here, game)
                if snapshot is None:
                    return None
                async with database.sessions() as session:
                    record = (await whole(session, snapshot.id)).record
    return {"game": game, "log_position": snapshot.log_position, **record}
