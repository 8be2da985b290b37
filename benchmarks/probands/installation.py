"""A whole installation for measuring: durable embedded Postgres, `grintu serve`, and `grintu worker` if wanted.

Everything listens on the loopback device and ends with the context, or with this process if that is killed.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from server.base.settings import ROOT
from server.storage.migrate import migrate
from server.storage.postgres import Cluster, _free_port
from server.storage.runas import Runner

SECRET: Final = "a secret for measuring that is long enough to be taken"  # noqa: S105 - guards nothing but this run
PATIENCE: Final = 120.0


@dataclass(frozen=True, slots=True)
class Installation:
    url: str
    """Of the database."""
    port: int
    server: psutil.Process
    worker: psutil.Process | None
    postgres: psutil.Process | None
    """The postmaster, if this installation has started it."""


@contextmanager
def installation(
    folder: Path, *, processes: int = 1, pace: float = 1.0, worker: bool = False, database_url: str | None = None
) -> Iterator[Installation]:
    """An installation in `folder`; with `database_url` on that migrated database instead of a Postgres of its own."""
    with ExitStack() as stack:
        postgres = None
        if database_url is None:
            cluster = Cluster(folder / "postgres")
            database_url = cluster.acquire()
            stack.callback(cluster.release)
            migrate(database_url)
            postgres = psutil.Process(int((cluster.data / "postmaster.pid").read_text().split()[0]))
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GRINTU_")} | {
            "GRINTU_SECRET_KEY": SECRET,
            "GRINTU_DATABASE_URL": database_url,
            "GRINTU_DATA_DIR": str(folder / "data"),
            "GRINTU_LIVE_PACE": str(pace),
            "GRINTU_LOG_LEVEL": "warning",
            # A quickened proband sends more in a second than a person can.
            "GRINTU_LIVE_MESSAGES_PER_SECOND": str(20 / min(pace, 1.0)),
            "GRINTU_LIVE_MESSAGE_BURST": str(round(60 / min(pace, 1.0))),
        }
        port = _free_port()
        serve = ["serve", "--port", str(port), "--workers", str(processes)]
        server = stack.enter_context(_running(serve, environment, folder / "server.log"))
        _wait_until_healthy(server, port, folder / "server.log")
        background = None
        if worker:
            background = stack.enter_context(
                _running(["worker", "--processes", "1"], environment, folder / "worker.log")
            )
        yield Installation(database_url, port, server, background, postgres)


@contextmanager
def _running(arguments: list[str], environment: dict[str, str], log: Path) -> Iterator[psutil.Process]:
    command = [sys.executable, "-m", "server.cli", *arguments]
    if shutil.which("setpriv"):
        command = Runner().command(command, die_with_parent="SIGTERM")
    with log.open("ab") as output:
        process = subprocess.Popen(
            command, env=environment, stdout=output, stderr=output, cwd=ROOT, start_new_session=True
        )
    try:
        yield psutil.Process(process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_healthy(server: psutil.Process, port: int, log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if not server.is_running() or server.status() == psutil.STATUS_ZOMBIE:
            raise RuntimeError(f"the server ended at its start:\n{log.read_text()[-3000:]}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    raise TimeoutError(f"the server did not become healthy:\n{log.read_text()[-3000:]}")
