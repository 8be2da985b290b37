"""Structured logs: one line per event, for a console or as JSON. Never passwords, tokens or addresses of people."""

from __future__ import annotations

import logging
import secrets
import sys
import time
from typing import TextIO

import structlog
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.base.settings import Settings

log = structlog.get_logger()
QUIET = ("/assets/", "/health", "/metrics")
"""What is asked so often that a line each would hide the rest."""


class StandardError(logging.StreamHandler[TextIO]):
    """Writes to what is standard error at that moment, not at the start."""

    @property
    def stream(self) -> TextIO:
        return sys.stderr

    @stream.setter
    def stream(self, _: TextIO) -> None:
        """The base class wants to keep the stream; we do not."""


def printable(_logger: object, _method: str, event: structlog.types.EventDict) -> structlog.types.EventDict:
    """What came from outside cannot begin a line of its own, nor move a terminal's cursor."""
    for name, value in event.items():
        if isinstance(value, str) and not value.isprintable():
            event[name] = value.encode("unicode_escape").decode()
    return event


class OneLine(logging.Filter):
    """A client that sends rubbish is worth a line, not a traceback: else anybody could fill the log."""

    RUBBISH = ("Invalid UTF-8 sequence", "Invalid HTTP request", "Unsupported upgrade request")

    def filter(self, record: logging.LogRecord) -> bool:
        if record.getMessage().startswith(self.RUBBISH):
            record.exc_info = record.exc_text = None
            record.levelno, record.levelname = logging.INFO, "INFO"
        return True


RUBBISH = OneLine()


def configure(settings: Settings) -> None:
    """Let our own events and those of libraries leave through one renderer, to standard error."""
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        printable,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    tail: list[structlog.types.Processor]
    if settings.log_format == "json":
        tail = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    else:
        # Plain tracebacks: the pretty ones print local variables, among them passwords.
        tail = [
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback)
        ]
    handler = StandardError()
    handler.addFilter(RUBBISH)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *tail]
        )
    )
    root = logging.getLogger()
    for earlier in [found for found in root.handlers if isinstance(found, StandardError)]:
        root.removeHandler(earlier)
    root.addHandler(handler)
    root.setLevel(settings.log_level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(name).handlers = []
        logging.getLogger(name).propagate = True
    logging.getLogger("uvicorn.access").setLevel("WARNING")  # we write our own line per request
    logging.getLogger("alembic").setLevel("WARNING")
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


class LogRequests:
    """ASGI middleware: a line per request, and its id in every line that is written meanwhile and in the answer."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(QUIET):
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 500
        number = secrets.token_hex(4)

        async def watch(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-ID"] = number
            await send(message)

        with structlog.contextvars.bound_contextvars(request=number):
            try:
                await self.app(scope, receive, watch)
            finally:
                spent = round((time.perf_counter() - started) * 1000, 1)
                # The route, not the path with its query: links in mails carry their token there.
                route = getattr(scope.get("route"), "path", "none")
                log.info("request", method=scope["method"], route=route, status=status, ms=spent, **_match(scope))


def _match(scope: Scope) -> dict[str, str]:
    """The match that a request is about, as the lines of live play name it."""
    number = str(scope.get("path_params", {}).get("match_id", ""))
    return {"match": number} if number.isdecimal() else {}
