"""What seating asks: which rule bases play a game, and what they say."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.rule_bases.models import RuleBaseRow


async def playing(session: AsyncSession, game: str) -> tuple[str, ...]:
    """The names of the rule bases that researchers have put into play in the game of a reference."""
    query = select(RuleBaseRow.name).where(RuleBaseRow.playing, RuleBaseRow.game == game).order_by(RuleBaseRow.id)
    return tuple(await session.scalars(query))


async def scripts(session: AsyncSession, names: Collection[str]) -> dict[str, str]:
    """The scripts of those names that are rule bases; a name belongs to one rule base of one game."""
    query = select(RuleBaseRow.name, RuleBaseRow.script).where(RuleBaseRow.name.in_(names))
    return {row.name: row.script for row in await session.execute(query)}
