"""Backups: made while people play, whole or not there at all, and put back row by row."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
import uuid
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import psutil
import pytest
from pydantic import SecretStr
from sqlalchemy import delete, update
from typer.testing import CliRunner

from server.accounts.models import Account
from server.backup import sealing, service
from server.backup.archive import DUMP, MANIFEST, read_manifest, write_backup
from server.backup.errors import BackupError
from server.backup.programs import Programs
from server.backup.sealing import new_key, read_key
from server.backup.service import back_up, restore
from server.backup.signing import read_private, sign
from server.base.settings import Settings
from server.cli.main import app
from server.storage import postgres
from server.storage.database import Database
from server.storage.migrate import migrate, newest_revision
from server.storage.postgres import BINARIES, Cluster
from tests.conftest import SECRET, _named
from tests.databases import drop_database
from tests.people import PASSWORD, new_account, session_cookie
from tests.server.operations.test_postgres import postmasters
from tests.server.operations.test_serve import Browser
from tests.server.operations.upgrading import CHAIN, HISTORY, Rows, lost, meant, rows_of
from tests.servers import PATIENCE, environment_of, running_server
from tests.workers import running_worker

NewDatabase = Callable[[], Awaitable[str]]
GRINTU = [sys.executable, "-m", "server.cli"]
OLDER = next((path for version in (15, 16) if (path := Path(f"/usr/lib/postgresql/{version}/bin")).is_dir()), None)
"""The programs of a server that does not know all of what our pg_restore writes, where the machine has one."""


def silent(_: str) -> None:
    pass


@pytest.fixture
async def new_database(postgres_url: str) -> AsyncIterator[NewDatabase]:
    """Gives the addresses of empty databases."""
    connection = await asyncpg.connect(postgres_url)
    names = []

    async def create() -> str:
        names.append(f"backup_{uuid.uuid4().hex}")
        await connection.execute(f'CREATE DATABASE "{names[-1]}"')
        return _named(postgres_url, names[-1])

    yield create
    for name in names:
        await drop_database(connection, name)
    await connection.close()


@pytest.fixture
async def old_study(new_database: NewDatabase) -> str:
    """A database of an older version with data of its time."""
    url = await new_database()
    connection = await asyncpg.connect(url)
    for revision in ("20261116_01", "20261116_02", "20261116_03"):
        await asyncio.to_thread(migrate, url, revision)
        await connection.execute((HISTORY / f"{revision}.sql").read_text())
    await connection.close()
    return url


async def everything(url: str) -> Rows:
    connection = await asyncpg.connect(url)
    try:
        return await rows_of(connection)
    finally:
        await connection.close()


def missing(before: Rows, after: Rows) -> list[tuple[str, dict[str, object]]]:
    """What restoring and migrating lost; log-ins end with it."""
    return [(table, row) for table, row in lost(meant(before, *CHAIN), after) if table != "account_sessions"]


@pytest.mark.long
async def test_a_backup_during_play_is_served_from_another_folder(
    settings: Settings, database: Database, tmp_path: Path
) -> None:
    """Real processes all the way: a server and a writer at work, the two commands, a new embedded Postgres."""
    account = await new_account(database, email="mia@example.org")
    file = tmp_path / "backup.zip"
    with running_server(settings):
        stop = asyncio.Event()
        writing = asyncio.create_task(write_pairs(database, stop))
        command = await asyncio.create_subprocess_exec(
            *GRINTU, "backup", "--out", str(file), env=environment_of(settings), stderr=subprocess.PIPE
        )
        _, told = await command.communicate()
        stop.set()
        written = await writing
    assert command.returncode == 0, told.decode()
    assert "  match_moves" in told.decode().splitlines(), "progress is shown"
    assert file.stat().st_mode & 0o777 == 0o600

    elsewhere = Settings(_env_file=None, secret_key=SecretStr(SECRET), data_dir=tmp_path / "elsewhere")
    put_back = await asyncio.create_subprocess_exec(
        *GRINTU, "restore", str(file), env=environment_of(elsewhere), stderr=subprocess.PIPE
    )
    _, told = await put_back.communicate()
    assert put_back.returncode == 0, told.decode()
    with running_server(elsewhere) as server, running_worker(elsewhere), Browser(server) as browser:
        answer = await asyncio.to_thread(browser.fill, "/login", email=account.email, password=PASSWORD)
        assert answer.status_code == 303
        assert "mia@example.org" in browser.get("/account").text
        assert browser.fill("/account/my-data", "/account/downloads/data").status_code == 303
        async with asyncio.timeout(PATIENCE):
            while "is being prepared" in browser.get("/account/my-data").text:  # noqa: ASYNC110 - another process does it
                await asyncio.sleep(1)
        assert len(json.loads(browser.get("/account/downloads/data").text)["consents"]) == 2
    assert not postmasters(elsewhere.data_dir / "postgres")

    rows = read_manifest(file).contents.rows
    assert 0 < rows["audit_log"] <= written
    assert rows["audit_log"] == rows["persons"] - 1, "what was committed together is there together or not at all"


async def write_pairs(database: Database, stop: asyncio.Event) -> int:
    """Write two rows in each transaction until told to stop; gives how often."""
    count = 0
    while not stop.is_set():
        async with database.pool.acquire() as connection, connection.transaction():
            name = f"live-{count}"
            await connection.execute("INSERT INTO persons (pseudonym, created_at) VALUES ($1, now())", name)
            await connection.execute(
                "INSERT INTO audit_log (at, actor, action, target, details) VALUES (now(), 'test', 'x', $1, '{}')", name
            )
        count += 1
        await asyncio.sleep(0.02)  # leaves the machine to the others
    return count


async def test_every_row_comes_back_and_old_backups_are_migrated(
    old_study: str, new_database: NewDatabase, tmp_path: Path
) -> None:
    file = tmp_path / "old.zip"
    before = await everything(old_study)
    made = await back_up(Programs(old_study), file, silent)
    assert made.contents.revision == "20261116_03"
    target = await new_database()
    await restore(Programs(target), file, silent)
    after = await everything(target)
    assert missing(before, after) == []
    connection = await asyncpg.connect(target)
    assert await connection.fetchval("SELECT version_num FROM alembic_version") == newest_revision()
    await connection.execute("INSERT INTO persons (pseudonym, created_at) VALUES ('next', now())")
    assert await connection.fetchval("SELECT id FROM persons WHERE pseudonym = 'next'") == 6, "sequences go on"
    await connection.execute("DELETE FROM persons WHERE pseudonym = 'next'")
    await connection.close()

    again = tmp_path / "again.zip"
    await back_up(Programs(target), again, silent)
    copy = await new_database()
    await restore(Programs(copy), again, silent)
    assert await everything(copy) == after, "row by row, in every table"


@pytest.mark.skipif(OLDER is None, reason="no Postgres older than 17 is installed")
async def test_backups_go_to_an_older_server_and_back(
    old_study: str, new_database: NewDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "BINARIES", OLDER)
    older = Cluster(tmp_path / "older", throwaway=True)
    there = await asyncio.to_thread(older.acquire)
    try:
        before = await everything(old_study)
        await back_up(Programs(old_study), tmp_path / "there.zip", silent)
        await restore(Programs(there), tmp_path / "there.zip", silent)
        made = await back_up(Programs(there), tmp_path / "back.zip", silent)
        assert made.contents.postgres < 17
    finally:
        await asyncio.to_thread(older.release)
    back = await new_database()
    await restore(Programs(back), tmp_path / "back.zip", silent)
    assert missing(before, await everything(back)) == []


async def test_servers_that_are_too_old_are_left_alone(
    old_study: str, new_database: NewDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "old.zip"
    await back_up(Programs(old_study), file, silent)
    monkeypatch.setattr(service, "OLDEST_SERVER", 99)
    target = await new_database()
    with pytest.raises(BackupError, match=r"needs Postgres 99 or newer.*Nothing was changed"):
        await restore(Programs(target), file, silent)
    assert await everything(target) == {}


async def test_data_are_replaced_only_by_force(
    old_study: str, database: Database, database_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "old.zip"
    await back_up(Programs(old_study), file, silent)
    await new_account(database)
    await database.engine.dispose()
    before = await everything(database_url)
    with pytest.raises(BackupError, match=r"holds data already \(1 persons\).*--force"):
        await restore(Programs(database_url), file, silent)
    assert await everything(database_url) == before
    await restore(Programs(database_url), file, silent, force=True)
    after = await everything(database_url)
    assert missing(await everything(old_study), after) == []
    assert len(after["persons"]) == 5


async def test_nothing_is_restored_below_a_running_server(
    old_study: str, new_database: NewDatabase, tmp_path: Path
) -> None:
    file = tmp_path / "old.zip"
    await back_up(Programs(old_study), file, silent)
    target = await new_database()
    server = await asyncpg.connect(target)
    with pytest.raises(BackupError, match=r"in use by 1 connections\. Stop every server"):
        await restore(Programs(target), file, silent, force=True)
    await server.close()


async def test_damaged_and_foreign_files_change_nothing(
    old_study: str, database_url: str, new_database: NewDatabase, tmp_path: Path
) -> None:
    file = tmp_path / "good.zip"
    await back_up(Programs(old_study), file, silent)
    good = file.read_bytes()
    middle = len(good) // 2
    broken = {
        "cut off": good[:middle],
        "damaged": good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1 :],
        "empty": b"",
        "foreign": b"PGDMP" + bytes(100),
    }
    before = await everything(database_url)
    for name, content in broken.items():
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(BackupError, match="Nothing was changed"):
            await restore(Programs(database_url), path, silent, force=True)
    with pytest.raises(BackupError, match="Cannot read"):
        await restore(Programs(database_url), tmp_path / "missing", silent)
    for change, why in (("revision", "newer than this software"), ("format", "has the format 99")):
        with pytest.raises(BackupError, match=why):
            await restore(Programs(database_url), changed(file, tmp_path / change, change), silent)
    no_dump = tmp_path / "no-dump.zip"
    write_backup(no_dump, read_manifest(file).contents, [b"no dump at all"])
    with pytest.raises(BackupError, match="pg_restore failed"):
        await restore(Programs(database_url), no_dump, silent, force=True)
    assert await everything(database_url) == before


def changed(file: Path, target: Path, what: str) -> Path:
    """A copy of a backup whose manifest claims to come from the future."""
    with zipfile.ZipFile(file) as source, zipfile.ZipFile(target, "w") as copy:
        manifest = json.loads(source.read(MANIFEST))
        if what == "format":
            manifest["format"] = 99
        else:
            manifest["contents"][what] = "29991231_01"
        copy.writestr(DUMP, source.read(DUMP))
        copy.writestr(MANIFEST, json.dumps(manifest))
    return target


async def test_a_restore_that_fails_in_the_middle_leaves_the_old_data(
    old_study: str, database: Database, database_url: str, tmp_path: Path
) -> None:
    """The dump is whole and genuine, but its end does not come; what was dropped and created by then is undone."""
    file = tmp_path / "old.zip"
    await back_up(Programs(old_study), file, silent)
    await new_account(database)
    await database.engine.dispose()
    before = await everything(database_url)
    with zipfile.ZipFile(file) as archive:
        dump = archive.read(DUMP)
    with pytest.raises(BackupError, match="pg_restore failed"):
        Programs(database_url).replace([dump[: len(dump) * 3 // 4]], silent, {})
    assert await everything(database_url) == before


async def test_a_backup_that_lies_about_its_rows_changes_nothing(
    old_study: str, database: Database, database_url: str, tmp_path: Path
) -> None:
    contents = (await back_up(Programs(old_study), tmp_path / "good.zip", silent)).contents
    await new_account(database)
    await database.engine.dispose()
    before = await everything(database_url)
    with zipfile.ZipFile(tmp_path / "good.zip") as archive:
        dump = archive.read(DUMP)
    for number, lie in enumerate(({"persons": 4}, {"no_such_table": 0}, {"x; DROP TABLE persons": 0})):
        path = tmp_path / f"lying-{number}.zip"
        write_backup(path, replace(contents, rows=contents.rows | lie), [dump])
        with pytest.raises(BackupError):
            await restore(Programs(database_url), path, silent, force=True)
    fewer = {name: count for name, count in contents.rows.items() if name != "audit_log"}
    write_backup(tmp_path / "fewer.zip", replace(contents, rows=fewer), [dump])
    with pytest.raises(BackupError, match="differ from the manifest"):
        await restore(Programs(database_url), tmp_path / "fewer.zip", silent, force=True)
    assert await everything(database_url) == before


async def test_a_sealed_backup_tells_nothing_and_cannot_be_changed(
    old_study: str, new_database: NewDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealing, "PIECE", 1024)  # else this one would have a single piece
    for name in ("key", "other"):
        new_key(tmp_path / name)
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    key, other = read_key(tmp_path / "key"), read_key(tmp_path / "other")
    file, target = tmp_path / "sealed", await new_database()
    before = await everything(old_study)
    await back_up(Programs(old_study), file, silent, key)
    good = file.read_bytes()
    assert b"PGDMP" not in good
    assert b"manifest" not in good
    size, head = sealing.PIECE + sealing.TAG_BYTES, len(sealing.MARK) + sealing.SALT_BYTES
    broken = {
        "changed": good[:-1] + bytes([good[-1] ^ 1]),
        "cut off": good[: head + size],
        "lengthened": good + good[head : head + size],
        "moved": good[:head] + good[head + size : head + 2 * size] + good[head : head + size] + good[head + 2 * size :],
    }
    for name, content in broken.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(BackupError, match="Nothing was changed"):
            await restore(Programs(target), tmp_path / name, silent, key=key)
    with pytest.raises(BackupError, match="another key"):
        await restore(Programs(target), file, silent, key=other)
    with pytest.raises(BackupError, match="--key"):
        await restore(Programs(target), file, silent)
    await back_up(Programs(old_study), tmp_path / "plain", silent)
    with pytest.raises(BackupError, match="anybody may have written it"):
        await restore(Programs(target), tmp_path / "plain", silent, key=key)
    assert await everything(target) == {}
    await restore(Programs(target), file, silent, key=key)
    assert missing(before, await everything(target)) == []


def test_a_signed_backup_names_its_maker_and_cannot_be_changed(tmp_path: Path) -> None:
    """By the commands: who has the public key alone can check, and nothing that was changed afterwards passes."""
    settings = {"GRINTU_DATA_DIR": str(tmp_path / "data")}
    run = partial(CliRunner().invoke, app, env=settings)
    for name in ("ours", "theirs"):
        assert run(["backup-signer", "--out", str(tmp_path / name)]).exit_code == 0
    assert (tmp_path / "ours").stat().st_mode & 0o777 == 0o600
    file = tmp_path / "backup"
    file.write_bytes(b"what a backup holds")
    check = partial(run, ["backup-verify", str(file), "--signed-by", str(tmp_path / "ours.public")])
    assert "is not signed" in check().output
    sign(file, read_private(tmp_path / "ours"))
    assert check().exit_code == 0
    by_others = run(["backup-verify", str(file), "--signed-by", str(tmp_path / "theirs.public")])
    assert "signed by another key" in by_others.output
    file.write_bytes(b"what a backup held")
    changed = run(["restore", str(file), "--signed-by", str(tmp_path / "ours.public")])
    assert "or changed since" in changed.output
    assert not (tmp_path / "data").exists(), "it was refused before anything was begun"
    no_key = run(["backup-verify", str(file), "--signed-by", str(file)])
    assert "is no public key" in no_key.output


async def test_restoring_brings_no_ended_log_in_back_and_is_written_down(
    settings: Settings, database: Database, new_database: NewDatabase, tmp_path: Path
) -> None:
    account = await new_account(database)
    await session_cookie(database, settings, account)
    await back_up(Programs(settings.database_url.get_secret_value()), tmp_path / "x", silent)  # type: ignore[union-attr]  # it has one
    target = await new_database()
    environment = environment_of(settings) | {"GRINTU_DATABASE_URL": target}
    done = await asyncio.to_thread(
        subprocess.run,
        [*GRINTU, "restore", str(tmp_path / "x")],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "All log-ins have ended" in done.stdout
    assert "Accounts that were here keep their passwords" in done.stdout
    after = await everything(target)
    assert after["account_sessions"] == []
    assert [entry["action"] for entry in after["audit_log"]] == ["backup.restore"]


async def test_restoring_brings_no_old_password_back_and_a_step_that_fails_no_log_in(
    settings: Settings, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who changed a leaked password, or has a phone since, is not thrown back; and all that is one transaction."""
    assert settings.database_url is not None
    url = settings.database_url.get_secret_value()
    changed, gone = await new_account(database), await new_account(database)
    await session_cookie(database, settings, changed)
    await back_up(Programs(url), tmp_path / "x", silent)
    async with database.transaction() as session:
        values = {"password_hash": "of now", "second_factor": "sealed", "second_factor_step": 7}
        await session.execute(update(Account).where(Account.id == changed.id).values(**values))
        await session.execute(delete(Account).where(Account.id == gone.id))

    def fails(_: str) -> None:
        raise RuntimeError("a migration failed")

    monkeypatch.setattr("server.backup.service.migrate", fails)
    monkeypatch.setattr("server.backup.service.OTHERS", "SELECT 0")
    with pytest.raises(RuntimeError):
        await restore(Programs(url), tmp_path / "x", silent, force=True)
    after = await everything(url)
    assert after["account_sessions"] == []
    kept = {row["id"]: row for row in after["accounts"]}
    assert {name: kept[changed.id][name] for name in values} == values
    assert kept[gone.id]["password_hash"] == gone.password_hash, "who is not here any more comes as the backup has it"


