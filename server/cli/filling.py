"""The part of `grintu study simulate --into-database` that talks to the database and to the terminal."""

from __future__ import annotations

import asyncio
import json
from contextlib import ExitStack
from functools import partial

import typer
from rich.progress import Progress, TaskID

from lab.cluster import executor
from lab.simulation.recorded import RecordSettings
from lab.simulation.study import SimulationSettings
from server.accounts.audit import COMMAND_LINE, audit
from server.base.errors import GrintuError
from server.cli.shell import read_settings
from server.simulated.filling import Filled, fill
from server.storage.database import address, connect
from server.storage.migrate import migrate


def fill_database(
    study: SimulationSettings,
    seed: int,
    records: RecordSettings,
    progress: Progress,
    *,
    as_json: bool,
    workers: int | None,
    cluster: str | None,
) -> None:
    """Migrate the database, write the study, and say what was written."""
    installation = read_settings()

    async def run() -> Filled:
        with ExitStack() as opened:
            pool = opened.enter_context(executor(cluster, workers)) if records.books else None
            opened.enter_context(progress)
            task = progress.add_task("judgements", total=records.most_judgements)
            async with address(installation) as url:
                await asyncio.to_thread(migrate, url)
                async with connect(url, size=1, raw_size=1) as database:
                    async with database.transaction() as session:
                        filled = await fill(session, study, seed, records, pool, partial(_advance, progress, task))
                        audit(session, COMMAND_LINE, "study.fill", str(seed), dict(filled.rows))
                    await database.pool.execute("ANALYZE")
                return filled

    try:
        filled = asyncio.run(run())
    except GrintuError as error:
        typer.echo(error.english(), err=True)
        raise typer.Exit(1) from None
    if as_json:
        record = {"rows": filled.rows, "seconds": round(filled.seconds, 1), "per_second": round(filled.per_second)}
        typer.echo(json.dumps(record | {"round": filled.round_id, "answer": filled.answer}))
        return
    for table, count in filled.rows.items():
        typer.echo(f"{table:<22}{count:>12,}")
    typer.echo(f"{filled.per_second:,.0f} rows/s, {filled.seconds:.1f} s.")
    typer.echo(f"Round {filled.round_id}: {filled.answer or 'no answer yet'}.")


def _advance(progress: Progress, task: TaskID, judgements: int) -> None:
    progress.update(task, completed=judgements)
