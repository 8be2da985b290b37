"""Rounds for tests: small ones that simulated probands bring to their end within seconds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Final

from lab.refinement import DOCUMENTED, PRESETS, RefinementSettings
from lab.refinement.pool import Elements
from server.database import Database
from server.jobs.worker import work
from server.rounds import repository, service
from server.rounds.models import Round, Status
from server.rounds.simulation import Simulation
from server.settings import Settings

SMALL: Final = Simulation("Observing,Lingering", persons=40, judgements=40)
POPULATION: Final[tuple[Elements, ...]] = (
    *DOCUMENTED[:10],
    ("Observing", "Lingering", "PALS", "Revenging"),
    ("Observing", "Lingering", "ADVANCER", "Aggressive"),
)
QUICK: Final[RefinementSettings] = replace(
    PRESETS["recommended"],
    tolerance=0.35,
    level=0.35,
    believable_experts=3,
    believable_share=0.05,
    max_generations=3,
)
"""So generous that phase three is reached at once."""
SEED: Final = 3


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
    """A round called "test", committed; a simulated one unless told otherwise."""
    chosen: dict[str, Any] = {
        "name": "test",
        "game": "jostle",
        "seed": SEED,
        "settings": QUICK,
        "population": POPULATION,
        "simulation": SMALL,
    }
    async with database.transaction() as session:
        return (await service.create(session, "tests", **chosen | options)).id


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