async def test_a_failing_dump_leaves_no_file(old_study: str, tmp_path: Path) -> None:
    programs, file = Programs(old_study), tmp_path / "x.zip"
    contents = (await back_up(programs, tmp_path / "good.zip", silent)).contents
    with pytest.raises(BackupError, match=r"pg_dump failed.*invalid snapshot"):
        write_backup(file, contents, programs.dump("no snapshot", silent))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["good.zip"]
    with pytest.raises(BackupError, match=r"exists already, and backups are not overwritten"):
        write_backup(tmp_path / "good.zip", contents, [])
    with pytest.raises(BackupError, match="No such file or directory"):
        write_backup(tmp_path / "nowhere" / "x.zip", contents, [])


async def test_an_empty_database_is_no_backup(new_database: NewDatabase, tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="nothing to back up"):
        await back_up(Programs(await new_database()), tmp_path / "x.zip", silent)


async def test_programs_older_than_the_server_are_refused(old_study: str, tmp_path: Path) -> None:
    old = tmp_path / "bin" / "pg_dump"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.24'\n")
    old.chmod(0o755)
    with pytest.raises(BackupError, match=r"are of version 9, too old for it.*--programs"):
        await back_up(Programs(old_study, old.parent), tmp_path / "x.zip", silent)
    with pytest.raises(BackupError, match="no program pg_dump"):
        await back_up(Programs(old_study, tmp_path), tmp_path / "x.zip", silent)


