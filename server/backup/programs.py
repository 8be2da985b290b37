"""Postgres' own programs: pg_dump, pg_restore and psql, of the embedded server or of a folder that is named."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from sqlalchemy.engine import make_url

from server.backup.errors import BackupError
from server.storage.database import plain_url
from server.storage.postgres import BINARIES
from server.storage.runas import Runner

CHUNK: Final = 1024 * 1024
REMEMBERED: Final = 20
NAME = re.compile(r"[a-z_][a-z0-9_]*")
TABLE = re.compile(r"(?:dumping contents of|processing data for) table \"?(?:public\.)?(\w+)")

Report = Callable[[str], None]
"""Is told the name of each table when its turn comes."""

# All or nothing: what was there goes in the same transaction in which the backup comes.
EMPTY_FIRST: Final = b"""
SET lock_timeout = '10s';
SET client_min_messages = warning;
BEGIN;
DO $$ BEGIN
    IF to_regclass('public.accounts') IS NOT NULL THEN
        CREATE TEMPORARY TABLE present_accounts AS SELECT to_jsonb(a) AS account FROM public.accounts a;
    END IF;
END $$;
DROP SCHEMA public CASCADE;
CREATE SCHEMA public;
GRANT USAGE ON SCHEMA public TO PUBLIC;
"""
# In the same transaction: a log-in that was ended since the backup shall not be good again, nor a password or a second
# factor that was changed since, whatever happens next. Tables may be of any earlier schema.
AS_OF_NOW: Final = b"""
DO $$ BEGIN
    IF to_regclass('public.account_sessions') IS NOT NULL THEN
        DELETE FROM public.account_sessions;
    END IF;
    IF to_regclass('pg_temp.present_accounts') IS NOT NULL AND to_regclass('public.accounts') IS NOT NULL THEN
        UPDATE public.accounts a SET password_hash = p.account->>'password_hash' FROM pg_temp.present_accounts p
        WHERE a.email = p.account->>'email' AND a.created_at = (p.account->>'created_at')::timestamptz;
        IF EXISTS (SELECT FROM information_schema.columns WHERE table_schema = 'public' AND table_name = 'accounts'
                   AND column_name = 'second_factor') THEN
            UPDATE public.accounts a SET second_factor = p.account->>'second_factor',
                second_factor_step = (p.account->>'second_factor_step')::int,
                recovery_codes = p.account->'recovery_codes'
            FROM pg_temp.present_accounts p
            WHERE a.email = p.account->>'email' AND a.created_at = (p.account->>'created_at')::timestamptz
              AND p.account ? 'second_factor';
        END IF;
    END IF;
