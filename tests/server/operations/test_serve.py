"""Real server processes: start, kill, take over, stop in order, several at once, demo."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from server.base.settings import Settings
from server.cli.demo_study import create_demo
from server.storage.scratch import scratch_folder
from tests.conftest import SECRET
from tests.server.operations.test_postgres import postmasters
from tests.servers import CSRF_FIELD, PATIENCE, PLAIN, LiveServer, running_server

PASSWORD = "correct horse battery"


def own_settings(folder: Path) -> Settings:
    """Settings without a database: the embedded one is used."""
    return Settings(_env_file=None, secret_key=SecretStr(SECRET), data_dir=folder)


class Browser(httpx.Client):
    """Sends the token of the form it has opened."""

    def __init__(self, server: LiveServer):
        super().__init__(base_url=server.url, headers={"accept": "text/html"}, timeout=60, **PLAIN)

    def fill(self, page: str, action: str | None = None, **fields: str) -> httpx.Response:
        found = CSRF_FIELD.search(self.get(page).text)
        assert found is not None
        return self.post(action or page, data={"csrf_token": found.group(1), **fields})


@pytest.mark.long
def test_killed_servers_lose_nothing_and_the_next_takes_over(tmp_path: Path) -> None:
    settings = own_settings(tmp_path / "data")
    cluster = tmp_path / "data" / "postgres"
    with running_server(settings) as first, running_server(settings) as second:
        assert len(postmasters(cluster)) == 1, "two servers, one postmaster"
        with Browser(first) as browser:
            assert browser.fill("/register", email="mia@example.org", password=PASSWORD).status_code == 303
        first.stop(signal.SIGKILL)
        second.stop(signal.SIGKILL)
        (orphan,) = postmasters(cluster)
        orphan.kill()
        orphan.wait(30)

    with running_server(settings) as third, Browser(third) as browser:
        answer = browser.fill("/login", email="mia@example.org", password=PASSWORD)
        assert answer.status_code == 403, "the account is there and waits for its confirmation"
        assert third.stop(signal.SIGTERM) == 0
    assert not postmasters(cluster), "the last one has stopped Postgres"


def test_two_processes_behind_one_port_share_their_metrics(settings: Settings) -> None:
    with running_server(settings, "--workers", "2") as server:
        for _ in range(20):
            httpx.get(f"{server.url}/login", headers={"accept": "text/html"}, **PLAIN)
        text = httpx.get(f"{server.url}/metrics", **PLAIN).text
        counted = re.search(r'grintu_requests_total\{method="GET",route="/login",status="200"\} (\d+)', text)
        assert counted is not None
        assert int(counted.group(1)) == 20
        room = settings.data_dir / "metrics"
        (counted_in,) = room.iterdir()
        with scratch_folder(room):
            assert counted_in.exists(), "its owner lives"
        server.stop(signal.SIGKILL)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not is_free(server.port):
            time.sleep(0.05)
        assert is_free(server.port), "the processes of a killed server do not keep its port"
    with scratch_folder(room) as folder:
        assert list(room.iterdir()) == [folder], "the next one clears away what a killed server has left"
    assert list(room.iterdir()) == []


def test_what_is_dangerous_for_real_people_is_printed_at_the_start(live_server: LiveServer) -> None:
    """As a line each, for whoever starts it and for the service manager's log."""
    assert "Settings: GRINTU_SMTP_HOST is missing" in live_server.log.read_text()


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def test_who_is_being_answered_gets_the_answer_before_the_end(live_server: LiveServer) -> None:
    body = b"email=mia%40example.org&password=not+known+here"
    head = f"POST /login HTTP/1.1\r\nHost: grintu\r\nContent-Length: {len(body)}\r\n"
    head += "Content-Type: application/x-www-form-urlencoded\r\nExpect: 100-continue\r\n\r\n"
    with (
        httpx.Client(base_url=live_server.url, **PLAIN) as idle,
        socket.create_connection(("127.0.0.1", live_server.port), timeout=PATIENCE) as asking,
    ):
        assert idle.get("/health").status_code == 200  # a kept-alive connection is open
        asking.sendall(head.encode())
        assert b"100 Continue" in asking.recv(1000), "the server has begun with the request and waits for its body"
        live_server.process.send_signal(signal.SIGTERM)
        while "Waiting for connections to close" not in live_server.log.read_text():
            assert live_server.process.poll() is None
            time.sleep(0.02)
        assert is_free(live_server.port), "nobody else is let in"
        asking.sendall(body)
        assert asking.recv(1000).startswith(b"HTTP/1.1 403"), "a form without its token"
        assert live_server.process.wait(PATIENCE) == 0
    assert "Traceback" not in live_server.log.read_text()


