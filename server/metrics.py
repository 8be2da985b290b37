"""Prometheus metrics: requests by route and status, and their duration.

With several server processes each writes into files of one folder (PROMETHEUS_MULTIPROC_DIR, set by `grintu serve`),
and whichever process is asked adds them up.
"""

from __future__ import annotations

import os
import time

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

REQUESTS = Counter("grintu_requests_total", "Answered HTTP requests", ["method", "route", "status"])
DURATION = Histogram("grintu_request_seconds", "Time until the answer was sent", ["method", "route"])
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


def exposition() -> tuple[bytes, str]:
    """The metrics' text and its content type."""
    registry = REGISTRY
    if FOLDER_VARIABLE in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # the library is only partly typed
    return generate_latest(registry), CONTENT_TYPE_LATEST


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
