"""What the soak looks at every few seconds: memory, tasks, sockets, files, connections, rows that must not pile up."""

from __future__ import annotations

import asyncio
import re
import urllib.request
from dataclasses import dataclass
from typing import Final

import psutil

from benchmarks.probands.installation import Installation
from benchmarks.probands.meters import open_files, resident_bytes, tree
from server.storage.database import Database

GAUGE: Final = re.compile(r"^(grintu_[a-z_]+) ([0-9.e+]+)$", re.MULTILINE)

ROWS: Final = """
SELECT (SELECT count(*) FROM lobby_places) AS lobby_places,
       (SELECT count(*) FROM seat_connections) AS seat_connections,
       (SELECT count(*) FROM live_processes) AS live_processes,
       (SELECT count(*) FROM account_sessions) AS account_sessions,
       (SELECT count(*) FROM rate_limits) AS rate_limits,
       (SELECT count(*) FROM pgqueuer) AS queued_jobs,
       (SELECT count(*) FROM pgqueuer_log) AS job_log,
       (SELECT count(*) FROM rating_snapshots) AS rating_snapshots,
       (SELECT count(*) FROM matches WHERE ended_at IS NULL) AS running_matches,
       (SELECT count(*) FROM questionnaire_sheets
        WHERE finished_at IS NULL AND skipped_at IS NULL AND closed_at IS NULL) AS open_sheets,
       (SELECT count(*) FROM matches WHERE ended_at IS NOT NULL) AS ended_matches,
       (SELECT count(*) FROM questionnaire_sheets WHERE finished_at IS NOT NULL) AS finished_sheets
"""

Sample = dict[str, float]


@dataclass(frozen=True, slots=True)
class Watched:
    """A figure that should be flat: its name, what it is, and how much it may drift in an hour.

    The tolerance is the larger of a number and a share of the mean.
    """

    name: str
    meaning: str
    number: float
    share: float = 0.0

    def tolerance(self, mean: float) -> float:
        return max(self.number, self.share * mean)


WATCHED: Final = (
    Watched("server_mb", "server memory, MB", 2.0, 0.01),
    Watched("worker_mb", "worker memory, MB", 2.0, 0.02),
    Watched("tasks", "tasks of the event loops", 2.0, 0.02),
    Watched("live_sockets", "sockets of lobby and matches", 1.0, 0.02),
    Watched("live_tables", "matches in memory", 1.0, 0.02),
    Watched("connections_in_use", "connections to Postgres in use", 1.0),
    Watched("files", "open files, without connections to Postgres", 2.0, 0.02),
    Watched("lobby_places", "rows: waiting in the lobby", 1.0),
    Watched("seat_connections", "rows: who is connected", 1.0, 0.02),
    Watched("live_processes", "rows: live server processes", 0.5),
    Watched("account_sessions", "rows: log-ins", 1.0),
    Watched("rate_limits", "rows: rate limits", 1.0),
    Watched("queued_jobs", "rows: jobs that wait", 1.0),
    Watched("job_log", "rows: log of jobs", 1.0),
    Watched("running_matches", "rows: matches that are on", 1.0, 0.02),
    Watched("open_sheets", "rows: questionnaires being filled in", 1.0, 0.02),
)


async def sample(place: Installation, database: Database) -> Sample:
    """One look at everything. The web server is asked beside the event loop, which has probands to serve."""
    async with database.pool.acquire() as connection:
        found: Sample = {name: float(value) for name, value in dict(await connection.fetchrow(ROWS)).items()}
    text = await asyncio.to_thread(_metrics, place.port)
    gauges = {name.removeprefix("grintu_"): float(value) for name, value in GAUGE.findall(text)}
    return found | {
        "tasks": gauges["tasks"],
        "live_sockets": gauges["live_sockets"],
        "live_tables": gauges["live_tables"],
        "connections": gauges["database_connections"],
        "connections_in_use": gauges["database_connections_in_use"],
        "server_mb": resident_bytes(place.server) / 2**20,
        "worker_mb": resident_bytes(place.worker) / 2**20,
        "postgres_mb": await asyncio.to_thread(_proportional_mb, place.postgres),
        "files": open_files(place.server) - gauges["database_connections"],
    }


def _metrics(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        text: str = answer.read().decode()
    return text


def _proportional_mb(process: psutil.Process | None) -> float:
    """Memory of a tree that shares most of it: shared pages count in parts."""
    total = 0
    for one in tree(process):
        try:
            total += one.memory_full_info().pss
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return total / 2**20
