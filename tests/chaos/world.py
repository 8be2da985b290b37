"""The platform under attack: one Postgres, two servers and a worker as real processes, and the clock they all live by.

Processes are kept running as an init system would: whoever ends without having been told to is started again, and
counted.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import httpx
import psutil
from pydantic import SecretStr

from server.base.settings import ROOT, Settings
from server.storage.migrate import migrate
from server.storage.outages import is_outage
from server.storage.postgres import Cluster
from server.storage.runas import Runner
from tests.chaos.plan import SERVERS, Scale
from tests.chaos.process import SHIFT
from tests.servers import PLAIN, environment_of, free_port

PATIENCE = 120.0
MOST_STARTS = 20
READY = b"worker ready"
"""What a worker writes into its log."""
MARK = "GRINTU_CHAOS_RUN"
"""Every process of a run carries this variable, so that those left over can be found."""

# Unqualified names are looked up in the order of the search path: our now() stands before Postgres' own.
CLOCK = """
CREATE SCHEMA chaos;
CREATE TABLE chaos.notes (number int PRIMARY KEY);
CREATE TABLE chaos.clock (shift interval NOT NULL);
INSERT INTO chaos.clock VALUES ('0');
CREATE FUNCTION chaos.now() RETURNS timestamptz LANGUAGE sql STABLE AS
    'SELECT pg_catalog.now() + shift FROM chaos.clock';
CREATE FUNCTION chaos.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    'SELECT pg_catalog.clock_timestamp() + shift FROM chaos.clock';
DO $$
DECLARE place record;
BEGIN
    FOR place IN SELECT table_name, column_name FROM information_schema.columns
                 WHERE table_schema = 'public' AND column_default = 'now()' LOOP
        EXECUTE format('ALTER TABLE %I ALTER %I SET DEFAULT chaos.now()', place.table_name, place.column_name);
    END LOOP;
END $$;
"""
SEARCH_PATH = "ALTER DATABASE {} SET search_path = public, chaos, pg_catalog"


class Target(Cluster):
    """The servers' Postgres. Whoever takes it away leaves it to them to bring it back."""

    def __init__(self, folder: Path):
        super().__init__(folder, watchful=False)

    @contextlib.contextmanager
    def away(self, *, killed: bool) -> Iterator[None]:
        """Gone, and nobody can start it meanwhile."""
        with self._alone():
            if killed:
                psutil.Process(int((self.data / "postmaster.pid").read_text().split()[0])).kill()
                while self._lives():
                    time.sleep(0.01)
            else:
                self._stop()
            yield


@dataclass
class Kept:
    """A process that is kept running."""

    name: str
    arguments: list[str]
    health: str | None = None
    process: subprocess.Popen[bytes] | None = None
    ready: bool = False
    wanted: bool = True
    starts: int = 0
    """How often it was started."""
    log_from: int = 0
    """Where its last life begins in its log."""


