"""Random games of Connect Four, seven columns of six, as a kernel.

A position is two whole numbers of 64 bits, the stones of whoever moves and those of the other. A column takes seven
bits, from below; the seventh stays empty, so that lines do not run from one column into the next.
"""

from typing import Final

from kernels.chance import Chance, draw_below
from kernels.language import count_ones, i32, i32s, i64

COLUMNS: Final = 7
ROWS: Final = 6
STRIDE: Final = ROWS + 1
CELLS: Final = COLUMNS * ROWS
DIRECTIONS: Final = (1, STRIDE, STRIDE - 1, STRIDE + 1)
"""How far the next stone of a line is: upwards, to the right, and both diagonals."""
BOTTOM: Final = sum(1 << STRIDE * column for column in range(COLUMNS))
TOP: Final = BOTTOM << ROWS - 1
COLUMN: Final = (1 << ROWS) - 1
DRAWN: Final = 0
FIRST_WON: Final = 1
SECOND_WON: Final = 2


def has_line(stones: i64) -> bool:
    """Whether four of the stones stand in a line."""
    for number in range(len(DIRECTIONS)):
        step = DIRECTIONS[number]
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step != 0:
            return True
    return False


def open_column(taken: i64, choice: i32) -> i32:
    """The column of that number among those that are not full."""
    left = choice
    for column in range(COLUMNS):
        if taken >> column * STRIDE + ROWS - 1 & 1 == 0:
            if left == 0:
                return column
            left -= 1
    return -1


def playout(chance: Chance, first: i64, second: i64) -> i32:
    """Plays at random to the end, the owner of `first` to move, and tells who won."""
    mine = first
    theirs = second
    winner = FIRST_WON
    while True:
        taken = mine | theirs
        columns = COLUMNS - count_ones(taken & TOP)
        if columns == 0:
            return DRAWN
        column = open_column(taken, draw_below(chance, columns))
        lowest: i64 = 1 << column * STRIDE
        mine |= taken + lowest & COLUMN * lowest
        if has_line(mine):
            return winner
        other = theirs
        theirs = mine
        mine = other
        winner = FIRST_WON + SECOND_WON - winner


def playouts(chance: Chance, first: i64, second: i64, count: i32, results: i32s) -> None:
    """Plays so many games from the position and counts in `results` how they ended."""
    for _ in range(count):
        results[playout(chance, first, second)] += 1
