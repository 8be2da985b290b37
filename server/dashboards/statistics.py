"""The statistics of a game for researchers: the main analysis, and what should be checked before it is believed."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from server.dashboards.standing import standing
from server.dashboards.statistics_schemas import Statistics
from server.storage.database import Database


async def statistics(session: AsyncSession, database: Database, game: str) -> Statistics:
    """From the ratings that count now; everything is empty before the first."""
    ratings = await standing(session, database, game)
    record = ratings.record if ratings else {}
    tested = record.get("settings", {}).get("turing", {})
    return Statistics(
        rated=ratings.rated if ratings else None,
        margin=tested.get("margin"),
        which=tested.get("meetings"),
        meetings=record.get("meetings"),
        humans=record.get("humans"),
        mixed=record.get("mixed"),
        judges=record.get("judges"),
        rasch=record.get("rasch"),
        checks=ratings.checks if ratings else None,
        strategies=ratings.strategies if ratings else {},
    )
