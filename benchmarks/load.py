"""Load of whole matches: simulated probands log in, wait, play to the end and answer the questionnaire.

The server, its worker, Postgres (fsync and synchronous_commit on) and the driver share this machine. The crowd comes
evenly during the ramp, plays again and again while it is measured, and ends what it began. `--pace` multiplies all
times of play, people's and programs': N matches at a pace of 0.1 make the moves, requests and questionnaires of 10·N
at a human pace, though with a tenth of their sockets. Nothing but the loopback device is used.

Programs think in the browsers, that is in the driver, and the server checks a share of what they propose; or they think
on the server. `--thinking` takes several of 1, 0.1 (shares) and server, one run each.

    python -m benchmarks.load [--matches 200] [--seconds 60] [--processes 1,2] [--pace 0.1] [--thinking 1,0.1,server]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import signal
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

import uvloop
from rich.console import Console
from rich.table import Table

from benchmarks.probands.accounts import make_logins, real_clocks
from benchmarks.probands.crowd import Crowd
from benchmarks.probands.installation import Installation, installation
from benchmarks.probands.meters import CpuMeter, resident_bytes
from benchmarks.probands.proband import Habits
from benchmarks.probands.tally import Tally, percentile
from server.storage.database import Database, connect
from server.study.settings import change_setting

PERSONS_PER_MATCH = 2
LOOK_SECONDS = 0.5
DRIVER_GC = (100_000, 20, 1000)
SERVER = "server"


@dataclass(frozen=True, slots=True)
class Plan:
    matches: int = 200
    seconds: float = 60.0
    ramp: float = 30.0
    drain: float = 120.0
    pace: float = 0.1
    worker: bool = True
    logs_interactions: bool = True
    thinking: str = "0.1"
    """What share of the browsers' proposals the server checks; or "server": nothing is proposed."""

    @property
    def settings(self) -> dict[str, object]:
        if self.thinking == SERVER:
            return {"programs_think": SERVER}
        return {"programs_think": "browsers", "check_share": float(self.thinking)}


@dataclass
class Figures:
    """What one run found."""

    processes: int
    plan: Plan
    measured_seconds: float = 0.0
    matches_held: float = 0.0
    matches_most: int = 0
    sockets_held: float = 0.0
    held: dict[str, int] = field(default_factory=dict)
    total: dict[str, int] = field(default_factory=dict)
    kept: dict[str, int] = field(default_factory=dict)
    """What the database has at the end."""
    move_ms: dict[str, float] = field(default_factory=dict)
    http_ms: dict[str, dict[str, float]] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)
    cpu: dict[str, float] = field(default_factory=dict)
    """Cores in use on the average while measuring."""
    cpu_seconds: dict[str, float] = field(default_factory=dict)
    """From the first proband's coming to the last one's going."""
    memory_mb: float = 0.0
    memory_per_socket_kb: float = 0.0


KEPT = """
SELECT (SELECT count(*) FROM matches WHERE ended_at IS NOT NULL) AS matches,
       (SELECT count(*) FROM matches WHERE ended_at IS NULL) AS unfinished,
       (SELECT count(*) FROM match_moves) AS moves,
       (SELECT count(*) FROM match_moves WHERE source IN ('proposal', 'server')) AS programs_moves,
       (SELECT count(*) FROM match_decisions) AS decisions,
       (SELECT count(*) FROM questionnaire_sheets WHERE finished_at IS NOT NULL) AS questionnaires,
       (SELECT count(*) FROM judgements) AS judgements,
       (SELECT count(*) FROM answers) AS answers
"""


async def measure(place: Installation, plan: Plan, processes: int) -> Figures:
    """Ramp up, hold, let everybody finish, and look into the database."""
    figures = Figures(processes, plan)
    async with connect(place.url, size=2, raw_size=2) as database:
        await real_clocks(database, plan.pace)
        await change(database, plan.settings)
        logins = await make_logins(database, PERSONS_PER_MATCH * plan.matches)
        crowd = Crowd(place.port, Habits(plan.pace, plan.logs_interactions))
        memory, meters = resident_bytes(place.server), meters_of(place)
        await crowd.come(logins, plan.ramp)
        await hold(place, plan, crowd.tally, figures)
        figures.memory_mb = resident_bytes(place.server) / 2**20
        figures.memory_per_socket_kb = (figures.memory_mb * 1024 - memory / 1024) / max(1.0, figures.sockets_held)
        await crowd.go(plan.drain)
        figures.cpu_seconds = {name: meter.seconds() for name, meter in meters.items()}
        figures.kept = await kept(database)
    tally = crowd.tally
    figures.held, figures.total, figures.errors = dict(tally.held), dict(tally.total), dict(tally.errors)
    figures.move_ms = milliseconds(tally.moves)
    every = [value for values in tally.http.values() for value in values]
    figures.http_ms = {"all": milliseconds(every)} | {page: milliseconds(tally.http[page]) for page in tally.http}
    return figures


