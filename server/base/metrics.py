"""Prometheus metrics: requests by route and status, their duration, and what a process holds at the moment.

With several server processes each writes into files of one folder (PROMETHEUS_MULTIPROC_DIR, set by `grintu serve`),
and whichever process is asked adds them up.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path

import psutil
from fastapi import FastAPI
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from starlette.types import ASGIApp, Message, Receive, Scope, Send

REQUESTS = Counter("grintu_requests_total", "Answered HTTP requests", ["method", "route", "status"])
DURATION = Histogram("grintu_request_seconds", "Time until the answer was sent", ["method", "route"])
LAG = Histogram(
    "grintu_event_loop_lag_seconds",
    "How much later than asked for the event loop wakes a sleeper: what everybody waits for",
    buckets=(0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0),
)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
WATCH_SECONDS = 15.0
NAP_SECONDS = 0.1


def _gauge(name: str, meaning: str) -> Gauge:
    return Gauge(name, meaning, multiprocess_mode="livesum")


HELD: dict[Gauge, Callable[[FastAPI], int]] = {
    _gauge("grintu_tasks", "Tasks of the event loop"): lambda _: len(asyncio.all_tasks()),
    _gauge("grintu_live_sockets", "Open sockets of lobby and matches"): lambda app: sum(
        1 for _ in app.state.live.connections()
    ),
    _gauge("grintu_live_tables", "Matches kept in memory"): lambda app: len(app.state.live.house.tables),
    _gauge("grintu_memory_bytes", "Resident memory"): lambda _: psutil.Process().memory_info().rss,
    _gauge("grintu_database_connections", "Open connections to Postgres"): lambda app: app.state.database.connections,
    _gauge(
        "grintu_database_connections_in_use", "Connections to Postgres that something waits for or holds"
    ): lambda app: app.state.database.connections_in_use,
    _gauge("grintu_open_files", "Open file descriptors"): lambda _: psutil.Process().num_fds(),
}
"""What should come back to where it was when nobody plays; the soak test watches it."""


async def watch(app: FastAPI) -> None:
    """Write down what this process holds, every few seconds until cancelled."""
    while True:
        if hasattr(app.state, "live"):  # its domain starts after us
            for gauge, read in HELD.items():
                gauge.set(read(app))
        await asyncio.sleep(WATCH_SECONDS)


async def feel_lag() -> None:
    """Measure, until cancelled, how long the event loop is kept busy by one thing."""
    while True:
        asleep = time.perf_counter()
        await asyncio.sleep(NAP_SECONDS)
        LAG.observe(max(0.0, time.perf_counter() - asleep - NAP_SECONDS))


def exposition() -> tuple[bytes, str]:
    """The metrics' text and its content type."""
    registry = REGISTRY
    if FOLDER_VARIABLE in os.environ:
        registry = CollectorRegistry()
        _forget_the_dead(Path(os.environ[FOLDER_VARIABLE]))
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # the library is only partly typed
    return generate_latest(registry), CONTENT_TYPE_LATEST


def _forget_the_dead(folder: Path) -> None:
    """What a killed process held is gone; what it has counted stays."""
    for pid in {int(path.stem.rpartition("_")[2]) for path in folder.glob("gauge_live*.db")}:
        if not psutil.pid_exists(pid):
            mark_process_dead(pid)  # type: ignore[no-untyped-call]  # the library is only partly typed


class CountRequests:
    """ASGI middleware. Labels are route patterns, never paths, so that their number stays bounded."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 500

        async def watch(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, watch)
        finally:
            route = getattr(scope.get("route"), "path", "/assets" if scope["path"].startswith("/assets/") else "none")
            method = scope["method"] if scope["method"] in METHODS else "other"
            REQUESTS.labels(method, route, str(status)).inc()
            DURATION.labels(method, route).observe(time.perf_counter() - started)
