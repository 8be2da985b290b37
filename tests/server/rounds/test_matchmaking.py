"""The matchmaking follows the round."""

from __future__ import annotations

import random

from lab.refinement.pool import text
from server.database import Database
from server.jobs.registry import Tools
from server.live.config import LiveConfig
from server.live.models import Match
from server.live.seating import Seating
from server.live.selection import POPULATION as DOCUMENTED
from server.ratings.opponents import OpponentChooser
from server.rounds import repository, service
from server.rounds.matchmaking import population
from server.rounds.queue import STEP
from tests.people import new_account
from tests.server.rounds.conftest import POPULATION, find, is_done, new_round, run_jobs


async def seated(database: Database, person: int) -> Match:
    async with database.transaction() as session:
        chooser = OpponentChooser(population)
        return await Seating(LiveConfig(), chooser).seat(session, [person], random.Random(1))


async def playing(database: Database) -> set[str]:
    async with database.sessions() as session:
        return set((await population(session)).strategies)


async def test_the_rounds_population_plays_from_its_creation_to_its_end(database: Database) -> None:
    assert await playing(database) == set(DOCUMENTED)
    number = await new_round(database, simulation=None)
    assert await playing(database) == set(map(text, POPULATION))
    match = await seated(database, (await new_account(database)).person_id)
    assert {seat.strategy for seat in match.seats if seat.strategy} <= set(map(text, POPULATION))
    assert {member["strategy"] for member in match.panel} <= set(map(text, POPULATION))
    async with database.transaction() as session:
        await service.pause(session, "tests", number)
    assert await playing(database) == set(map(text, POPULATION)), "a paused round plays on"
    async with database.transaction() as session:
        await service.cancel(session, "tests", number)
    assert await playing(database) == set(DOCUMENTED)


async def test_new_strategies_enter_and_retired_ones_leave_with_the_step(database: Database, tools: Tools) -> None:
    number = await new_round(database)
    await run_jobs(tools, stop=lambda name: name == STEP)
    assert (await find(database, number)).step == 1
    async with database.sessions() as session:
        members = await repository.members(session, number)
    newest, before = ({member.strategy for member in members if member.step == step} for step in (1, 0))
    assert await playing(database) == newest
    assert newest - before, "the step has made new strategies"
    assert before - newest, "and retired others"
    await run_jobs(tools)
    assert is_done(await find(database, number))
    assert await playing(database) == set(DOCUMENTED), "a round that is over has no population"


async def test_what_no_super_expert_has_judged_comes_first_for_everybody(database: Database) -> None:
    number = await new_round(database, simulation=None)
    wanted = text(POPULATION[7])
    async with database.transaction() as session:
        round_ = await repository.find(session, number, lock=True)
        assert round_ is not None
        assert set(round_.lacking) == set(map(text, POPULATION)), "at first nothing has been judged"
        round_.lacking = [wanted]
    for _ in range(4):
        match = await seated(database, (await new_account(database)).person_id)
        assert wanted in {seat.strategy for seat in match.seats}
