"""Who plays at a new table: the selection criteria (lab.selection) asked by seating."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from lab.selection import Meetings, Opponent, Roster, SelectionSettings, for_table, opponents
from server.matchmaking.selection import Request, Selection, first_population
from server.ratings import repository
from server.ratings.service import basis
from server.study.settings import read_settings


@dataclass(frozen=True, slots=True)
class Population:
    """The strategies that play now, and those of them that phase one of a round still wants judged by an expert."""

    strategies: tuple[str, ...]
    lacking: tuple[str, ...] = ()


FindPopulation = Callable[[AsyncSession, str], Awaitable[Population]]
"""Of the game of a reference."""


async def beginning(session: AsyncSession, game: str) -> Population:
    """The strategies with which everything begins."""
    return Population(await first_population(session, game))


@dataclass(frozen=True, slots=True)
class OpponentChooser:
    """Chooses for seating; `find_population` says who is to be met at present."""

    find_population: FindPopulation = beginning

    async def __call__(self, session: AsyncSession, request: Request, rng: random.Random) -> Selection:
        population = await self.find_population(session, request.game)
        counts = await repository.counts(session, request.game, population.strategies)
        lists = await lists_of(session, request, population, counts)
        playing = for_table(lists, request.programs, counts, seed=str(rng.getrandbits(64)))
        return hidden_in_panel(playing, population.strategies, request.panel_size, request.least, rng)


async def lists_of(
    session: AsyncSession, request: Request, population: Population, counts: dict[str, int]
) -> list[list[Opponent]]:
    """The list of each person."""
    game, persons = request.game, request.persons
    met = await repository.meetings_of(session, game, persons)
    ordinals = await repository.ordinals(session, persons)
    settings = SelectionSettings(from_group=(await read_settings(session)).from_group)
    roster = Roster(
        population=population.strategies,
        ordinals={str(person): ordinal for person, ordinal in ordinals.items()},
        counts=counts,
        lacking=population.lacking,
        settings=settings,
    )
    lists = []
    for person in persons:
        misjudged = await _group_misjudged(session, game, person, met[person], population)
        lists.append(opponents(str(person), met[person], roster, misjudged))
    return lists


async def _group_misjudged(
    session: AsyncSession, game: str, person: int, met: Meetings, population: Population
) -> list[str]:
    """What the person's group detects in less than half of the cases, the hardest first; asked only when it counts."""
    if not {one.seat_truth for one in met.judged}.union(met.unjudged).issuperset(population.strategies):
        return []
    detection = await repository.group_detection(session, game, (await basis(session)).fingerprint, person)
    return sorted((name for name in detection if detection[name] < 0.5), key=lambda name: (detection[name], name))


def hidden_in_panel(
    playing: list[str], population: tuple[str, ...], panel_size: int, least: int, rng: random.Random
) -> Selection:
    """A panel in random order that holds those who play and, as far as the population allows, others beside them.

    It has `least` members at least, even if some come twice.
    """
    members = list(playing)
    others = [name for name in population if name not in members]
    members += rng.sample(others, min(max(max(panel_size, least) - len(members), 0), len(others)))
    members += rng.choices(population, k=max(least - len(members), 0))
    order = list(range(len(members)))
    rng.shuffle(order)
    return Selection(
        panel=tuple(members[place] for place in order),
        playing=tuple(order.index(place) for place in range(len(playing))),
    )
