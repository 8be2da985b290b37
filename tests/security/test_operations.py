"""An installation under attack, or badly kept: secrets, files, rights in the database, a database that is frozen."""

from __future__ import annotations

import ast
import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import psutil
import pytest
import structlog
from fastapi import FastAPI
from pydantic import SecretStr, ValidationError
from sqlalchemy import select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession
from structlog.testing import capture_logs

from server.accounts.models import SecurityEvent
from server.base import metrics
from server.base.settings import ROOT, Settings
from server.pages import health
from server.prolog.engine_file import engine_file
from server.prolog.host import WasmtimeHost
from server.prolog.start import user_cache
from server.storage.database import connect, hosted
from server.storage.places import private_folder
from server.storage.postgres import SUPERUSER, Cluster
from server.web import forwarded
from tests.conftest import SECRET
from tests.server.operations.test_postgres import postmasters
from tests.servers import PageClient

# ------------------------------------------------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    "secret", ["x" * 40, "change-me" * 5, "abcdefghijkl" * 4, "0123456789" * 4, "my-secret-key-is-change-me-or-not!!"]
)
def test_what_is_long_but_not_random_is_no_secret(secret: str) -> None:
    with pytest.raises(ValidationError, match="GRINTU_SECRET_KEY"):
        Settings(_env_file=None, secret_key=SecretStr(secret))


@pytest.mark.parametrize(
    ("chosen", "about"),
    [
        ({"base_url": "http://grintu.example"}, "GRINTU_BASE_URL"),
        ({"smtp_host": None}, "GRINTU_SMTP_HOST"),
        ({"smtp_security": "none"}, "GRINTU_SMTP_SECURITY"),
        ({"trusted_proxies": "*"}, "GRINTU_TRUSTED_PROXIES"),
    ],
)
def test_what_is_dangerous_for_real_people_is_said_at_the_start(chosen: dict[str, str], about: str) -> None:
    good = {"secret_key": SECRET, "base_url": "https://grintu.example", "smtp_host": "smtp.example"}
    assert Settings(_env_file=None, **good).cautions == []  # type: ignore[arg-type]  # as the environment has them
    (caution,) = Settings(_env_file=None, **(good | chosen)).cautions  # type: ignore[arg-type]  # the same
    assert caution.startswith(about)


# --------------------------------------------------------------------------------------------------- files and database


@pytest.fixture
def own_cluster(tmp_path: Path) -> Iterator[Settings]:
    settings = Settings(_env_file=None, secret_key=SecretStr(SECRET), data_dir=tmp_path / "data")
    yield settings
    for process in postmasters(settings.data_dir / "postgres"):
        process.kill()
        process.wait(30)


async def test_nobody_else_reads_the_data_folder_or_the_log_or_is_superuser(own_cluster: Settings) -> None:
    data = own_cluster.data_dir
    data.mkdir(mode=0o755)
    host = hosted(own_cluster)
    url = await asyncio.to_thread(host.__enter__)
    try:
        assert data.stat().st_mode & 0o066 == 0
        for secret in ("log", "password", "role_password"):
            assert (data / "postgres" / secret).stat().st_mode & 0o077 == 0, secret
        connection = await asyncpg.connect(url)
        rights = (
            "SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
        )
        assert await connection.fetchval(rights) is False
        await connection.execute("CREATE TABLE ours (id int); DROP TABLE ours")
        await connection.close()
        as_superuser = make_url(url).set(username=SUPERUSER).render_as_string(hide_password=False)
        with pytest.raises(asyncpg.InvalidPasswordError):
            await asyncpg.connect(as_superuser)
    finally:
        await asyncio.to_thread(host.__exit__, None, None, None)


