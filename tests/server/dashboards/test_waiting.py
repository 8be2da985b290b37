"""How long people wait is kept when they are seated, and the overview tells it."""

from __future__ import annotations

from sqlalchemy import text

from server.base.clock import now
from server.dashboards.filters import Filter
from server.dashboards.overview import overview
from server.live.config import LiveConfig
from server.matchmaking.lobby import Lobby
from server.matchmaking.seating import Seating
from server.storage.database import Database
from tests.people import new_account


async def test_the_time_waited_is_kept_with_the_match(database: Database) -> None:
    lobby = Lobby(database, Seating(LiveConfig()), "test")
    person = (await new_account(database)).person_id
    await lobby.join(person, "jostle:standard")
    async with database.transaction() as session:
        await session.execute(text("UPDATE lobby_places SET since = now() - interval '12 s', due_at = now()"))
    assert list(await lobby.seat_those_due()) == [person]

    async with database.sessions() as session:
        seen = await overview(session, database, Filter(since=now().date()))
    assert seen.totals.wait_median is not None
    assert 12 <= seen.totals.wait_median < 60
    assert sum(one.count for one in seen.waits) == 1
    assert seen.totals.running == 1
    assert seen.totals.waiting == 0
