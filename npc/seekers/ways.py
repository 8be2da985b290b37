"""How seekers find the leaf that they go for. Directions are tried in the order up, down, left, right."""

from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from games.protocol import Seat
from games.tourality import STEPS, Step, TouralityPosition
from games.tourality.world import neighbours


class Way(NamedTuple):
    """A way to a leaf: its first step, where it ends, and how many steps it has."""

    first: Step
    leaf: int
    steps: int


Search = Callable[[TouralityPosition, Seat], Way | None]


def breadth_first(position: TouralityPosition, seat: Seat) -> Way | None:
    """A shortest way to the nearest leaf, the first that is found; None if there is no way. The other beetle is in the
    way like a stone."""
    around, closed = neighbours(position.rules.size), {*position.obstacles, *position.places}
    waiting: deque[Way] = deque()
    here: Way | None = None
    cell = position.places[seat]
    while True:
        for step, next_ in zip(STEPS, around[cell], strict=True):
            if next_ is None or next_ in closed:
                continue
            way = Way(step if here is None else here.first, next_, 1 if here is None else here.steps + 1)
            if next_ in position.leaves:
                return way
            closed.add(next_)
            waiting.append(way)
        if not waiting:
            return None
        here = waiting.popleft()
        cell = here.leaf


def best_first(position: TouralityPosition, seat: Seat) -> Way | None:
    """The first way that is found by always looking on from the field that seems nearest to a leaf; None if there is
    none. Stones are ignored in what seems near, so the way may be a detour."""
    around, closed = neighbours(position.rules.size), {*position.obstacles, *position.places}
    waiting: list[tuple[int, int, Way]] = []
    numbers = count()
    here: Way | None = None
    cell = position.places[seat]
    while True:
        for step, next_ in zip(STEPS, around[cell], strict=True):
            if next_ is not None and next_ not in closed:
                closed.add(next_)
                way = Way(step if here is None else here.first, next_, 1 if here is None else here.steps + 1)
                heappush(waiting, (distance(position, next_), next(numbers), way))
        if not waiting:
            return None
        here = heappop(waiting)[2]
        cell = here.leaf
        if cell in position.leaves:
            return here


def distance(position: TouralityPosition, cell: int) -> int:
    """Steps to the nearest leaf if no stone were in the way."""
    row, column = divmod(cell, columns := position.rules.size.columns)
    return min(abs(leaf // columns - row) + abs(leaf % columns - column) for leaf in position.leaves)


def leaves_around(position: TouralityPosition, cell: int) -> int:
    """Leaves on a field and the eight around it."""
    row, column = divmod(cell, columns := position.rules.size.columns)
    return sum(max(abs(leaf // columns - row), abs(leaf % columns - column)) <= 1 for leaf in position.leaves)
