"""Processor time of a request: the pages of a proband's way, beside one that needs no database, in the same run.

One proband plays a match; then each page is asked for again and again, one request after the other, and the processor
time of the server and of Postgres is divided by the number of requests. What the processes need by themselves in that
time is taken off.

    python -m benchmarks.pages [--requests 200]
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import uvloop
from rich.console import Console
from rich.table import Table

from benchmarks.probands.accounts import make_logins, real_clocks
from benchmarks.probands.advice import Library
from benchmarks.probands.browser import Answer, Browser
from benchmarks.probands.installation import Installation, installation
from benchmarks.probands.meters import CpuMeter
from benchmarks.probands.proband import Habits, Proband
from benchmarks.probands.tally import Tally
from server.storage.database import connect

PACE = 0.02
WARM_UP = 10
REFERENCE = "home, of a visitor (no database)"
EVENTS = [{"t": 160 * n, "kind": "pointer", "x": n, "y": n} for n in range(30)]


class Cost(NamedTuple):
    """Milliseconds per request."""

    server: float
    postgres: float
    mean: float


async def a_match(place: Installation) -> tuple[Browser, int]:
    """A proband who has played, and the match."""
    async with connect(place.url, size=1, raw_size=1) as database:
        await real_clocks(database, PACE)
        (login,) = await make_logins(database, 1)
    browser = Browser(place.port, login.network, Tally())
    proband = Proband(login.email, login.password, browser, Habits(PACE), Library(), "pages")
    await proband.log_in()
    match = await proband.wait_for_a_table(asyncio.Event())
    assert match is not None, "nobody closes the study"
    await proband.play(match)
    browser.close()
    return browser, match


async def measure(place: Installation, browser: Browser, match: int, requests: int) -> dict[str, Cost]:
    browser.port = place.port
    idle = await _spent(place, lambda _: asyncio.sleep(0.05), requests)
    costs = {}
    for name, ask in asked(browser, match).items():
        for number in range(WARM_UP):
            await ask(number)
        found = await _spent(place, ask, requests, first=WARM_UP)
        meanwhile = found.mean / idle.mean
        costs[name] = Cost(
            max(0.0, found.server - idle.server * meanwhile),
            max(0.0, found.postgres - idle.postgres * meanwhile),
            found.mean,
        )
    return costs


def asked(browser: Browser, match: int) -> dict[str, Callable[[int], Awaitable[object]]]:
    """The pages by name; each request has a number."""
    address = f"/matches/{match}/questionnaire"
    visitor = Browser(browser.port, browser.address, browser.tally)

    def save(number: int) -> Awaitable[Answer]:
        answer = {"item": "enjoyment", "value": ("rather", "very")[number % 2], "shown_ms": 4000}
        return browser.post_json(f"{address}/answers", answer, "save")

    def log(number: int) -> Awaitable[Answer]:
        body = gzip.compress(json.dumps({"number": number, "events": EVENTS}).encode(), 1)
        return browser.post_gzip(f"/api/matches/{match}/interactions", body, "log")

    return {
        REFERENCE: lambda _: visitor.get("/", "home"),
        "lobby": lambda _: browser.get("/lobby", "lobby"),
        "interaction log, a batch": log,
        "questionnaire": lambda _: browser.get(address, "questionnaire"),
        "save an answer": save,
        "replay": lambda _: browser.get(f"/matches/{match}", "replay"),
    }


async def _spent(place: Installation, ask: Callable[[int], Awaitable[object]], times: int, first: int = 0) -> Cost:
    server, postgres = CpuMeter(place.server), CpuMeter(place.postgres)
    began = time.perf_counter()
    for number in range(first, first + times):
        await ask(number)
    took = time.perf_counter() - began
    return Cost(*(1000 * spent / times for spent in (server.seconds(), postgres.seconds(), took)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--requests", type=int, default=200, help="of each page, at most 380")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        with installation(folder, pace=PACE) as quick:
            browser, match = uvloop.run(a_match(quick))
            quick.server.suspend()  # at its pace it looks into the lobby all the time
            with installation(folder, database_url=quick.url) as place:
                measured = replace(place, postgres=quick.postgres)
                costs = uvloop.run(measure(measured, browser, match, min(380, chosen.requests)))
            quick.server.resume()
    table = Table(title="Processor time of a request, ms")
    for heading in ("page", "server", "Postgres", "× reference", "wait"):
        table.add_column(heading, justify="left" if heading == "page" else "right")
    reference = costs[REFERENCE].server or float("nan")
    for page, cost in costs.items():
        ratio = f"{cost.server / reference:.1f}"
        table.add_row(page, f"{cost.server:.2f}", f"{cost.postgres:.2f}", ratio, f"{cost.mean:.1f}")
    Console(width=100).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
