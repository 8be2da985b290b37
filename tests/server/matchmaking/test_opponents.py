"""Seating asks the selection criteria: the lists of the persons at the table decide who plays."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from random import Random

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from server.live.config import LiveConfig
from server.matchmaking.opponents import OpponentChooser, Population, hidden_in_panel
from server.matchmaking.seating import Seating
from server.matchmaking.selection import Request, draw, first_population
from server.ratings import service
from server.storage.database import Database
from tests.lab.simulated import judgement
from tests.server.ratings.stored import person_ids, store

FOUR = ("A", "B", "C", "D")
GAME = "jostle:standard"


def chooser(*lacking: str) -> OpponentChooser:
    async def four(session: AsyncSession, game: str) -> Population:
        return Population(FOUR, lacking)

    return OpponentChooser(four)


async def played(choose: OpponentChooser, session: AsyncSession, *persons: int, programs: int = 1) -> list[str]:
    selection = await choose(session, Request(GAME, persons, programs, 3), Random(1))
    return [selection.panel[member] for member in selection.playing]


async def test_a_person_meets_every_strategy_once_before_any_again(session: AsyncSession) -> None:
    ann = (await person_ids(session, ["ann"]))["ann"]
    met = []
    for match in range(4):
        (strategy,) = await played(chooser(), session, ann)
        met.append(strategy)
        await store(session, [judgement(match, "ann", strategy, strategy != "C")])
    assert sorted(met) == list(FOUR)
    assert await played(chooser(), session, ann) == ["C"], "the one that was misjudged comes next"


async def test_a_strategy_met_but_not_judged_is_not_met_again_at_once(session: AsyncSession) -> None:
    ann = (await person_ids(session, ["ann"]))["ann"]
    met = []
    for _ in range(8):
        match = await Seating(LiveConfig(), chooser()).seat(session, [ann], Random(2))
        met.append({seat.strategy for seat in match.seats if seat.person_id is None})
    assert met[0] | met[1] == set(FOUR)
    assert all(not now & before for before, now in pairwise(met))


async def test_first_opponents_are_balanced_over_persons(session: AsyncSession) -> None:
    ids = await person_ids(session, [f"p{n}" for n in range(40)])
    first = Counter([(await played(chooser(), session, person))[0] for person in ids.values()])
    assert set(first.values()) == {10}


async def test_phase_one_comes_first_for_everybody(session: AsyncSession) -> None:
    ids = await person_ids(session, ["ann", "bob", "cid"])
    for person in ids.values():
        assert await played(chooser("D"), session, person) == ["D"]


async def test_a_group_lends_what_it_misjudged(database: Database) -> None:
    """Ann has met everybody rightly; her group takes B for a human."""
    log = [judgement(n, "ann", name, True) for n, name in enumerate(FOUR)]
    for other in range(12):
        log += [judgement(10 * other + n, f"p{other}", name, name != "B") for n, name in enumerate(FOUR * 3)]
    async with database.transaction() as session:
        await store(session, log)
    with ThreadPoolExecutor(1) as executor:
        assert await service.refresh(database, executor, GAME) is not None
    async with database.sessions() as session:
        ann = (await person_ids(session, ["ann"]))["ann"]
        assert await played(chooser(), session, ann) == ["B"]


async def test_two_programs_at_one_table_are_different(session: AsyncSession) -> None:
    ann = (await person_ids(session, ["ann"]))["ann"]
    assert len(set(await played(chooser(), session, ann, programs=2))) == 2


async def test_the_documented_strategies_play_where_nothing_else_is_said(session: AsyncSession) -> None:
    ann = (await person_ids(session, ["ann"]))["ann"]
    selection = await OpponentChooser()(session, Request(GAME, (ann,), 2, 8), Random(1))
    assert len(set(selection.panel)) == 8
    assert set(selection.panel) <= set(await first_population(session, GAME))


@pytest.mark.parametrize(("size", "expected"), [(1, 2), (3, 3), (9, 4)])
def test_a_panel_holds_who_plays_and_no_more_than_there_are(size: int, expected: int) -> None:
    places: Counter[int] = Counter()
    for seed in range(60):
        selection = hidden_in_panel(["C", "A"], FOUR, size, 2, Random(seed))
        assert [selection.panel[member] for member in selection.playing] == ["C", "A"]
        assert len(selection.panel) == len(set(selection.panel)) == expected
        places[selection.playing[0]] += 1
    assert len(places) == expected, "no place in the panel gives away who plays"


@pytest.mark.parametrize("size", [1, 2, 8])
@pytest.mark.parametrize("population", [("A",), ("A", "B"), FOUR])
def test_the_length_of_a_panel_does_not_tell_how_many_programs_play(size: int, population: tuple[str, ...]) -> None:
    """At a table for three with one person or with two."""
    alone, together = Request(GAME, (1,), 2, size), Request(GAME, (1, 2), 1, size)
    drawn = [draw(population, request, Random(1)) for request in (alone, together)]
    chosen = [
        hidden_in_panel([population[0], population[-1]], population, size, alone.least, Random(1)),
        hidden_in_panel([population[0]], population, size, together.least, Random(1)),
    ]
    assert {len(one.panel) for one in drawn} == {len(one.panel) for one in chosen}
    assert len({len(one.panel) for one in [*drawn, *chosen]}) == 1
