"""When people usually come: coarse, from days that are over, and nothing at all where few people came."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.models import Person
from server.base.clock import now
from server.live.models import Match
from server.matchmaking.usual import HOURS, LEAST_PERSONS, LEAST_VISITS, UsualHours, livest
from tests.server.questionnaires.conftest import played_match


@pytest.mark.parametrize(
    ("visits", "hour"),
    [
        ({18: 20, 19: 20, 20: 20, 21: 20, 3: 5}, 18),
        ({23: 20, 0: 20, 1: 20, 2: 20, 12: 30}, 23),
        ({}, None),
        ({18: LEAST_VISITS - 1}, None),
    ],
)
def test_the_stretch_with_most_visits_counts(visits: dict[int, int], hour: int | None) -> None:
    assert livest(visits, LEAST_PERSONS) == hour
    assert livest(visits, LEAST_PERSONS - 1) is None, "few people would be recognised by their hours"


async def test_neither_today_nor_who_is_here_changes_what_is_told(session: AsyncSession) -> None:
    midnight = now().replace(hour=0, minute=0, second=0, microsecond=0)
    people = [Person(pseudonym=f"person {number}", created_at=now()) for number in range(LEAST_PERSONS)]
    for day in range(1, 1 + LEAST_VISITS // len(people)):
        for one, other in zip(people[::2], people[1::2], strict=True):
            match = await played_match(session, one, other)
            (await session.get_one(Match, match.id)).created_at = midnight - timedelta(days=day) + timedelta(hours=18)
    await session.flush()
    told = await UsualHours().of_today(session)
    assert told is not None
    assert told.since <= midnight + timedelta(hours=18) < told.until
    assert told.until - told.since == timedelta(hours=HOURS)
    for before in (await session.scalars(select(Match.id))).all():  # as many today, at another hour
        await played_match(session, Person(pseudonym=f"guest {before}", created_at=now()), people[0])
    assert await UsualHours().of_today(session) == told


async def test_nothing_is_told_where_nobody_came(session: AsyncSession) -> None:
    assert await UsualHours().of_today(session) is None
