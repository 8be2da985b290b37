"""Soak: an hour of continuous play at a constant, moderate load; says whether anything piles up.

The same simulated probands as in benchmarks/load.py play whole matches and answer questionnaires. Every few seconds
memory, tasks, sockets, files, database connections and the rows that must not pile up are written down. After the
warm-up a line is fitted through each; at the end, when everybody has gone, what is left is compared with what was there
before anybody came.

    python -m benchmarks.soak [--minutes 60] [--matches 30] [--pace 0.7] [--processes 2] [--out soak]
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import gc
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import uvloop
from rich.console import Console
from rich.table import Table

from benchmarks.load import PERSONS_PER_MATCH
from benchmarks.probands.accounts import make_logins, real_clocks
from benchmarks.probands.crowd import Crowd
from benchmarks.probands.installation import Installation, installation
from benchmarks.probands.meters import CpuMeter
from benchmarks.probands.proband import Habits
from benchmarks.probands.samples import WATCHED, Sample, sample
from benchmarks.probands.tally import Tally, percentile
from benchmarks.probands.trend import Trend, trend
from server.storage.database import connect

HOUR = 3600.0
RAMP_SECONDS = 300.0
SETTLE_SECONDS = 75.0
"""After a minute without anybody a table is forgotten; then the process should be as it was before."""
LOST = (
    "tasks",
    "live_sockets",
    "live_tables",
    "connections_in_use",
    "lobby_places",
    "seat_connections",
    "running_matches",
    "open_sheets",
)
"""What must be back at where it was when everybody has gone."""


@dataclass(frozen=True, slots=True)
class Plan:
    minutes: float = 60.0
    warm_up: float = 20.0
    """Until then caches and pools of connections fill."""
    matches: int = 30
    pace: float = 0.7
    processes: int = 2
    every: float = 15.0
    drain: float = 1500.0
    """The longest matches take four times as long as most."""


@dataclass
class Record:
    """All that was seen."""

    plan: Plan
    before: Sample = field(default_factory=dict)
    after: Sample = field(default_factory=dict)
    samples: list[Sample] = field(default_factory=list)
    errors: dict[str, int] = field(default_factory=dict)
    total: dict[str, int] = field(default_factory=dict)

    def trends(self) -> dict[str, Trend]:
        """Per hour, after the warm-up."""
        steady = [one for one in self.samples if one["seconds"] >= 60 * self.plan.warm_up]
        hours = [one["seconds"] / HOUR for one in steady]
        return {watched.name: trend(hours, [one[watched.name] for one in steady]) for watched in WATCHED}

    def left_over(self) -> dict[str, float]:
        return {name: self.after[name] - self.before[name] for name in LOST if self.after[name] > self.before[name]}


async def soak(place: Installation, plan: Plan, record: Record, file: Path) -> None:
    async with connect(place.url, size=2, raw_size=2) as database:
        await real_clocks(database, plan.pace)
        logins = await make_logins(database, PERSONS_PER_MATCH * plan.matches)
        await asyncio.sleep(plan.every + 1)  # until then the server has not looked at itself for the first time
        record.before = await sample(place, database)
        crowd = Crowd(place.port, Habits(plan.pace))
        crowd.tally.measuring = True
        meters = {
            "server": CpuMeter(place.server),
            "worker": CpuMeter(place.worker),
            "postgres": CpuMeter(place.postgres),
        }
        began, looked, driver = time.monotonic(), time.monotonic(), time.process_time()
        coming = asyncio.create_task(crowd.come(logins, min(RAMP_SECONDS, 6 * plan.minutes)))
        with file.open("w", newline="") as output:
            writer = None
            while time.monotonic() - began < 60 * plan.minutes:
                await asyncio.sleep(plan.every)
                seen = {"seconds": time.monotonic() - began} | await sample(place, database)
                span, looked = time.monotonic() - looked, time.monotonic()
                seen |= {f"cpu_{name}": meter.seconds() / span for name, meter in meters.items()}
                seen["cpu_driver"], driver = (time.process_time() - driver) / span, time.process_time()
                seen |= counted(crowd.tally, span)
                record.samples.append(seen)
                writer = writer or csv.DictWriter(output, list(seen))
                if len(record.samples) == 1:
                    writer.writeheader()
                writer.writerow({name: round(value, 4) for name, value in seen.items()})
                output.flush()
        await coming
        await crowd.go(plan.drain)
        await asyncio.sleep(SETTLE_SECONDS if plan.minutes >= 1 else plan.every)
        record.after = await sample(place, database)
        record.errors, record.total = dict(crowd.tally.errors), dict(crowd.tally.total)


def counted(tally: Tally, span: float) -> Sample:
    """What the probands did since the last sample; the latencies start anew."""
    requests = [value for values in tally.http.values() for value in values]
    found = {
        "moves_per_s": tally.held["moves"] / span,
        "requests_per_s": tally.held["requests"] / span,
        "move_p50_ms": 1000 * percentile(tally.moves, 0.5),
        "move_p99_ms": 1000 * percentile(tally.moves, 0.99),
        "http_p50_ms": 1000 * percentile(requests, 0.5),
        "http_p99_ms": 1000 * percentile(requests, 0.99),
        "errors": float(sum(tally.errors.values())),
    }
    tally.held.clear()
    tally.moves.clear()
    tally.http.clear()
    return found


# ---------------------------------------------------------------------------------------------------------- telling


def show(record: Record) -> None:
    plan, samples = record.plan, record.samples
    table = Table(title=f"Soak: {plan.minutes:g} min, line fitted after {plan.warm_up:g} min")
    headings = ("what", "before", "mean", "per hour", "95 % interval", "may drift", "verdict", "afterwards")
    for heading in headings:
        table.add_column(heading, justify="left" if heading in ("what", "verdict") else "right")
    for watched in WATCHED:
        found = record.trends()[watched.name]
        tolerance = watched.tolerance(found.mean)
        table.add_row(
            watched.meaning,
            f"{record.before[watched.name]:.0f}",
            f"{found.mean:.1f}",
            f"{found.slope:+.2f}",
            f"{found.low:+.2f} … {found.high:+.2f}",
            f"±{tolerance:.1f}",
            found.verdict(tolerance),
            f"{record.after[watched.name]:.0f}",
        )
    console = Console(width=140)
    console.print(table)
    pools = [one["connections"] for one in samples]
    console.print(f"connections to Postgres, used or not: {min(pools):.0f} to {max(pools):.0f}")
    cores = {name: mean(samples, f"cpu_{name}") for name in ("server", "postgres", "worker", "driver")}
    console.print(
        f"matches ended {record.after['ended_matches']:.0f}, questionnaires {record.after['finished_sheets']:.0f} "
        f"(acknowledged {record.total.get('questionnaires', 0)}), moves of probands {record.total.get('moves', 0)}, "
        f"requests {record.total.get('requests', 0)}"
    )
    console.print("cores: " + ", ".join(f"{name} {share:.2f}" for name, share in cores.items()))
    console.print(
        f"moves p50 {mean(samples, 'move_p50_ms'):.1f} ms, p99 {mean(samples, 'move_p99_ms'):.1f} ms; "
        f"HTTP p50 {mean(samples, 'http_p50_ms'):.1f} ms, p99 {mean(samples, 'http_p99_ms'):.1f} ms (means of samples)"
    )
    console.print("errors: " + (", ".join(f"{kind} × {n}" for kind, n in sorted(record.errors.items())) or "none"))
    console.print("left over: " + (", ".join(f"{k} +{v:.0f}" for k, v in record.left_over().items()) or "nothing"))


def mean(samples: list[Sample], name: str) -> float:
    values = [one[name] for one in samples if one[name] == one[name]]
    return sum(values) / len(values) if values else float("nan")


def draw(record: Record, file: Path) -> None:
    """One small panel per figure, over the minutes."""
    from matplotlib import pyplot  # a second to import, and needed at the end only

    shown = [watched for watched in WATCHED if watched.name not in ("live_processes", "account_sessions")]
    columns = 2
    lines = -(-len(shown) // columns)
    figure, axes = pyplot.subplots(lines, columns, figsize=(10, 1.5 * lines), sharex=True, layout="constrained")
    for axis, watched in zip(axes.flat, shown, strict=False):
        axis.plot(
            [one["seconds"] / 60 for one in record.samples], [one[watched.name] for one in record.samples], lw=0.8
        )
        axis.axvspan(0, record.plan.warm_up, color="0.92")
        axis.set_title(watched.meaning, fontsize=8, loc="left")
        axis.set_ylim(bottom=0)
        axis.tick_params(labelsize=7)
    for axis in axes[-1]:
        axis.set_xlabel("minutes", fontsize=8)
    figure.savefig(file)
    pyplot.close(figure)


def is_clean(record: Record) -> bool:
    rising = [w for w in WATCHED if (t := record.trends()[w.name]).verdict(w.tolerance(t.mean)) == "rises"]
    saved = record.after["finished_sheets"] == record.total.get("questionnaires", 0)
    return not (rising or record.errors or record.left_over()) and saved


def main() -> int:
    default = Plan()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--minutes", type=float, default=default.minutes, help="length of play")
    parser.add_argument("--warm-up", type=float, default=default.warm_up, help="minutes that the lines leave out")
    parser.add_argument("--matches", type=int, default=default.matches, help="concurrent matches aimed at")
    parser.add_argument("--pace", type=float, default=default.pace, help="factor on all times of play")
    parser.add_argument("--processes", type=int, default=default.processes, help="server processes")
    parser.add_argument("--every", type=float, default=default.every, help="seconds between samples")
    parser.add_argument("--out", type=Path, default=Path("soak"), help="folder for samples.csv and soak.svg")
    chosen = parser.parse_args()
    plan = Plan(chosen.minutes, chosen.warm_up, chosen.matches, chosen.pace, chosen.processes, chosen.every)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what was started is ended
    gc.set_threshold(100_000, 20, 1000)
    chosen.out.mkdir(parents=True, exist_ok=True)
    record = Record(plan)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        with installation(folder, processes=plan.processes, pace=plan.pace, worker=True) as place:
            uvloop.run(soak(place, plan, record, chosen.out / "samples.csv"))
    show(record)
    draw(record, chosen.out / "soak.svg")
    return 0 if is_clean(record) else 1


if __name__ == "__main__":
    sys.exit(main())
