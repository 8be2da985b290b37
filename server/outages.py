"""What is raised while the database is away, and passes."""

from __future__ import annotations

from typing import Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
from sqlalchemy.exc import SQLAlchemyError

# asyncpg calls it an internal error when a connection is used that the server is just ending.
DATABASE_AWAY: Final = (
    OSError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    SQLAlchemyError,
)
