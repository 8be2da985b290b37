"""Figures of the dashboards that findings can show: `![caption](strategies)`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy.ext.asyncio import AsyncSession

from server.dashboards.strategies import strategies
from server.storage.database import Database
from server.study.games import study_games

STRATEGIES: Final = "strategies"
NAMES: Final = (STRATEGIES,)
MOST: Final = 12
"""So many strategies, those about which most is known to be human."""


@dataclass(frozen=True)
class Bar:
    """A share with its interval; of humans the name is empty."""

    name: str
    share: float
    low: float
    high: float
    judgements: int


@dataclass(frozen=True)
class Figure:
    bars: list[Bar]
    at: datetime


async def shares_judged_human(session: AsyncSession, database: Database) -> Figure | None:
    """How often real humans and the strategies of the study's first game were judged human; None before ratings."""
    found = await strategies(session, database, (await study_games(session))[0])
    if found.rated is None:
        return None
    known = [(row.strategy, row.rating.judged_human) for row in found.strategies if row.rating and row.known][:MOST]
    judged = [*([("", found.humans)] if found.humans else []), *known]
    bars = [Bar(name, one.share, *one.interval, one.judgements) for name, one in judged if one.share is not None]
    return Figure(bars, found.rated.computed_at)