@dataclass
class World:
    """All processes of a run except for the probands."""

    folder: Path
    scale: Scale
    mark: str = field(default_factory=lambda: secrets.token_hex(8))
    unexpected_ends: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.cluster = Target(self.folder / "data" / "postgres")
        self.clock_file = self.folder / "clock"
        self.clock_file.write_bytes(SHIFT.pack(0.0))
        self.shift = 0.0
        self.postgres_alone = asyncio.Lock()
        """Held while Postgres is being taken away."""
        self.kept: list[Kept] = []

    # -------------------------------------------------------------------------------------------------- begin and end

    @contextlib.contextmanager
    def postgres(self) -> Iterator[Settings]:
        """The settings for a migrated database on a running Postgres with a movable clock."""
        os.environ[MARK] = self.mark  # everything that is started from here on can be found again
        url = self.cluster.acquire()
        try:
            migrate(url)
            asyncio.run(self._install_clock(url))
            yield Settings(
                _env_file=None,
                secret_key=SecretStr(secrets.token_hex(32)),
                database_url=SecretStr(url),
                data_dir=self.folder / "data",
            )
        finally:
            self.cluster.release()
            del os.environ[MARK]

    async def _install_clock(self, url: str) -> None:
        connection = await asyncpg.connect(url)
        await connection.execute(CLOCK)
        await connection.execute(SEARCH_PATH.format(await connection.fetchval("SELECT current_database()")))
        await connection.close()

    def start(self, settings: Settings) -> None:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        self.settings = settings
        self.environment = environment_of(settings.model_copy(update={"database_url": None})) | {
            "GRINTU_LIVE_PACE": str(self.scale.pace),
            "GRINTU_LIVE_ASK_TIME": f"PT{self.scale.ask / self.scale.pace}S",
            "GRINTU_WORKER_DEAD_AFTER": "PT3S",
            MARK: self.mark,
        }
        for number in range(SERVERS):
            port = free_port()
            door = f"http://127.0.0.1:{port}"
            self.kept.append(Kept(f"server-{number}", ["serve", "--port", str(port)], door))
        self.kept.append(Kept("worker", ["worker", "--processes", "1"]))
        for one in self.kept:
            self._launch(one)

    @property
    def doors(self) -> list[str]:
        return [one.health for one in self.kept if one.health is not None]

    def named(self, name: str) -> Kept:
        return next(one for one in self.kept if one.name == name)

    def _launch(self, one: Kept) -> None:
        """From the main thread: the processes end when the thread that started them does."""
        command = [sys.executable, "-m", "tests.chaos.process", str(self.clock_file), *one.arguments]
        with (self.folder / f"{one.name}.log").open("ab") as output:
            one.log_from = output.tell()
            one.process = subprocess.Popen(
                Runner().command(command, die_with_parent="SIGKILL"),
                env=self.environment | {"GRINTU_LOG_LEVEL": "warning" if one.health else "info"},
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        one.ready, one.starts = False, one.starts + 1

    async def keep_running(self) -> None:
        """Until cancelled: notice who has become ready, and start again whoever has ended."""
        async with httpx.AsyncClient(timeout=5, **PLAIN) as client:
            while True:
                for one in self.kept:
                    assert one.process is not None
                    if not one.wanted:
                        continue
                    if (status := one.process.poll()) is not None:
                        if one.ready:
                            self.unexpected_ends.append(f"{one.name} ended by itself with status {status}")
                        self._launch(one)
                    elif not one.ready:
                        one.ready = await self._is_ready(client, one)
                await asyncio.sleep(0.2)

    async def _is_ready(self, client: httpx.AsyncClient, one: Kept) -> bool:
        if one.health is None:
            return READY in self.log_of(one)
        try:
            return (await client.get(f"{one.health}/health")).status_code == 200
        except httpx.TransportError:
            return False

    async def all_ready(self) -> None:
        async with asyncio.timeout(PATIENCE):
            while not all(one.ready for one in self.kept):
                await asyncio.sleep(0.05)
                for one in self.kept:
                    if one.starts > MOST_STARTS and not one.ready:
                        raise RuntimeError(f"{one.name} cannot be started:\n{self.log_of(one)[-2000:].decode()}")

    def log_of(self, one: Kept) -> bytes:
        """What it has written in its present life."""
        return (self.folder / f"{one.name}.log").read_bytes()[one.log_from :]

    def stop(self) -> None:
        """End the servers and the worker in order."""
        for one in self.kept:
            one.wanted = False
            if one.process is not None and one.process.poll() is None:
                one.process.send_signal(signal.SIGTERM)
        for one in self.kept:
            if one.process is None:
                continue
            try:
                one.process.wait(60)
            except subprocess.TimeoutExpired:
                self.unexpected_ends.append(f"{one.name} does not end when told to")
                one.process.kill()
                one.process.wait()

    def ask_where(self) -> None:
        """Let everybody write into the log what they are doing; for runs that are stuck."""
        for one in self.kept:
            if one.process is not None and one.process.poll() is None:
                one.process.send_signal(signal.SIGUSR1)

    def left_over(self) -> list[str]:
        """Processes of this run that still live."""
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if process.pid != os.getpid() and process.environ().get(MARK) == self.mark:
                    found.append(f"{process.pid} {' '.join(process.cmdline())[:120]}")
        return found

    # --------------------------------------------------------------------------------------------------------- attacks

    async def kill(self, name: str, away: float) -> None:
        """kill -9, and a new process after a while."""
        one = self.named(name)
        if not one.wanted or one.process is None:
            return  # it is away already
        one.wanted = False
        one.process.kill()
        one.process.wait()
        await asyncio.sleep(away)
        self._launch(one)
        one.wanted = True

    async def take_postgres(self, away: float, *, killed: bool) -> None:
        """It is gone for a while, and comes back only if somebody of those who need it sees to it."""
        async with self.postgres_alone:
            with self.cluster.away(killed=killed):
                await asyncio.sleep(away)
            async with asyncio.timeout(PATIENCE):
                await (await self._reach_postgres()).close()

    async def _reach_postgres(self) -> asyncpg.Connection:
        while True:
            try:
                return await asyncpg.connect(self.url, timeout=5)
            except Exception as error:
                if not is_outage(error):
                    raise
                await asyncio.sleep(0.1)

    async def move_clock(self, seconds: float) -> None:
        """For the servers, the worker and Postgres alike."""
        self.shift += seconds
        with self.clock_file.open("r+b") as file:
            file.write(SHIFT.pack(self.shift))
        while True:
            try:
                connection = await asyncpg.connect(self.url, timeout=5)
                try:
                    await connection.execute("UPDATE chaos.clock SET shift = make_interval(secs => $1)", self.shift)
                    return
                finally:
                    await connection.close()
            except Exception as error:
                if not is_outage(error):
                    raise
                await asyncio.sleep(0.1)

    @property
    def url(self) -> str:
        assert self.settings.database_url is not None
        return self.settings.database_url.get_secret_value()