async def change(database: Database, settings: dict[str, object]) -> None:
    async with database.transaction() as session:
        for name, value in settings.items():
            await change_setting(session, name, value, changed_by="measuring")


async def hold(place: Installation, plan: Plan, tally: Tally, figures: Figures) -> None:
    """The measured time: everybody is there."""
    meters = meters_of(place)
    began, driver = time.perf_counter(), time.process_time()
    tally.measuring = True
    matches: list[int] = []
    sockets: list[int] = []
    while time.perf_counter() - began < plan.seconds:
        await asyncio.sleep(min(LOOK_SECONDS, plan.seconds))
        matches.append(len(tally.playing))
        sockets.append(tally.sockets)
    tally.measuring = False
    took = time.perf_counter() - began
    figures.measured_seconds = took
    figures.matches_held, figures.matches_most = sum(matches) / len(matches), max(matches)
    figures.sockets_held = sum(sockets) / len(sockets)
    figures.cpu = {name: meter.seconds() / took for name, meter in meters.items()}
    figures.cpu["driver"] = (time.process_time() - driver) / took


def meters_of(place: Installation) -> dict[str, CpuMeter]:
    return {
        "server": CpuMeter(place.server),
        "worker": CpuMeter(place.worker),
        "postgres": CpuMeter(place.postgres),
    }


async def kept(database: Database) -> dict[str, int]:
    async with database.pool.acquire() as connection:
        return dict(await connection.fetchrow(KEPT))


async def durability(url: str) -> dict[str, str]:
    """What Postgres itself says about the writes that were measured."""
    async with connect(url, size=1, raw_size=1) as database, database.pool.acquire() as connection:
        return {name: await connection.fetchval(f"SHOW {name}") for name in ("fsync", "synchronous_commit")}


def milliseconds(values: list[float]) -> dict[str, float]:
    shares = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    return {name: round(1000 * percentile(values, share), 2) for name, share in shares.items()}


def run(plan: Plan, processes: int, folder: Path, database_url: str | None = None) -> Figures:
    """One run against an installation of its own."""
    with installation(
        folder, processes=processes, pace=plan.pace, worker=plan.worker, database_url=database_url
    ) as place:
        return uvloop.run(measure(place, plan, processes))


# ---------------------------------------------------------------------------------------------------------- telling


def rows(figures: Figures) -> list[tuple[str, str]]:
    """The figures as lines of a table: what, and how much."""
    took, held, kept_rows = figures.measured_seconds, figures.held, figures.kept
    cores, told = figures.cpu, figures.total.get("questionnaires", 0)
    per_match = {
        name: 1000 * spent / max(1, kept_rows["questionnaires"]) for name, spent in figures.cpu_seconds.items()
    }
    return [
        ("probands", str(PERSONS_PER_MATCH * figures.plan.matches)),
        ("matches held, mean (most)", f"{figures.matches_held:.0f} ({figures.matches_most})"),
        ("the same load at a human pace, matches", f"{figures.matches_held / figures.plan.pace:.0f}"),
        ("moves/s of probands (of all seats and dice)", f"{held.get('moves', 0) / took:.0f} ({_plies(figures):.0f})"),
        ("move p50 / p95 / p99, ms", _three(figures.move_ms)),
        ("HTTP requests/s", f"{held.get('requests', 0) / took:.0f}"),
        ("HTTP p50 / p95 / p99, ms", _three(figures.http_ms["all"])),
        ("matches finished, in all (while measuring, per s)", f"{kept_rows['matches']} ({_seats(figures):.1f})"),
        ("matches left unfinished", str(kept_rows["unfinished"])),
        ("questionnaires acknowledged / saved", f"{told} / {kept_rows['questionnaires']}"),
        ("judgements saved", str(kept_rows["judgements"])),
        ("programs' moves (computed by the server)", f"{kept_rows['programs_moves']} ({kept_rows['decisions']})"),
        ("errors", ", ".join(f"{kind} × {n}" for kind, n in sorted(figures.errors.items())) or "none"),
        ("cores: server", f"{cores['server']:.2f}"),
        ("cores: Postgres", f"{cores['postgres']:.2f}"),
        ("cores: worker", f"{cores['worker']:.2f}"),
        ("cores: driver", f"{cores['driver']:.2f}"),
        ("CPU ms per proband's match, everything included: server", f"{per_match['server']:.0f}"),
        ("the same: Postgres", f"{per_match['postgres']:.0f}"),
        ("server memory, MB (kB per socket)", f"{figures.memory_mb:.0f} ({figures.memory_per_socket_kb:.0f})"),
    ]  # fmt: skip


