"""Rounds: how fast a simulated study gets into the database, and how long a step over its judgements takes.

Beside the fill a trivial reference in the same run: COPY of as many rows of two numbers into a table without index.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

from games.jostle import JOSTLE
from lab.probands.factor import HumanFactor
from lab.refinement import pool_of
from lab.simulation.recorded import RecordSettings
from lab.simulation.study import SimulationSettings
from server.ratings import service
from server.ratings.repository import settled_position
from server.rounds import repository
from server.rounds.deciding import decide
from server.rounds.steps import settings_of, state_of
from server.simulated.filling import fill
from server.storage.database import Database, connect
from server.storage.migrate import migrate
from server.storage.postgres import Cluster

JUDGEMENTS: Final = 40_000
FACTOR: Final = HumanFactor(("Observing", "Lingering"), pool_of(JOSTLE))
STUDY: Final = SimulationSettings(FACTOR, JOSTLE.reference, persons=500, judgements=30)
RECORDS: Final = RecordSettings(books=False, most_judgements=JUDGEMENTS)


async def timed(work: Awaitable[object]) -> float:
    started = time.perf_counter()
    await work
    return time.perf_counter() - started


async def copy_trivially(database: Database, rows: int) -> None:
    async with database.pool.acquire() as connection, connection.transaction():
        await connection.execute("CREATE TEMP TABLE pairs (a bigint, b bigint)")
        await connection.copy_records_to_table("pairs", records=((number, number) for number in range(rows)))


async def measure(url: str) -> None:
    async with connect(url, size=1, raw_size=1) as database:
        async with database.transaction() as session:
            filled = await fill(session, STUDY, 1, RECORDS)
            round_ = await repository.find(session, filled.round_id)
        assert round_ is not None
        rows = sum(filled.rows.values())
        trivial = await timed(copy_trivially(database, rows))
        async with database.sessions() as session:
            ground = await service.basis(session)
            last = await settled_position(session, JOSTLE.reference)
        with ProcessPoolExecutor(1) as processes:
            started = time.perf_counter()
            known = await service.known_at(database, processes, JOSTLE.reference, last, ground)
            rating = time.perf_counter() - started
        started = time.perf_counter()
        decide(state_of(round_), settings_of(round_), known, (JOSTLE.reference, JOSTLE.source))
        deciding = time.perf_counter() - started
    print(f"{'':<44}{'rows':>10}{'seconds':>9}{'rows/s':>10}{'ratio':>7}")
    for name, count, seconds in (
        ("COPY of pairs of numbers (reference)", rows, trivial),
        (f"simulated study, {JUDGEMENTS:,} judgements", rows, filled.seconds),
        ("step: the snapshot that it decides on", JUDGEMENTS, rating),
        ("step: deciding", JUDGEMENTS, deciding),
    ):
        ratio = (seconds / count) / (trivial / rows)
        print(f"{name:<44}{count:>10,}{seconds:>9.2f}{count / seconds:>10,.0f}{ratio:>7.1f}")


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="grintu-bench-") as folder:
        Path(folder).chmod(0o755)
        cluster = Cluster(Path(folder) / "postgres", throwaway=True)
        url = cluster.acquire()
        try:
            migrate(url)
            asyncio.run(measure(url))
        finally:
            cluster.release()


if __name__ == "__main__":
    main()