END $$;
"""
COMMIT: Final = b"\nCOMMIT;\n"
# pg_restore begins with settings, of which servers before Postgres 17 do not know this one.
TOO_NEW: Final = b"SET transaction_timeout = 0;"
IF_KNOWN: Final = b"SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'transaction_timeout';"


@dataclass(frozen=True)
class Programs:
    """The programs in a folder, at work on the database at `url`."""

    url: str
    folder: Path = BINARIES

    def major(self) -> int:
        """The programs' major version."""
        said = self._run("pg_dump", "--version")
        found = re.search(r"(\d+)", said)
        if found is None:
            raise BackupError(f"pg_dump in {self.folder} does not tell its version: {said}")
        return int(found.group(1))

    def dump(self, snapshot: str, report: Report) -> Generator[bytes]:
        """The database as it was at a snapshot that somebody holds open."""
        options = ["--format", "custom", "--verbose", "--snapshot", snapshot, "--dbname", self._address]
        with self._running("pg_dump", *options, report=report) as process:
            assert process.stdout is not None
            while chunk := process.stdout.read(CHUNK):
                yield chunk

    def check(self, dump: Iterable[bytes]) -> None:
        """Let pg_restore read the dump's list of contents; raises if it cannot."""
        with self._running("pg_restore", "--list") as process, self._fed(process, dump):
            assert process.stdout is not None
            while process.stdout.read(CHUNK):
                pass

    def replace(self, dump: Iterable[bytes], report: Report, rows: Mapping[str, int]) -> None:
        """Put the dump into the database in place of all that is there, in one transaction; it is undone if the tables
        do not have as many rows as they should. Log-ins end, and accounts that are there keep how one gets in."""
        options = ["--no-owner", "--no-privileges", "--verbose", "--file", "-"]
        quiet = ["--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--output", os.devnull, "--file", "-"]
        with self._running("psql", *quiet, "--dbname", self._address) as target:
            assert target.stdin is not None
            try:
                target.stdin.write(EMPTY_FIRST)
                with self._running("pg_restore", *options, report=report) as source, self._fed(source, dump):
                    assert source.stdout is not None
                    target.stdin.write(source.stdout.read(CHUNK).replace(TOO_NEW, IF_KNOWN, 1))
                    while chunk := source.stdout.read(CHUNK):
                        target.stdin.write(chunk)
                target.stdin.write(_counted(rows))
                target.stdin.write(AS_OF_NOW)
                target.stdin.write(COMMIT)  # only now: without it the connection's end undoes everything
                target.stdin.close()
            except BrokenPipeError:
                pass  # psql has met an error and says it
            target.wait()

    @property
    def _address(self) -> str:
        """Without the password, which everybody on the machine could read in the list of processes."""
        return make_url(plain_url(self.url))._replace(password=None).render_as_string()

    @property
    def _environment(self) -> dict[str, str]:
        password = make_url(self.url).password
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        return inherited | ({"PGPASSWORD": str(password)} if password else {})

    def _path(self, name: str) -> str:
        path = self.folder / name
        if not path.exists():
            raise BackupError(f"There is no program {name} in {self.folder}.")
        return str(path)

    def _run(self, name: str, *options: str) -> str:
        return subprocess.run([self._path(name), *options], capture_output=True, text=True, check=True).stdout

    @contextmanager
    def _running(self, name: str, *options: str, report: Report | None = None) -> Iterator[subprocess.Popen[bytes]]:
        """A program that ends with us, whatever happens; raises what it said if it failed."""
        command = [self._path(name), *options]
        if shutil.which("setpriv"):
            command = Runner().command(command, die_with_parent="SIGTERM")
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self._environment
        )
        assert process.stderr is not None
        said: list[str] = []
        listener = threading.Thread(target=_listen, args=(process.stderr, said, report), daemon=True)
        listener.start()
        try:
            yield process
        except BaseException:
            process.kill()
            raise
        finally:
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    _close(pipe)
            process.wait()
            listener.join()
            process.stderr.close()
        if process.returncode:
            raise BackupError(f"{name} failed: {' '.join(said) or f'status {process.returncode}'}")

    @contextmanager
    def _fed(self, process: subprocess.Popen[bytes], chunks: Iterable[bytes]) -> Iterator[None]:
        """Write to the process's input while its output is read here."""
        assert process.stdin is not None
        feeder = threading.Thread(target=_feed, args=(process.stdin, chunks), daemon=True)
        feeder.start()
        try:
            yield
        finally:
            if process.stdout is not None:
                _close(process.stdout)
            feeder.join()


def _counted(rows: Mapping[str, int]) -> bytes:
    """What raises unless the tables are these and have so many rows. (Names were written by whoever wrote the file.)"""
    if not all(NAME.fullmatch(name) and isinstance(count, int) for name, count in rows.items()):
        raise BackupError("The backup's manifest names what cannot be a table. Nothing was changed.")
    known = ", ".join(f"'{name}'" for name in rows)
    wrong = [f"(SELECT count(*) FROM public.{name}) <> {count}" for name, count in rows.items()]  # noqa: S608 - checked
    wrong.append(f"EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ({known}))")
    differs = "RAISE 'the tables differ from the manifest of the backup'"
    return f"\nDO $$ BEGIN IF {' OR '.join(wrong)} THEN {differs}; END IF; END $$;\n".encode()


def _feed(pipe: IO[bytes], chunks: Iterable[bytes]) -> None:
    try:
        for chunk in chunks:
            pipe.write(chunk)
    except (BrokenPipeError, ValueError):
        pass  # the reader has seen enough, or failed and says why
    finally:
        _close(pipe)


def _close(pipe: IO[bytes]) -> None:
    with suppress(BrokenPipeError):
        pipe.close()


def _listen(pipe: IO[bytes], said: list[str], report: Report | None) -> None:
    """Pass progress on and keep what else is said, the last lines of it."""
    for line in pipe:
        text = line.decode(errors="replace").strip()
        found = TABLE.search(text)
        if found and report is not None:
            report(found.group(1))
        elif report is None or "error" in text.lower() or "detail" in text.lower() or "hint" in text.lower():
            said.append(text)
            del said[:-REMEMBERED]
