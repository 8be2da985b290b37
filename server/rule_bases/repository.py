"""What seating asks: which rule bases play a game, and what they say."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.rule_bases.models import RuleBaseRow

MOST_LOST: Final = 0.5
"""The share of its trial's decisions that a rule base may have lost and still play. Where the lot decides more often
than the script, people would judge, and ratings would rate, the lot."""


def plays_by_lot(row: RuleBaseRow) -> bool:
    """Whether the lot decided more of its trial than the script may leave to it. A trial that asked nothing proves
    nothing, and is no reason to refuse."""
    return bool(row.trial["lost"] > MOST_LOST * row.trial["decisions"])


async def playing(session: AsyncSession, game: str) -> tuple[str, ...]:
    """The names of the rule bases that researchers have put into play in the game of a reference. Those that play by
    lot, which could be put into play once, sit at no new table."""
    query = select(RuleBaseRow).where(RuleBaseRow.playing, RuleBaseRow.game == game).order_by(RuleBaseRow.id)
    return tuple(row.name for row in await session.scalars(query) if not plays_by_lot(row))


async def scripts(session: AsyncSession, names: Collection[str]) -> dict[str, str]:
    """The scripts of those names that are rule bases; a name belongs to one rule base of one game."""
    query = select(RuleBaseRow.name, RuleBaseRow.script).where(RuleBaseRow.name.in_(names))
    return {row.name: row.script for row in await session.execute(query)}
