"""Bringing a database to the newest schema, and telling whether it is there."""

from __future__ import annotations

import time
from functools import cache

import structlog
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from server.base.errors import GrintuError
from server.base.settings import ROOT

log = structlog.get_logger()
ATTEMPTS = 20
PAUSE = 2.0
LOCK_NOT_AVAILABLE = "55P03"


class SchemaTooNew(GrintuError):  # noqa: N818 - the name says what happened
    status = 503
    message = (
        "The database was migrated by a newer version of this software, which knows more than %(known)s. "
        "Start that version; going back is possible only by restoring a backup from before the update."
    )


def _config(url: str | None = None) -> Config:
    config = Config(ROOT / "alembic.ini")
    config.set_main_option("script_location", str(ROOT / "migrations"))
    config.attributes["url"] = url
    return config


def migrate(url: str, revision: str = "head") -> None:
    """Run every migration that is missing. Blocks; call it in a thread from asynchronous code.

    A migration gives up a lock it does not get at once, so that the serving version does not wait behind it, and is
    tried again a little later.
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            command.upgrade(_config(url), revision)
            return
        except CommandError as error:
            if "Can't locate revision" not in str(error):
                raise
            raise SchemaTooNew(known=newest_revision()) from error
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) != LOCK_NOT_AVAILABLE or attempt == ATTEMPTS:
                raise
            log.warning("migration waits for a lock", attempt=attempt, of=ATTEMPTS)
            time.sleep(PAUSE)


@cache
def newest_revision() -> str:
    head = ScriptDirectory.from_config(_config()).get_current_head()
    assert head is not None, "there is at least one migration"
    return head


@cache
def known_revisions() -> frozenset[str]:
    """The newest revision and all before it."""
    return frozenset(found.revision for found in ScriptDirectory.from_config(_config()).walk_revisions())


async def current_revision(connection: AsyncConnection) -> str | None:
    """The revision the database is at, or None if it was never migrated."""
    exists = await connection.scalar(text("SELECT to_regclass('alembic_version') IS NOT NULL"))
    return await connection.scalar(text("SELECT version_num FROM alembic_version")) if exists else None