def _plies(figures: Figures) -> float:
    """Plies per second of all seats and of chance: what the tables told, counted once per match."""
    broadcasts = figures.held.get("broadcasts", 0)
    plies = figures.kept["moves"] / max(1, figures.total.get("broadcasts", 0))
    return plies * broadcasts / figures.measured_seconds


def _seats(figures: Figures) -> float:
    """Matches ended per second while measuring; each is told to all of its probands."""
    per_match = figures.total.get("matches", 0) / max(1, figures.kept["matches"])
    return figures.held.get("matches", 0) / max(1e-9, per_match) / figures.measured_seconds


def _three(values: dict[str, float]) -> str:
    return " / ".join(f"{values[name]:.1f}" for name in ("p50", "p95", "p99"))


def show(found: list[Figures]) -> None:
    table = Table(title="Whole matches: log in, lobby, play to the end, questionnaire; durable writes")
    table.add_column("")
    for figures in found:
        table.add_column(heading(figures), justify="right")
    for lines in zip(*(rows(figures) for figures in found), strict=True):
        table.add_row(lines[0][0], *(value for _, value in lines))
    pages = Table(title="HTTP by page, ms: p50 / p95 / p99 (number)")
    pages.add_column("page")
    for figures in found:
        pages.add_column(heading(figures), justify="right")
    for page in sorted({page for figures in found for page in figures.http_ms} - {"all"}):
        pages.add_row(page, *(_three(figures.http_ms[page]) if page in figures.http_ms else "" for figures in found))
    console = Console(width=120)
    console.print(table)
    console.print(pages)


def heading(figures: Figures) -> str:
    thinking = figures.plan.thinking
    where = "server thinks" if thinking == SERVER else f"checks {float(thinking):.0%}"
    return f"{figures.processes} process{'es' if figures.processes > 1 else ''}, {where}"


def is_clean(figures: Figures) -> bool:
    """No errors, every match at its end, every acknowledged questionnaire in the database."""
    return (
        not figures.errors
        and figures.kept["unfinished"] == 0
        and figures.kept["questionnaires"] == figures.total.get("questionnaires", 0) > 0
    )


def main() -> int:
    default = Plan()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--matches", type=int, default=default.matches, help="concurrent matches aimed at")
    parser.add_argument("--seconds", type=float, default=default.seconds, help="length of the measurement")
    parser.add_argument("--ramp", type=float, default=default.ramp, help="seconds in which the probands come")
    parser.add_argument("--drain", type=float, default=default.drain, help="seconds at most for ending what was begun")
    parser.add_argument("--pace", type=float, default=default.pace, help="factor on all times of play")
    parser.add_argument("--processes", default="1,2", help="numbers of server processes, one run each")
    parser.add_argument("--thinking", default=default.thinking, help="shares that are checked, or server; one run each")
    parser.add_argument("--no-worker", action="store_true", help="without the background worker and its ratings")
    parser.add_argument("--no-log", action="store_true", help="probands who do not agree to the interaction log")
    parser.add_argument("--json", type=Path, help="also write the figures into this file")
    chosen = parser.parse_args()
    plan = Plan(
        chosen.matches,
        chosen.seconds,
        chosen.ramp,
        chosen.drain,
        chosen.pace,
        not chosen.no_worker,
        not chosen.no_log,
    )
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what was started is ended
    gc.set_threshold(*DRIVER_GC)
    found = []
    for processes, thinking in product(map(int, chosen.processes.split(",")), chosen.thinking.split(",")):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            folder.chmod(0o755)
            found.append(run(replace(plan, thinking=thinking), processes, folder))
        if chosen.json:  # after every run: whoever interrupts the next one keeps what there is
            written: list[dict[str, Any]] = [asdict(figures) for figures in found]
            chosen.json.write_text(json.dumps(written, indent=1))
    show(found)
    return 0 if all(map(is_clean, found)) else 1


if __name__ == "__main__":
    sys.exit(main())