async def test_the_password_is_in_no_list_of_processes(old_study: str) -> None:
    programs = Programs(old_study.replace("postgresql://", "postgresql+asyncpg://"), BINARIES)
    assert programs._environment["PGPASSWORD"] not in programs._address
    assert programs._address.startswith("postgresql://grintu@127.0.0.1:")


def test_a_full_disk_is_told_and_leaves_nothing(settings: Settings, tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk; the system reports both in the same way."""
    place = tmp_path / "full"
    place.mkdir()
    limited = ["sh", "-c", 'ulimit -f 4; exec "$@"', "sh", *GRINTU, "backup", "--out", str(place / "x.zip")]
    # Compiled modules are files, too: cut off by the limit, they would stay and break every later command.
    environment = environment_of(settings) | {"PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        limited, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 1, done.stderr
    assert f"Cannot write {place / 'x.zip'}: File too large. No backup was written." in done.stderr
    assert "Traceback" not in done.stderr
    assert list(place.iterdir()) == []


def test_a_killed_backup_leaves_no_half_file(settings: Settings, tmp_path: Path) -> None:
    place = tmp_path / "killed"
    place.mkdir()
    command = [*GRINTU, "backup", "--quiet", "--out", str(place / "x.zip")]
    process = psutil.Popen(command, env=environment_of(settings), cwd=tmp_path)
    children: list[psutil.Process] = []
    while not children and process.poll() is None:
        with suppress(psutil.NoSuchProcess):
            children = process.children()
        time.sleep(0.005)
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
        process.wait()
    deadline = time.monotonic() + 120
    while any(map(is_alive, children)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(is_alive, children)), "pg_dump ends with the command"
    for found in place.iterdir():  # if it was quicker than the kill
        assert read_manifest(found).contents.revision == newest_revision()


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
