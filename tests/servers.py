"""Real server processes and a client that behaves like a browser, for tests."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from server.base.settings import Settings
from server.storage.runas import Runner

PATIENCE = 120.0
PLAIN: Mapping[str, Any] = {"verify": False}
"""For HTTP clients within this machine: to load the world's certificates takes longer than most requests."""
CSRF_FIELD = re.compile(r'name="csrf_token" value="([0-9a-f]+)"')


class PageClient(httpx.AsyncClient):
    """Keeps cookies, asks for pages in English, and sends the CSRF token of the last page with every change."""

    csrf_token = ""

    def __init__(self, **options: Any):
        super().__init__(headers={"accept": "text/html", "accept-language": "en"}, **PLAIN, **options)

    async def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        if self.csrf_token and request.method not in ("GET", "HEAD") and "x-csrf-token" not in request.headers:
            request.headers["x-csrf-token"] = self.csrf_token
        response = await super().send(request, **options)
        if found := CSRF_FIELD.search(response.text):
            self.csrf_token = found.group(1)
        return response


@dataclass
class LiveServer:
    url: str
    port: int
    process: subprocess.Popen[bytes]
    log: Path

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and give the exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


def environment_of(settings: Settings) -> dict[str, str]:
    """The variables that make another process use the same settings."""
    chosen = {
        "GRINTU_SECRET_KEY": settings.secret_key.get_secret_value(),
        "GRINTU_DATA_DIR": str(settings.data_dir),
        "GRINTU_DEMO": str(settings.demo).lower(),
        "GRINTU_BASE_URL": settings.base_url,
        "GRINTU_DATABASE_PATIENCE": str(round(settings.database_patience.total_seconds())),
    }
    if settings.database_url is not None:
        chosen["GRINTU_DATABASE_URL"] = settings.database_url.get_secret_value()
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GRINTU_")}
    return inherited | chosen


@contextmanager
def running_server(settings: Settings, *options: str, port: int | None = None) -> Iterator[LiveServer]:
    """`grintu serve` in its own process, waited for until it is healthy, and ended at the end."""
    port = port or free_port()
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    log = settings.data_dir / f"server-{port}.log"
    command = [sys.executable, "-m", "server.cli", "serve", "--port", str(port), *options]
    if shutil.which("setpriv") and threading.current_thread() is threading.main_thread():
        command = Runner().command(command, die_with_parent="SIGTERM")  # a killed test run leaves no server behind
    with log.open("ab") as output:
        process = subprocess.Popen(
            command, env=environment_of(settings), stdout=output, stderr=output, start_new_session=True
        )
    server = LiveServer(f"http://127.0.0.1:{port}", port, process, log)
    try:
        wait_until_healthy(server)
        yield server
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_until_healthy(server: LiveServer) -> None:
    deadline = time.monotonic() + PATIENCE
    with httpx.Client(base_url=server.url, timeout=5, **PLAIN) as client:
        while time.monotonic() < deadline:
            if server.process.poll() is not None:
                raise RuntimeError(f"the server ended at its start:\n{server.log.read_text()}")
            try:
                if client.get("/health").status_code == 200:
                    return
            except httpx.TransportError:
                pass  # not listening yet
            time.sleep(0.05)
    raise TimeoutError(f"the server did not become healthy:\n{server.log.read_text()}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
