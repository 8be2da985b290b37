"""Which strategies play: the one place that seating asks.

A panel is drawn from the population, the strategies that play among it. `choose_strategies` gets everything that a
criterion could need and may be replaced as a whole (`Seating(choose=...)`).
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

from sqlalchemy.ext.asyncio import AsyncSession

POPULATION: Final = (
    "ADVANCER",
    "EQUALIZER",
    "RANDOMIZER",
    "Observing PALS",
    "Aggressive ADVANCER",
    "Observing EQUALIZER",
    "Revenging ADVANCER",
    "Lingering PALS",
    "Aggressive EQUALIZER",
    "PALS",
    "Revenging PALS",
    "Observing ADVANCER",
)
"""Who plays until rounds have a population of their own."""


class Request(NamedTuple):
    """What is asked for: so many programs at a table with these persons, hidden in a panel of this size."""

    persons: tuple[int, ...]
    programs: int
    panel_size: int


class Selection(NamedTuple):
    """The panel, without repetition as far as the population allows, and which of its members play."""

    panel: tuple[str, ...]
    playing: tuple[int, ...]


ChooseStrategies = Callable[[AsyncSession, Request, random.Random], Awaitable[Selection]]


async def choose_strategies(session: AsyncSession, request: Request, rng: random.Random) -> Selection:  # noqa: ARG001 - criteria that read the database replace this function
    """All strategies are equally likely to play."""
    return draw(POPULATION, request, rng)


def draw(population: Sequence[str], request: Request, rng: random.Random) -> Selection:
    """A panel of distinct strategies in random order, and who of them plays."""
    size = max(request.panel_size, request.programs)
    panel = rng.sample(population, min(size, len(population)))
    while len(panel) < request.programs:
        panel.append(rng.choice(population))
    return Selection(tuple(panel), tuple(rng.sample(range(len(panel)), request.programs)))
