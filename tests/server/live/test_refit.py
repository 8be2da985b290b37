"""The server learns human times from recorded matches, and only when there are new ones."""

from __future__ import annotations

from math import exp

from sqlalchemy import func, select

from server.database import Database
from server.live.models import ThinkingModel
from server.live.refit import refit
from server.settings import Settings
from tests.server.live.clients import visitors
from tests.server.live.test_record import played_match


async def test_recorded_times_become_the_model_once(database: Database, settings: Settings) -> None:
    async with database.transaction() as session:
        assert await refit(session) is None, "there is nothing to learn from"
    for _ in range(6):
        await played_match(database, await visitors(database, settings, 2))
    async with database.transaction() as session:
        learned = await refit(session)
    assert learned is not None
    assert learned.observations > 60
    # played_match thinks for 100 ms and one more per ply, at a match's own pace.
    assert 100 < exp(learned.kinds["choice"].mean) < 400
    async with database.transaction() as session:
        assert await refit(session) is None, "nothing has happened since"
        assert await session.scalar(select(func.count()).select_from(ThinkingModel)) == 1
