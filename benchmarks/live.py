"""Load of live play: concurrent matches with durable writes, beside a bare relay in the same run; a line per game.

The server, the database and the driver share this machine. Moves are checked by the referee, committed with fsync,
appended to the books and then broadcast; latency is from sending a move to its arrival at each of the sockets. The
first game is played without end; of the others, which may be short, whole matches are measured from the first move on.

    python -m benchmarks.live [--tables 1000] [--paced-tables 3000] [--seconds 6]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psutil
from pydantic import SecretStr
from rich.console import Console
from rich.table import Table

from benchmarks.live_load.tables import make_tables
from games.registry import game, shelf
from server.base.settings import ROOT, Settings
from server.storage.database import connect
from server.storage.migrate import migrate
from server.storage.postgres import Cluster

HUMAN_PAUSE = 4.0
SECRET = "a secret for measuring that is long enough to be taken"  # noqa: S105 - guards nothing but this run
QUIET = {"GRINTU_LIVE_MESSAGES_PER_SECOND": "100000", "GRINTU_LIVE_MESSAGE_BURST": "100000"}

LONGEST_WHOLE = 60.0
"""Seconds in which whole matches must be over."""
LONGEST_DRIVE = 300.0
"""Seconds; a driver that takes longer is ended."""

HEADINGS = (
    "server", "tables", "moves/s", "p50 ms", "p99 ms", "max ms",
    "server µs/move", "Postgres", "driver", "kB/socket", "connect/s", "ended",
)  # fmt: skip

Row = tuple[str, int, dict[str, Any]]


class Plan(NamedTuple):
    """What is measured; with `pause` 0 everybody moves at once."""

    name: str
    game: str
    tables: int
    pause: float
    seconds: float
    to_the_end: bool = False


@contextmanager
def server(command: list[str], port: int, environment: dict[str, str], log: Path) -> Iterator[psutil.Process]:
    """A server process that answers, ended at the end."""
    with log.open("ab") as output:
        process = subprocess.Popen(command, env=os.environ | environment, stdout=output, stderr=output, cwd=ROOT)
    try:
        for _ in range(600):
            if process.poll() is not None:
                raise RuntimeError(f"the server ended at its start:\n{log.read_text()[-3000:]}")
            try:
                socket.create_connection(("127.0.0.1", port), 5).close()
                break
            except ConnectionRefusedError:
                time.sleep(0.1)
        else:
            raise RuntimeError(f"the server did not answer within a minute:\n{log.read_text()[-3000:]}")
        yield psutil.Process(process.pid)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def drive(job: dict[str, Any], process: psutil.Process, postgres: psutil.Process | None = None) -> dict[str, Any]:
    """Run the driver; adds processor time per move of everybody, and the server's memory per connection in kB."""
    before = process.memory_info().rss
    command = [sys.executable, "-m", "benchmarks.live_load.driver"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as driver:
        assert driver.stdin is not None
        assert driver.stdout is not None
        limit = threading.Timer(LONGEST_DRIVE, driver.kill)
        limit.start()
        try:
            driver.stdin.write(json.dumps(job).encode())
            driver.stdin.close()
            expect(driver, b"connected\n")
            sockets = sum(len(group) for group in job["cookies"])
            memory = (process.memory_info().rss - before) / sockets / 1024
            expect(driver, b"measuring\n")
            watched = {"server": process, "driver": psutil.Process(driver.pid), "postgres": postgres}
            began = {name: cpu_seconds(one) for name, one in watched.items()}
            expect(driver, b"measured\n")
            spent = {name: cpu_seconds(one) - began[name] for name, one in watched.items()}
            result: dict[str, Any] = json.loads(driver.stdout.read())
        finally:
            limit.cancel()
    moves = max(1, result["moves"])
    cpu_us = {name: 1e6 * cpu / moves for name, cpu in spent.items()}
    return result | {"cpu_us": cpu_us, "memory": memory, "seats": sockets / len(job["paths"])}


def cpu_seconds(process: psutil.Process | None) -> float:
    """User and system time of a process and its children, also of those that have ended."""
    if process is None:
        return 0.0
    own = process.cpu_times()
    living = 0.0
    for child in process.children():
        with contextlib.suppress(psutil.NoSuchProcess):
            living += sum(child.cpu_times()[:2])
    return own.user + own.system + own.children_user + own.children_system + living


def expect(driver: subprocess.Popen[bytes], stage: bytes) -> None:
    assert driver.stdout is not None
    if (came := driver.stdout.readline()) != stage:
        raise RuntimeError(f"the driver should be {stage!r}, but said {came!r}")


def echo_rows(plans: list[Plan], log: Path) -> Iterator[Row]:
    for plan in plans:
        port = free_port()
        command = [sys.executable, "-m", "benchmarks.live_load.echo", str(port)]
        with server(command, port, {}, log) as process:
            job = {
                "port": port,
                "paths": [f"/{n}" for n in range(plan.tables)],
                "cookies": [[""] * len(game(plan.game).seats)] * plan.tables,
                "seconds": plan.seconds,
                "pause": plan.pause,
                "referee": False,
            }
            yield plan.name, plan.tables, drive(job, process)


def live_rows(plans: list[Plan], folder: Path) -> Iterator[Row]:
    cluster = Cluster(folder / "postgres")
    url = cluster.acquire()
    postgres = psutil.Process(int((cluster.data / "postmaster.pid").read_text().split()[0]))
    try:
        migrate(url)
        settings = Settings(
            _env_file=None, secret_key=SecretStr(SECRET), database_url=SecretStr(url), data_dir=folder / "data"
        )
        for plan in plans:

            async def make(plan: Plan = plan) -> Any:
                async with connect(url) as database:
                    return await make_tables(database, settings, plan.tables, plan.game)

            made = asyncio.run(make())
            port = free_port()
            environment = {
                "GRINTU_SECRET_KEY": SECRET,
                "GRINTU_DATABASE_URL": url,
                "GRINTU_DATA_DIR": str(folder / "data"),
                **QUIET,
            }
            command = [sys.executable, "-m", "server.cli", "serve", "--port", str(port)]
            with server(command, port, environment, folder / "server.log") as process:
                job = {
                    "port": port,
                    "paths": made.paths,
                    "cookies": made.cookies,
                    "seconds": plan.seconds,
                    "pause": plan.pause,
                    "referee": True,
                    "to_the_end": plan.to_the_end,
                }
                yield plan.name, plan.tables, drive(job, process, postgres)
    finally:
        cluster.release()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def percentile(values: list[float], share: float) -> float:
    return values[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def show(rows: list[Row]) -> None:
    table = Table(title="Live play: a socket per seat, one move in, a broadcast to each of them out")
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading == "server" else "right")
    for name, tables, result in rows:
        latencies, cpu = result["latencies"], result["cpu_us"]
        table.add_row(
            name,
            f"{tables:,}",
            f"{result['moves'] / result['seconds']:,.0f}",
            f"{percentile(latencies, 0.5):.1f}",
            f"{percentile(latencies, 0.99):.1f}",
            f"{percentile(latencies, 1.0):.1f}",
            f"{cpu['server']:.0f}",
            f"{cpu['postgres']:.0f}" if cpu["postgres"] else "",
            f"{cpu['driver']:.0f}",
            f"{result['memory']:.0f}",
            f"{result['seats'] * tables / result['connecting']:,.0f}",
            str(round(result["ended"] / result["seats"])),
        )
    console = Console(width=130)
    console.print(table)
    for name, tables, result in rows:
        for kind, count in sorted(result["problems"].items()):
            console.print(f"[red]{name}, {tables:,} tables: {count:,} times {kind}[/red]")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--tables", type=int, default=1000, help="concurrent matches in a closed loop")
    parser.add_argument("--paced-tables", type=int, default=3000, help="concurrent matches at a human pace")
    parser.add_argument("--seconds", type=float, default=5.0, help="length of the closed-loop measurement")
    parser.add_argument("--without-relay", action="store_true", help="measure the platform only")
    parser.add_argument("--one-game", action="store_true", help="without a line for each of the other games")
    parser.add_argument("--paced-seconds", type=float, default=15.0, help="length of the paced measurement")
    chosen = parser.parse_args()
    first, *others = shelf()
    plans = []
    if chosen.tables:
        plans.append(Plan("closed loop", first, chosen.tables, 0.0, chosen.seconds))
    if chosen.paced_tables:
        plans.append(Plan("human pace", first, chosen.paced_tables, HUMAN_PAUSE, chosen.paced_seconds))
    others = others if chosen.tables and not chosen.one_game else []
    whole = [Plan(one, one, chosen.tables, 0.0, LONGEST_WHOLE, to_the_end=True) for one in others]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        relay = [] if chosen.without_relay else echo_rows(plans, folder / "echo.log")
        rows: list[Row] = [(f"bare relay, {plan}", tables, result) for plan, tables, result in relay]
        rows += [(f"GRINTU, {plan}", tables, result) for plan, tables, result in live_rows(plans + whole, folder)]
        show(rows)


if __name__ == "__main__":
    main()
