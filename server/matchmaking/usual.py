"""When people usually come, for those who wait: one stretch of the day, counted from whole days that are over.

It tells that some hours are livelier and nothing about now: neither today nor who is here is looked at, single people
do not show in it, and it is the same for everybody all day long.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.base.clock import now
from server.live.models import Match, MatchSeat

DAYS: Final = 28
HOURS: Final = 4
LEAST_PERSONS: Final = 10
LEAST_VISITS: Final = 30
"""Persons per day and hour; with fewer nothing is said."""


class Usual(NamedTuple):
    """From when to when most people come, on the present day."""

    since: datetime
    until: datetime


class UsualHours:
    """Counted once a day and process."""

    def __init__(self) -> None:
        self._day: date | None = None
        self._hour: int | None = None

    async def of_today(self, session: AsyncSession) -> Usual | None:
        today = now().astimezone(UTC).date()
        if self._day != today:
            self._hour = livest(*await _visits(session, today))
            self._day = today
        if self._hour is None:
            return None
        since = datetime.combine(today, time(self._hour), UTC)
        return Usual(since, since + timedelta(hours=HOURS))


def livest(visits: Mapping[int, int], persons: int) -> int | None:
    """The hour (UTC) at which the stretch with most visits begins; None if too few people came to say anything."""
    if persons < LEAST_PERSONS or sum(visits.values()) < LEAST_VISITS:
        return None
    return max(range(24), key=lambda hour: sum(visits.get((hour + more) % 24, 0) for more in range(HOURS)))


async def _visits(session: AsyncSession, today: date) -> tuple[dict[int, int], int]:
    """Visits by hour, where a person counts once per day and hour, and how many persons there were."""
    end = datetime.combine(today, time(), UTC)
    at = func.timezone("UTC", Match.created_at)
    came = (
        select(MatchSeat.person_id, func.date(at).label("day"), func.extract("hour", at).label("hour"))
        .join(Match, Match.id == MatchSeat.match_id)
        .where(MatchSeat.person_id.is_not(None), Match.created_at >= end - timedelta(days=DAYS), Match.created_at < end)
        .distinct()
        .subquery()
    )
    persons = await session.scalar(select(func.count(came.c.person_id.distinct()))) or 0
    by_hour = await session.execute(select(came.c.hour, func.count()).group_by(came.c.hour))
    return {int(hour): visits for hour, visits in by_hour}, persons
