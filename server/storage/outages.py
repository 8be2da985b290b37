"""Tells an outage of the database, which passes, from a mistake of ours, which does not.

Whoever waits for the database to come back asks here, so that what it will never take is not tried for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

PASSING: Final = (
    OSError,
    NoConnectionFree,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # it is being started or stopped
    asyncpg.InsufficientResourcesError,
    asyncpg.TransactionRollbackError,  # two were in each other's way
    asyncpg.LockNotAvailableError,
    asyncpg.ReadOnlySQLTransactionError,  # a replica that is about to take over
    asyncpg.PostgresSystemError,
    asyncpg.InternalClientError,  # so asyncpg calls it when a connection is used that the server is just ending
)
GONE: Final = ("is closed", "is closing", "released back to the pool")
"""How asyncpg says, in words alone, that a connection is lost: its pool takes lost ones back from whoever holds them.
The same class stands for what was asked for wrongly (too many arguments, two questions at once), which never passes."""


def is_outage(error: BaseException | None) -> bool:
    """Whether the same may well succeed later. SQLAlchemy wraps what was raised, so causes count too."""
    while error is not None:
        if isinstance(error, PASSING) or _is_gone(error):
            return True
        if isinstance(error, DBAPIError) and error.connection_invalidated:
            return True
        error = error.__cause__
    return False


def _is_gone(error: BaseException) -> bool:
    return isinstance(error, asyncpg.InterfaceError) and any(words in str(error) for words in GONE)


@contextmanager
def outages_suppressed() -> Iterator[None]:
    """For what is tried and need not succeed."""
    try:
        yield
    except Exception as error:
        if not is_outage(error):
            raise
