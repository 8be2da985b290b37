"""What goes wrong around a command (disk, rights, database), in one sentence. Anything else is a mistake of ours."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Any

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
from sqlalchemy.exc import DBAPIError

from server.base.errors import GrintuError

FULL = (errno.ENOSPC, errno.EDQUOT)
OUTSIDE = ("08", "28", "3D", "53", "57", "58", "25006", "42501")
"""So begin the states that Postgres tells of connections, log-ins, missing databases, full disks, shutdowns, rights."""


def _of_refusals(error: GrintuError) -> str:
    return error.english()


def _of_files(error: OSError) -> str:
    if error.errno is None:
        return str(error)
    if error.errno in FULL:
        return f"The disk is full{f': {error.filename}' if error.filename else ''}."
    if error.filename:
        return f"Cannot use {error.filename}: {error.strerror}."
    return f"Cannot reach the database: {error}."  # nothing else that commands talk to has no file name


def _of_postgres(error: Any) -> str | None:
    state = getattr(error, "sqlstate", None) or ""
    return f"The database refuses: {error}" if state.startswith(OUTSIDE) else None


def _of_sqlalchemy(error: DBAPIError) -> str | None:
    cause = error.orig.__cause__ if error.orig is not None else None
    return _of_postgres(cause)


WORDS: dict[type[Exception], Callable[[Any], str | None]] = {
    GrintuError: _of_refusals,
    OSError: _of_files,
    asyncpg.PostgresError: _of_postgres,
    DBAPIError: _of_sqlalchemy,
}


def in_words(error: Exception) -> str | None:
    """The sentence for an admin, or None if only a traceback helps."""
    return next((tell(error) for kind, tell in WORDS.items() if isinstance(error, kind)), None)
