"""The worker learns human times from recorded matches, and only when there are new ones."""

from __future__ import annotations

from math import exp

import pytest
from sqlalchemy import select, text

from server.base.settings import Settings
from server.jobs.processes import LastingProcesses
from server.jobs.registry import SCHEDULE, Tools, load_jobs
from server.live.models import ThinkingModel
from server.live.thinking import learning
from server.live.thinking.times import Thinking
from server.storage.database import Database
from tests.server.live.clients import visitors
from tests.server.live.test_record import played_match


async def models(database: Database) -> list[Thinking]:
    async with database.sessions() as session:
        return [Thinking.model_validate(one) for one in await session.scalars(select(ThinkingModel.parameters))]


async def test_recorded_times_become_the_model_once(database: Database, settings: Settings) -> None:
    load_jobs()
    _, learn = SCHEDULE["live.learn_times"]
    with LastingProcesses(1) as processes:
        tools = Tools(settings, database, processes)
        await learn(tools)
        assert not await models(database), "there is nothing to learn from"
        for _ in range(6):
            await played_match(database, await visitors(database, settings, 2))
        await learn(tools)
        (learned,) = await models(database)
        await learn(tools)
        assert len(await models(database)) == 1, "nothing has happened since"
        await played_match(database, await visitors(database, settings, 2))
        await learn(tools)
        assert len(await models(database)) == 2, "of a game with few matches every match is learnt from at once"
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(learning, "FEW_MATCHES", 5)
            await played_match(database, await visitors(database, settings, 2))
            await learn(tools)
            assert len(await models(database)) == 2, "of one with many it can wait"
            async with database.transaction() as session:
                await session.execute(text("UPDATE thinking_models SET fitted_at = fitted_at - interval '1 hour'"))
            await learn(tools)
            assert len(await models(database)) == 3
    assert learned.observations > 60
    # played_match thinks for 100 ms and one more per ply, at a match's own pace.
    assert 100 < exp(learned.kinds["choice"].mean) < 400
