"""A world: a grid with obstacles, leaves and the two places where players begin, by number or by text.

Cells are numbers: column by column within a row, row by row from the bottom. A board's text has its rows from the top,
separated by /; `#` is an obstacle, `o` a leaf, `a` and `b` are the players, and a number stands for so many free cells.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

from games.protocol import NotationError

OBSTACLE: Final = "#"
LEAF: Final = "o"
PLAYERS: Final = ("a", "b")
_PARTS: Final = re.compile(r"[1-9]\d{0,2}|[#oab]", re.ASCII)


class Size(NamedTuple):
    columns: int
    rows: int

    @property
    def cells(self) -> int:
        return self.columns * self.rows


class World(NamedTuple):
    """What stands where before the first step. `starts` are the cells of the two players."""

    obstacles: frozenset[int]
    leaves: frozenset[int]
    starts: tuple[int, int]


# ------------------------------------------------------------------------------------------------------- by number


def worlds(size: Size, obstacles: int, leaves: int) -> int:
    """How many worlds there are with so many obstacles and leaves."""
    free = size.cells - obstacles - leaves
    return comb(size.cells, obstacles) * comb(size.cells - obstacles, leaves) * free * (free - 1)


@lru_cache(maxsize=256)
def world_of(number: int, size: Size, obstacles: int, leaves: int) -> World:
    """The world that a number from 0 to `worlds` - 1 stands for; every one has its own."""
    free = size.cells - obstacles - leaves
    number, second = divmod(number, free - 1)
    number, first = divmod(number, free)
    number, of_leaves = divmod(number, comb(size.cells - obstacles, leaves))
    cells = list(range(size.cells))
    blocked = _take(cells, _subset(number, size.cells, obstacles))
    green = _take(cells, _subset(of_leaves, len(cells), leaves))
    return World(frozenset(blocked), frozenset(green), (cells.pop(first), cells.pop(second)))


def _subset(number: int, size: int, count: int) -> list[int]:
    """The subset of range(size) with so many members that a number stands for, in descending order.

    In the combinatorial number system: the largest member is the largest n with comb(n, count) <= number, and so on.
    """
    found = []
    member = size
    for left in range(count, 0, -1):
        member -= 1
        while (ways := comb(member, left)) > number:
            member -= 1
        number -= ways
        found.append(member)
    return found


def _take(cells: list[int], places: Iterable[int]) -> list[int]:
    """Remove what is at these places, which are in descending order."""
    return [cells.pop(place) for place in places]


# --------------------------------------------------------------------------------------------------------- by text


def signs_of(world: World) -> dict[int, str]:
    signs = dict.fromkeys(world.obstacles, OBSTACLE) | dict.fromkeys(world.leaves, LEAF)
    return signs | dict(zip(world.starts, PLAYERS, strict=True))


def write_board(size: Size, signs: Mapping[int, str]) -> str:
    rows = []
    for row in reversed(range(size.rows)):
        text, free = "", 0
        for cell in range(row * size.columns, (row + 1) * size.columns):
            sign = signs.get(cell)
            if sign is None:
                free += 1
            else:
                text += (str(free) if free else "") + sign
                free = 0
        rows.append(text + (str(free) if free else ""))
    return "/".join(rows)


def read_board(text: str) -> tuple[Size, World]:
    """Raises NotationError if it is no board, or not the text that it would be written with."""
    rows = [_row(row) for row in text.split("/")]
    size = Size(len(rows[0]), len(rows))
    if any(len(row) != size.columns for row in rows):
        raise NotationError(
            f"the rows of a board are equally long, not {', '.join(str(len(row)) for row in rows)}"[:200]
        )
    cells = "".join(reversed(rows))
    found = {sign: [cell for cell, here in enumerate(cells) if here == sign] for sign in (OBSTACLE, LEAF, *PLAYERS)}
    if [len(found[player]) for player in PLAYERS] != [1, 1]:
        raise NotationError("a board has one player a and one player b")
    starts = (found[PLAYERS[0]][0], found[PLAYERS[1]][0])
    world = World(frozenset(found[OBSTACLE]), frozenset(found[LEAF]), starts)
    if write_board(size, signs_of(world)) != text:
        raise NotationError(f"a row looks like 3#2o1a, with numbers for free cells side by side, not {text[:40]!r}")
    return size, world


def _row(text: str) -> str:
    if len(text) > 200 or not _PARTS.match(text) or _PARTS.sub("", text):
        raise NotationError(f"a row looks like 3#2o1a, not {text[:40]!r}")
    return "".join("." * int(part) if part.isdigit() else part for part in _PARTS.findall(text))


# ------------------------------------------------------------------------------------------------------------ ways


@lru_cache(maxsize=64)
def neighbours(size: Size) -> tuple[tuple[int | None, ...], ...]:
    """For each cell what lies above, below, to the left and to the right; None off the grid."""
    columns, rows = size
    return tuple(
        (
            cell + columns if row + 1 < rows else None,
            cell - columns if row > 0 else None,
            cell - 1 if column > 0 else None,
            cell + 1 if column + 1 < columns else None,
        )
        for cell in range(size.cells)
        for row, column in [divmod(cell, columns)]
    )


@lru_cache(maxsize=256)
def regions(size: Size, obstacles: frozenset[int]) -> tuple[int, ...]:
    """For each cell the smallest cell that can be reached from it, if only obstacles are in the way; -1 for these."""
    around = neighbours(size)
    found = [-1] * size.cells
    for first in range(size.cells):
        if found[first] >= 0 or first in obstacles:
            continue
        found[first] = first
        open_ = [first]
        while open_:
            for cell in around[open_.pop()]:
                if cell is not None and found[cell] < 0 and cell not in obstacles:
                    found[cell] = first
                    open_.append(cell)
    return tuple(found)
