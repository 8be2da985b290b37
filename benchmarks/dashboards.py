"""How long the researchers' pages take with 10,000 probands and 1,000,000 judgements, and what the slowest query does.

`python -m benchmarks.dashboards [PERSONS [JUDGEMENTS [RATED]]]`. The database is filled by SQL in an embedded Postgres
that is thrown away afterwards. The ratings are computed from the log as in a study, unless told otherwise from its
first 100,000 judgements: pages read the same parts of a snapshot, whatever it was made of. Beside each page stands the
trivial reference of the same run: the page that answers whether the server is alive.
"""

from __future__ import annotations

import asyncio
import logging
import re
import resource
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Final, NamedTuple

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import httpx
import psutil
import structlog
from fastapi import FastAPI
from pydantic import SecretStr
from starlette.responses import Response

from games.jostle import JOSTLE
from lab.refinement import PRESETS, population_of
from lab.refinement.pool import text as name_of
from server.accounts import service as accounts
from server.accounts.models import Role
from server.accounts.sessions import COOKIE, open_session
from server.app import create_app
from server.base.clock import now
from server.base.settings import Settings
from server.dashboards.days import keep_days
from server.questionnaires import repository as questionnaires
from server.ratings import service as ratings
from server.rounds import service as rounds
from server.storage.database import Database, connect
from server.storage.migrate import migrate
from server.storage.postgres import Cluster

REPEATS: Final = 7
HOST: Final = "http://127.0.0.1"
DAYS: Final = 200
RATED: Final = 100_000

BACKENDS: Final = """
SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
"""
LONG_LIST: Final = re.compile(r"'\{[\d,]+\}'")
STATEMENTS: Final = re.compile(r"^-- fill (\w+)\n(.*?;)$", re.MULTILINE | re.DOTALL)

PAGES: Final = {
    "alive (reference)": "/health",
    "overview": "/research",
    "overview, a month": "/research?since={month}",
    "overview, a group": "/research?group=0",
    "overview, an age": "/research?group=age:from_25",
    "overview, an age, a month": "/research?group=age:from_25&since={month}",
    "overview, a round": "/research?round={round}",
    "overview as data": "/api/research/overview",
    "strategies": "/research/strategies",
    "one strategy": "/research/strategies/{strategy}",
    "persons": "/research/persons",
    "persons, last page": "/research/persons?page=200&order=d_prime",
    "persons of an age": "/research/persons?group=age:from_25",
    "persons by profile": "/api/research/attributes/age",
    "learning curves": "/api/research/learning",
    "one person": "/research/persons/proband-000042",
    "matches": "/research/matches",
    "matches of a strategy": "/research/matches?strategy={strategy}",
    "results": "/research/results",
    "results, two questions": "/research/results?first=verdict&second=enjoyment",
    "answers, a usual word": "/research/answers?words=first",
    "answers, a rare word": "/research/answers?words=4",
    "answers, a usual phrase": "/research/answers?words=%22to%20be%20first%22",
    "coding": "/research/coding",
    "flags": "/research/flags",
    "free texts": "/research/free-texts",
    "questionnaires": "/research/questionnaires",
    "rule bases": "/research/rule-bases",
    "findings": "/research/findings",
    "exports": "/research/exports",
}


