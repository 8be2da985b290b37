"""Where moves lead on a grid, for elements that look at places."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from games.protocol import CHANCE, Game, Position, Seat

_COLUMN_A: Final = ord("a")


class Cell(NamedTuple):
    column: int
    row: int

    def distance(self, other: "Cell") -> int:
        """In steps of a king."""
        return max(abs(self.column - other.column), abs(self.row - other.row))


class Way(NamedTuple):
    """From where to where a move leads; from nowhere, if something is put onto the board."""

    source: Cell | None
    target: Cell


def read_cell(text: str) -> Cell:
    return Cell(ord(text[0]) - _COLUMN_A, int(text[1:]) - 1)


@lru_cache(maxsize=64)
def ways(position: Position, seat: Seat) -> Mapping[str, Way]:
    """By the text of a move: its way on the grid; nothing in games without one."""
    grid = position.grid(seat)
    if grid is None:
        return {}
    return {move: Way(read_cell(source) if source else None, read_cell(target)) for move, source, target in grid.moves}


def first_choice(game: Game) -> Position:
    """The first position in which a seat chooses, whatever chance does before."""
    position: Position = game.start()
    while position.to_act == CHANCE:
        position = position.play(position.drawn(0))
    return position
