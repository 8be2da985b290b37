"""Real background workers for tests."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from server.base.settings import Settings
from tests.servers import PATIENCE, environment_of


@contextmanager
def running_worker(settings: Settings) -> Iterator[subprocess.Popen[bytes]]:
    """`grintu worker` in its own process; a job counts as abandoned after a second. It may be killed within."""
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    variables = environment_of(settings) | {"GRINTU_WORKER_DEAD_AFTER": "PT1S"}
    command = [sys.executable, "-m", "server.cli", "worker", "--processes", "1"]
    with (settings.data_dir / "worker.log").open("ab") as output:
        process = subprocess.Popen(command, env=variables, stdout=output, stderr=output)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)
