"""Rounds for tests: small ones that simulated probands bring to their end within seconds."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Final

import pytest
from sqlalchemy import text

from games.registry import game
from lab.refinement import PRESETS, RefinementSettings
from npc.composed import school_of
from server.base.settings import Settings
from server.jobs.registry import JOBS, Tools, load_jobs
from server.rounds import repository, service
from server.rounds.models import Round, Status
from server.rounds.simulated_probands import SimulatedProbands
from server.storage.database import Database

SMALL: Final = SimulatedProbands("Observing,Lingering", persons=40, judgements=40)
GAME: Final = "jostle:standard"
DOCUMENTED: Final = school_of(game(GAME)).population(game(GAME))
POPULATION: Final = (
    *DOCUMENTED[:10],
    "Observing Lingering PALS Revenging",
    "Observing Lingering ADVANCER Aggressive",
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


NEXT: Final = text("""
DELETE FROM pgqueuer WHERE id = (SELECT min(id) FROM pgqueuer WHERE status = 'queued' AND execute_after <= now())
RETURNING entrypoint, convert_from(payload, 'UTF8')
""")


@pytest.fixture
def tools(settings: Settings, database: Database) -> Iterator[Tools]:
    """What jobs work with; computations happen in a thread, which starts faster than a process."""
    load_jobs()
    with ThreadPoolExecutor(1) as pool:
        yield Tools(settings, database, pool)


async def run_jobs(tools: Tools, stop: Callable[[str], bool] = lambda _: False) -> list[str]:
    """Do what is queued, and what that puts into the queue, until nothing is left or `stop` says so; gives the names.

    The real worker is in test_kills.py and in the browser's test.
    """
    done: list[str] = []
    while not (done and stop(done[-1])):
        async with tools.database.transaction() as session:
            row = (await session.execute(NEXT)).one_or_none()
        if row is None:
            break
        await JOBS[row[0]](tools, json.loads(row[1]))
        done.append(row[0])
    return done


async def new_round(database: Database, **options: Any) -> int:
    """A round called "test", committed; a simulated one unless told otherwise."""
    chosen: dict[str, Any] = {
        "name": "test",
        "game": GAME,
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
        while not condition(round_ := await find(database, round_id)):  # noqa: ASYNC110 - another process changes it
            await asyncio.sleep(0.05)
    return round_


def is_done(round_: Round) -> bool:
    return round_.status == Status.DONE
