"""The time waited tells nothing about the table: everybody leaves at common departures, and sits by lot."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from server.base.settings import Settings
from server.matchmaking.departures import shift
from tests.blind.lobby import TRAFFIC, WAITING_SECONDS, Seated, seatings, station, waiting_tells

WAITS = 150


@pytest.mark.parametrize(
    ("game", "people_come"),
    [("jostle:standard", "one in a waiting time"), ("tic-tac-toe:standard", "five who begin at the same hour")],
)
async def test_the_time_waited_tells_nothing(
    database_url: str, settings: Settings, game: str, people_come: str
) -> None:
    """An interval of 95 % misses the truth now and then, so what is told must be far from a half."""
    async with station(database_url, game) as here:
        found = await seatings(here, settings, game, TRAFFIC[people_come], WAITS)
    assert len(found) >= WAITS
    assert all(0 <= one.waited <= WAITING_SECONDS + 1 for one in found)
    assert 0.05 < sum(one.company for one in found) / len(found) < 0.95
    told = waiting_tells(found)
    assert told.long.low < 0.55, told
    assert told.long.high > 0.45, told
    assert told.middling.low < 0.55, told


def test_waits_that_tell_are_found() -> None:
    """As if people were seated as soon as there are two."""
    found = [Seated(number, number % 3 > 0, 4.0 if number % 3 else 20.0) for number in range(WAITS)]
    assert not waiting_tells(found).is_chance


def test_departures_lie_elsewhere_every_day() -> None:
    day = datetime(2027, 1, 1, tzinfo=UTC)
    shifts = [shift(day + timedelta(days=days), 20.0) for days in range(60)]
    assert len(set(shifts)) == 60
    assert all(0 <= one < 20 for one in shifts)
    assert shift(day, 20.0) == shift(day + timedelta(hours=23), 20.0)