def test_commands_find_the_demo_that_its_folder_holds(tmp_path: Path) -> None:
    """After `make run` they need no variables; where something else is named, the folder tells nothing."""
    folder = tmp_path / "data"
    demo = Settings(_env_file=None, demo=True, data_dir=folder, base_url="http://127.0.0.1:8001")
    with pytest.raises(ValueError, match="GRINTU_SECRET_KEY"):
        Settings(_env_file=None, data_dir=folder)
    demo.mark_demo()
    found = Settings(_env_file=None, data_dir=folder)
    assert (found.demo, found.base_url, found.secret) == (True, demo.base_url, demo.secret)
    assert not Settings(_env_file=None, data_dir=folder, secret_key=SecretStr(SECRET)).demo
    with pytest.raises(ValueError, match="GRINTU_SECRET_KEY"):
        Settings(_env_file=None, data_dir=folder, database_url=SecretStr("postgresql://u:p@h/n"))


def test_a_demo_in_a_database_of_somebody_elses_leaves_no_mark(tmp_path: Path) -> None:
    url = SecretStr("postgresql://u:p@h/n")
    Settings(_env_file=None, demo=True, data_dir=tmp_path, database_url=url).mark_demo()
    assert list(tmp_path.iterdir()) == []


def test_the_demo_prints_its_passwords_once_and_runs_a_worker(database_url: str, tmp_path: Path) -> None:
    settings = Settings(_env_file=None, demo=True, database_url=SecretStr(database_url), data_dir=tmp_path / "data")
    with running_server(settings, "--demo") as server:
        printed = dict(re.findall(r"^  (\S+@example\.org) +(\S+)$", server.log.read_text(), re.MULTILINE))
        assert f"Log in at {settings.base_url}/login with:" in server.log.read_text()
        assert set(printed) == {"proband@example.org", "researcher@example.org", "admin@example.org"}
        with Browser(server) as browser:
            answer = browser.fill("/login", email="admin@example.org", password=printed["admin@example.org"])
            assert answer.status_code == 303
            assert browser.get("/admin/accounts").status_code == 200
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and "worker ready" not in server.log.read_text():
            time.sleep(0.05)  # a worker that is told to stop before it has begun says nothing
    assert server.process.returncode == 0
    assert "worker stopped" in server.log.read_text()
    assert asyncio.run(create_demo(database_url)) == {}, "the second start finds everything there"


@pytest.mark.parametrize("secret", ["", "change-me", "too short", "x" * 31])
def test_a_weak_secret_is_no_secret(secret: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="GRINTU_SECRET_KEY"):
        Settings(_env_file=None, secret_key=SecretStr(secret))
    demo = Settings(_env_file=None, demo=True, secret_key=SecretStr(secret), data_dir=tmp_path)
    first = demo.secret
    assert len(first) >= 32
    assert demo.secret == first, "generated once and kept"


def test_the_server_does_not_start_with_a_weak_secret(tmp_path: Path) -> None:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GRINTU_")}
    environment = inherited | {"GRINTU_SECRET_KEY": "change-me", "GRINTU_DATA_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "server.cli", "serve", "--port", "0"]
    done = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert "GRINTU_SECRET_KEY must be a random text" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "postgres").exists()
