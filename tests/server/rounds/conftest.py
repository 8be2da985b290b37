"""Rounds for tests: small ones that simulated probands bring to their end within seconds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Final

import pytest

from lab.refinement import PRESETS, RefinementSettings
from server.database import Database
from server.jobs.worker import work
from server.rounds import repository, service
from server.rounds.models import Round, Status
from server.rounds.simulation import Simulation
from server.settings import Settings

SMALL: Final = Simulation("Observing,Lingering", persons=40, judgements=24)
QUICK: Final[RefinementSettings] = replace(PRESETS["recommended"], max_generations=2)


@asynccontextmanager
async def working(settings: Settings) -> AsyncIterator[None]:
    """A worker in this process."""
    stop = asyncio.Event()
    task = asyncio.create_task(work(settings, processes=1, stop=stop))
    try:
        yield
    finally:
        stop.set()
        await asyncio.wait_for(task, 60)


async def new_round(database: Database, **options: Any) -> int:
    """A round named "test", committed; a simulated one unless told otherwise."""
    chosen = {"name": "test", "game": "jostle", "seed": 1, "settings": QUICK, "simulation": SMALL} | options
    async with database.transaction() as session:
        return (await service.create(session, "tests", **chosen)).id


async def find(database: Database, round_id: int) -> Round:
    async with database.sessions() as session:
        found = await repository.find(session, round_id)
    assert found is not None
    return found


async def until(database: Database, round_id: int, condition: Callable[[Round], bool], patience: float = 120) -> Round:
    """The round as soon as the condition holds."""
    async with asyncio.timeout(patience):
        while not condition(round_ := await find(database, round_id)):
            await asyncio.sleep(0.05)
    return round_


def is_done(round_: Round) -> bool:
    return round_.status == Status.DONE


@pytest.fixture
def impatient(settings: Settings) -> Settings:
    """A job is given to another worker after a second without sign of life."""
    return settings.model_copy(update={"worker_dead_after": 1.0})
