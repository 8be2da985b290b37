"""Listening to the log while something is attacked: an error or a traceback is a fault."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from server.base import logs
from server.base.settings import Settings


class Complaints(logging.Handler):
    """Keeps errors and tracebacks until they are taken."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if record.levelno >= logging.ERROR or record.exc_info or "Traceback" in message:
            trace = logging.Formatter().formatException(record.exc_info) if record.exc_info else ""
            self.lines.append(f"{record.name}: {message[:2000]}\n{trace[-3000:]}")

    def take(self) -> list[str]:
        taken, self.lines = self.lines, []
        return taken


@contextmanager
def listening(settings: Settings) -> Iterator[Complaints]:
    """The server's own log configuration, with us as its only listener."""
    logs.configure(settings)
    root = logging.getLogger()
    others, complaints = list(root.handlers), Complaints()
    complaints.addFilter(logs.RUBBISH)
    for handler in others:
        root.removeHandler(handler)
    root.addHandler(complaints)
    try:
        yield complaints
    finally:
        root.removeHandler(complaints)
        for handler in others:
            root.addHandler(handler)
