"""Queries on the sources of games."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.rules.models import GameSource

SOURCE = "SELECT source FROM game_sources WHERE reference = $1"
"""The same as `source_of` for those who write their SQL by hand."""


async def find(session: AsyncSession, reference: str) -> GameSource | None:
    return await session.get(GameSource, reference)


async def source_of(session: AsyncSession, reference: str) -> str | None:
    return await session.scalar(select(GameSource.source).where(GameSource.reference == reference))


async def all_of_them(session: AsyncSession) -> list[GameSource]:
    """The newest first."""
    return list(await session.scalars(select(GameSource).order_by(GameSource.created_at.desc(), GameSource.reference)))
