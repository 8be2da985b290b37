"""The matchmaking follows the round."""

from __future__ import annotations

import random

from server.jobs.registry import Tools
from server.live.config import LiveConfig
from server.live.models import Match
from server.matchmaking.opponents import OpponentChooser
from server.matchmaking.population import population
from server.matchmaking.seating import Seating
from server.rounds import repository, service
from server.rounds.queue import STEP
from server.storage.database import Database
from tests.people import new_account
from tests.server.rounds.conftest import DOCUMENTED, GAME, POPULATION, find, is_done, new_round, run_jobs


async def seated(database: Database, person: int) -> Match:
    async with database.transaction() as session:
        chooser = OpponentChooser(population)
        return await Seating(LiveConfig(), chooser).seat(session, [person], random.Random(1), game=GAME)


async def playing(database: Database) -> set[str]:
    async with database.sessions() as session:
        return set((await population(session, GAME)).strategies)


async def test_without_a_round_all_documented_strategies_play(database: Database) -> None:
    assert len(DOCUMENTED) == 16, "the four basic ones and the twelve combinations of docs/strategies.md"
    assert await playing(database) == set(DOCUMENTED)


async def test_a_round_of_one_game_leaves_the_others_alone(database: Database) -> None:
    await new_round(database, simulation=None)
    other = await new_round(database, game="tic-tac-toe", population=("Winning RANDOMIZER", "GREEDY"), simulation=None)
    assert (await find(database, other)).game == "tic-tac-toe:standard"
    async with database.sessions() as session:
        assert (await population(session, "tic-tac-toe:standard")).strategies == ("Winning RANDOMIZER", "GREEDY")
        assert set((await population(session, GAME)).strategies) == set(POPULATION)
        assert set((await population(session, "tricks:standard")).strategies) >= {"RANDOMIZER", "GREEDY"}


async def test_the_rounds_population_plays_from_its_creation_to_its_end(database: Database) -> None:
    assert await playing(database) == set(DOCUMENTED)
    number = await new_round(database, simulation=None)
    assert await playing(database) == set(POPULATION)
    match = await seated(database, (await new_account(database)).person_id)
    assert {seat.strategy for seat in match.seats if seat.strategy} <= set(POPULATION)
    assert {member["name"] for member in match.panel} <= set(POPULATION)
    async with database.transaction() as session:
        await service.pause(session, "tests", number)
    assert await playing(database) == set(POPULATION), "a paused round plays on"
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
    wanted = POPULATION[7]
    async with database.transaction() as session:
        round_ = await repository.find(session, number, lock=True)
        assert round_ is not None
        assert set(round_.lacking) == set(POPULATION), "at first nothing has been judged"
        round_.lacking = [wanted]
    for _ in range(4):
        match = await seated(database, (await new_account(database)).person_id)
        assert wanted in {seat.strategy for seat in match.seats}