def test_the_folder_is_closed_also_where_the_database_lies_elsewhere(settings: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    with hosted(settings.model_copy(update={"data_dir": folder})):
        assert folder.stat().st_mode & 0o066 == 0


def test_a_folder_of_before_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    folder.chmod(0o775)
    private_folder(folder)
    assert folder.stat().st_mode & 0o777 == (0o711 if os.geteuid() == 0 else 0o700), "root lets Postgres' account pass"


async def test_while_the_database_is_frozen_health_says_so_and_the_next_question_waits_for_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = Cluster(tmp_path / "postgres", throwaway=True)
    url = await asyncio.to_thread(cluster.acquire)
    async with connect(url, size=2, raw_size=1) as database:
        assert (await health.check_health(database)).database, "it answers, though nobody has migrated it"
        frozen = [
            process for one in postmasters(tmp_path / "postgres") for process in (one, *one.children(recursive=True))
        ]
        try:
            _signal(frozen, signal.SIGSTOP)
            monkeypatch.setattr(health, "PATIENCE", 0.2)
            for _ in range(3):
                found = await asyncio.wait_for(health.check_health(database), 60)
                assert found.as_json()["database"] == "unreachable"
            assert database.connections_in_use == 1
        finally:
            _signal(frozen, signal.SIGCONT)
        await health._asking[database]
        monkeypatch.undo()
        assert (await health.check_health(database)).database
    await asyncio.to_thread(cluster.release)


def _signal(processes: list[psutil.Process], number: signal.Signals) -> None:
    for process in processes:
        process.send_signal(number)


LIMITED: dict[str, set[str | None]] = {
    "connect": {"timeout", "command_timeout"},
    "create_pool": {None},
    "create_async_engine": {"connect_args"},
}
"""What each call has to be given; None stands for a dictionary of limits (`**limits`)."""


def test_every_way_to_the_database_has_time_limits() -> None:
    """A database that is frozen answers nothing and hangs nothing up: whoever waits without a limit waits for ever."""
    root = Path(health.__file__).parents[2]
    found: set[str] = set()
    for path in (*(root / "server").rglob("*.py"), *(root / "migrations").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func)
            name = called.removeprefix("asyncpg.")
            if name in LIMITED and (name == "create_async_engine" or called != name):
                found.add(f"{path.relative_to(root).as_posix()} {name}")
                assert LIMITED[name] <= {keyword.arg for keyword in node.keywords}, f"{path}:{node.lineno}"
    assert found == {
        "migrations/env.py create_async_engine",
        "server/backup/service.py connect",
        "server/jobs/worker.py connect",
        "server/storage/database.py create_async_engine",
        "server/storage/database.py create_pool",
    }


async def test_no_statement_of_a_page_takes_for_ever(app: FastAPI) -> None:
    async with app.state.database.sessions() as session:
        assert await session.scalar(text("SHOW statement_timeout")) == "1min"
        await session.execute(text("SET LOCAL statement_timeout = '10ms'"))
        with pytest.raises(DBAPIError, match="statement timeout"):
            await session.execute(text("SELECT pg_sleep(60)"))
    assert await app.state.database.pool.fetchval("SHOW statement_timeout") == "1min"


# ------------------------------------------------------------------------------------------------------------- the rest


def test_an_engine_that_cannot_be_kept_is_compiled_and_runs(tmp_path: Path) -> None:
    """In the image the user's home belongs to root; a file in the place of the folder refuses root too."""
    (tmp_path / "no folder").write_text("")
    engine = WasmtimeHost(engine_file(), tmp_path / "no folder" / "cache", None)
    assert engine.run(engine.open(), "true.") == "+1"
    engine.stop()


AS_THE_IMAGE = ("setpriv", "--reuid", "10001", "--regid", "10001", "--clear-groups", "--no-new-privs")
RUN = "from server.prolog import start_engine as s; e = s(); print(e.run(e.open(), 'true.'))"


@pytest.mark.parametrize("kept", [True, False])
def test_the_images_user_runs_the_engine_with_and_without_a_cache(tmp_path: Path, kept: bool) -> None:
    """As a container does: a user without rights and a home that is root's; the cache lies in the data folder, or, if
    nobody has set it, in that home, where it cannot be written."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root can become the image's user, with setpriv")
    tried = subprocess.run([*AS_THE_IMAGE, sys.executable, "-c", ""], capture_output=True, cwd="/", check=False)
    if tried.returncode:
        pytest.skip(f"the image's user may not run {sys.executable} of this machine")
    with tempfile.TemporaryDirectory() as place:  # pytest's own folders are closed to others
        home, data = Path(place) / "home", Path(place) / "data"
        home.mkdir()
        data.mkdir(mode=0o700)
        Path(place).chmod(0o755)
        os.chown(data, 10001, 10001)
        environment = {"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
        if kept:
            environment["XDG_CACHE_HOME"] = str(data / "cache")
        run = [*AS_THE_IMAGE, sys.executable, "-c", RUN]
        done = subprocess.run(run, capture_output=True, text=True, env=environment, cwd=ROOT, check=False)
        assert done.stdout.splitlines()[-1:] == ["+1"], done.stderr
        assert ("compiled anew" in done.stdout) == (not kept)
        assert bool(list(data.rglob("*"))) == kept
        assert list(home.iterdir()) == []


def test_the_engine_is_kept_where_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert user_cache() == tmp_path / "grintu"


async def test_what_holds_everybody_up_is_measured(client: PageClient) -> None:
    async def felt() -> float:
        await asyncio.sleep(3 * metrics.NAP_SECONDS)
        told = re.search(r"^grintu_event_loop_lag_seconds_sum (.+)$", (await client.get("/metrics")).text, re.MULTILINE)
        assert told
        return float(told[1])

    before = await felt()
    held_up = 5 * metrics.NAP_SECONDS
    time.sleep(held_up)  # noqa: ASYNC251 - what nothing on the event loop may do
    assert await felt() >= before + held_up - metrics.NAP_SECONDS


async def test_a_proxy_that_is_not_believed_is_told_of_once(
    app: FastAPI, client: PageClient, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody behind it shares one address: a hundred wrong passwords would lock a whole study out."""
    monkeypatch.setattr(forwarded, "log", structlog.get_logger())  # one that has been used keeps where it writes to
    with capture_logs() as lines:
        for _ in range(3):
            await client.get("/health", headers={"x-forwarded-for": "198.51.100.7"})
        await client.get("/health", headers={"x-forwarded-for": "127.0.0.1"})  # as uvicorn leaves it if it believes
    told = [line for line in lines if "untrusted peer" in line["event"]]
    assert [line["peer"] for line in told] == ["127.0.0.1"]
    await app.state.events.write()
    query = select(SecurityEvent.times).where(SecurityEvent.kind == "proxy.untrusted")
    assert (await session.scalars(query)).one() == 3
