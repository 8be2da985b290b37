"""Which players play: the one place that seating asks.

A panel is drawn from the population, the players that play among it. `choose_strategies` gets everything that a
criterion could need and may be replaced as a whole (`Seating(choose=...)`).
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from sqlalchemy.ext.asyncio import AsyncSession

from npc.composed import school_of
from server.rules.service import open_game


class Request(NamedTuple):
    """What is asked for: so many programs at a table with these persons, hidden in a panel of this size."""

    game: str
    """The reference of what is played."""
    persons: tuple[int, ...]
    programs: int
    panel_size: int

    @property
    def least(self) -> int:
        """As many members as there are others at the table: a panel that is longer where more programs play would tell
        how many do."""
        return len(self.persons) + self.programs - 1


class Selection(NamedTuple):
    """The names of the panel, without repetition as far as the population allows, and which of its members play."""

    panel: tuple[str, ...]
    playing: tuple[int, ...]


ChooseStrategies = Callable[[AsyncSession, Request, random.Random], Awaitable[Selection]]


async def first_population(session: AsyncSession, game: str) -> tuple[str, ...]:
    """The strategies of a game with which everything begins: who plays until rounds have a population of their own."""
    opened = await open_game(session, game)
    return school_of(opened).population(opened)


async def choose_strategies(session: AsyncSession, request: Request, rng: random.Random) -> Selection:
    """All strategies are equally likely to play."""
    return draw(await first_population(session, request.game), request, rng)


def draw(population: Sequence[str], request: Request, rng: random.Random) -> Selection:
    """A panel of distinct strategies in random order, and who of them plays."""
    size = max(request.panel_size, request.least, request.programs)
    panel = rng.sample(population, min(size, len(population)))
    while len(panel) < max(request.least, request.programs):
        panel.append(rng.choice(population))
    return Selection(tuple(panel), tuple(rng.sample(range(len(panel)), request.programs)))