async def fill(database: Database, persons: int, judgements: int) -> None:
    strategies = [name_of(elements) for elements in population_of(JOSTLE)]
    async with database.transaction() as session:
        for purpose in ("after_match", "profile"):
            await questionnaires.published(session, purpose)  # installs what is shipped
    sizes = {"persons": persons, "matches": judgements // 4, "count": len(strategies), "days": DAYS}
    for table, statement in STATEMENTS.findall(Path(__file__).with_suffix(".sql").read_text()):
        started = perf_counter()
        query = re.sub(r"\{(\w+)\}", lambda place: str(sizes[place.group(1)]), statement)
        async with database.pool.acquire() as connection:
            await connection.execute(query, *([strategies] if "$1" in query else []), timeout=900)
            count = await connection.fetchval(f"SELECT count(*) FROM {table}")  # noqa: S608 - names from above
        print(f"  {count:>9,} {table:<22} {perf_counter() - started:6.1f} s", flush=True)
    async with database.transaction() as session:
        await rounds.create(
            session, "bench", name="bench", game=JOSTLE.reference, seed=1, settings=PRESETS["recommended"]
        )
    async with database.pool.acquire() as connection:
        await connection.execute("VACUUM ANALYZE", timeout=900)
    started = perf_counter()
    days = await keep_days(database, now())
    spent = perf_counter() - started
    print(f"  {days} days kept in {spent:.1f} s, one of which is due every night")


async def rate(database: Database, rated: int) -> None:
    started = perf_counter()
    async with database.sessions() as session:
        ground = await ratings.basis(session)
    with ProcessPoolExecutor(1) as processes:
        snapshot = await ratings.compute(database, processes, JOSTLE.reference, rated, ground)
        spent = perf_counter() - started
    assert snapshot is not None
    size = await database.pool.fetchval("SELECT max(length(record::text)) FROM rating_snapshots")
    persons = len(snapshot.record["persons"])
    told = f"{snapshot.judgements:,} judgements by {persons:,} persons"
    computing = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy, peak = computing.ru_utime + computing.ru_stime, computing.ru_maxrss / 1024
    print(f"  ratings of {told}: {spent:.1f} s, a record of {size / 1e6:.1f} MB")
    print(f"  the largest process that helped: {peak:,.0f} MB; all of them: {busy:.1f} s of the processor")


class Slowest:
    """Remembers the longest query that went over the pool's connection."""

    def __init__(self) -> None:
        self.elapsed, self.query, self.values = 0.0, "", ()

    def __call__(self, record: asyncpg.connection.LoggedQuery) -> None:
        asks = record.query.lstrip().startswith(("SELECT", "WITH")) and ";" not in record.query
        if asks and record.elapsed > self.elapsed:
            self.elapsed, self.query, self.values = record.elapsed, record.query, record.args


class Cost(NamedTuple):
    """Seconds: of the first time, the median of the others, and what the processor was busy for one of them."""

    first: float
    usual: float
    busy: float
    size: int


async def measure(client: httpx.AsyncClient, address: str, backends: list[psutil.Process]) -> Cost:
    """What one page costs. The processor's time, that of the database included, is the same on a busy machine."""
    times = []
    before = 0.0
    for number in range(REPEATS + 1):
        if number == 1:
            before = _busy(backends)
        started = perf_counter()
        answer = await client.get(address)
        times.append(perf_counter() - started)
        assert answer.status_code == 200, (address, answer.text[:300])
    return Cost(times[0], median(times[1:]), (_busy(backends) - before) / REPEATS, len(answer.content))


def _busy(backends: list[psutil.Process]) -> float:
    return process_time() + sum(spent.user + spent.system for one in backends for spent in [one.cpu_times()])


async def run(url: str, folder: Path, persons: int, judgements: int, rated: int) -> None:
    settings = Settings(
        _env_file=None,
        secret_key=SecretStr("a secret for benchmarks that is long enough"),
        database_url=SecretStr(url),
        data_dir=folder,
    )
    app = create_app(settings)
    async with connect(url, size=2, raw_size=1) as database:  # one connection, so that every query is seen
        app.state.database = database
        print("Filling:")
        await fill(database, persons, judgements)
        await rate(database, rated)
        await show(database, app, settings)


async def show(database: Database, app: FastAPI, settings: Settings) -> None:
    """Ask for every page and print what it costs; then explain the slowest query."""
    slowest = Slowest()
    async with database.pool.acquire() as connection:
        connection.add_query_logger(slowest)
    cookie = await _researcher(database, settings)
    strategy = name_of(population_of(JOSTLE)[0])
    round_ = await database.pool.fetchval("SELECT max(id) FROM rounds")
    month = await database.pool.fetchval("SELECT (now() - interval '30 days')::date::text")
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url=HOST, cookies={COOKIE: cookie}, timeout=600
    ) as client:
        await client.get("/status", headers={"accept": "text/html"})  # what every first page does once
        print(f"\n{'page':<26} {'first':>9} {'median':>9} {'CPU':>9} {'× alive':>8} {'kB':>7}")
        backends = [psutil.Process(row["pid"]) for row in await database.pool.fetch(BACKENDS)]
        alive = 0.0
        for name, address in PAGES.items():
            path = address.format(strategy=strategy, month=month, round=round_)
            cost = await measure(client, path, backends)
            alive = alive or cost.busy
            times = "".join(f"{1000 * seconds:>7.0f} ms" for seconds in cost[:3])
            print(f"{name:<26}{times} {cost.busy / alive:>8.0f} {cost.size / 1000:>7.0f}", flush=True)
    async with database.pool.acquire() as connection:
        plan = await connection.fetch(f"EXPLAIN (ANALYZE, BUFFERS) {slowest.query}", *slowest.values)
    print(f"\nThe slowest query took {slowest.elapsed * 1000:.0f} ms:\n{slowest.query}\n")
    print("\n".join(LONG_LIST.sub("'{…}'", row[0]) for row in plan))


async def _researcher(database: Database, settings: Settings) -> str:
    async with database.transaction() as session:
        account = await accounts.create_account(
            session, "bench@example.org", "correct horse battery", role=Role.RESEARCHER, confirmed=True
        )
        assert account is not None
        answer = Response()
        await open_session(session, account, settings, answer)
    return answer.headers["set-cookie"].partition("=")[2].partition(";")[0]


def main() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    usual = [10_000, 1_000_000, RATED]
    persons, judgements, rated = ([int(given) for given in sys.argv[1:]] + usual[len(sys.argv) - 1 :])[:3]
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(Path(folder) / "postgres", throwaway=True)
        url = cluster.acquire()
        try:
            migrate(url)
            asyncio.run(run(url, Path(folder), persons, judgements, rated))
        finally:
            cluster.release()


if __name__ == "__main__":
    main()
