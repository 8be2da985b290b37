"""Bringing a database to the newest schema, and telling whether it is there."""

from __future__ import annotations

from functools import cache

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.settings import ROOT


def _config(url: str | None = None) -> Config:
    config = Config(ROOT / "alembic.ini")
    config.set_main_option("script_location", str(ROOT / "migrations"))
    config.attributes["url"] = url
    return config


def migrate(url: str) -> None:
    """Run every migration that is missing. Blocks; call it in a thread from asynchronous code."""
    command.upgrade(_config(url), "head")


@cache
def newest_revision() -> str:
    head = ScriptDirectory.from_config(_config()).get_current_head()
    assert head is not None, "there is at least one migration"
    return head


async def current_revision(connection: AsyncConnection) -> str | None:
    """The revision the database is at, or None if it was never migrated."""
    exists = await connection.scalar(text("SELECT to_regclass('alembic_version') IS NOT NULL"))
    return await connection.scalar(text("SELECT version_num FROM alembic_version")) if exists else None
