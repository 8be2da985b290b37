"""The field: who stands where, and what one step does to all of them. All chance of a step follows from one number.

Cells are numbers, row by row from the bottom. A cell holds one of them; whoever goes where another stands meets it. The
number starts a generator of `kernels.chance`, so a kernel that plays many games draws the same.
"""

from functools import cache
from typing import Final, NamedTuple

from games.predator.chromosome import AGENT, CLOCKWISE, COUNTER_CLOCKWISE, DIES, LONG, MOVED, SHORT, STILL, Chromosome
from kernels.chance import Chance, draw_below
from kernels.language import wrap64

DIRECTIONS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""To the right and up: up, right, down, left, which is clockwise."""
FACING: Final = frozenset((CLOCKWISE, COUNTER_CLOCKWISE, LONG))
"""The movements for which it matters where somebody looks."""
NOWHERE: Final = -1


class Piece(NamedTuple):
    cell: int
    colour: int
    facing: int


class Change(NamedTuple):
    """Somebody of a colour (or the agent) came from a cell to another; NOWHERE is outside of the field."""

    colour: int
    source: int
    target: int


class Field(NamedTuple):
    """Whom the seat leads (NOWHERE: dead), where it looks, all others by their cells, and the points so far."""

    agent: int
    facing: int
    pieces: tuple[Piece, ...]
    score: int = 0


@cache
def walls(size: int) -> frozenset[int]:
    """Two upright walls, each half as long as the field; turned by half, the field looks the same."""
    column, first, length = size * 2 // 7, size // 7, size // 2
    left = [(first + row) * size + column for row in range(length)]
    return frozenset([*left, *[size * size - 1 - cell for cell in left]])


@cache
def around(size: int) -> tuple[tuple[int, ...], ...]:
    """What lies in each direction of each cell; NOWHERE where a wall or the edge is."""
    found = []
    for cell in range(size * size):
        row, column = divmod(cell, size)
        there = [
            (row + up) * size + column + right if 0 <= row + up < size and 0 <= column + right < size else NOWHERE
            for right, up in DIRECTIONS
        ]
        found.append(tuple([NOWHERE if target in walls(size) else target for target in there]))
    return tuple(found)


def chance_of(number: int) -> Chance:
    """The generator that a number from 0 to 2 ** 64 - 1 starts."""
    return Chance(wrap64(number))


def set_up(rules: Chromosome, number: int) -> Field:
    """Everybody at a place of their own: the agent first, then red, green and blue."""
    chance = chance_of(number)
    taken: set[int] = set(walls(rules.size))
    agent = _free_cell(taken, rules.size, chance)
    pieces = []
    for colour, count in enumerate(rules.numbers):
        for _ in range(count):
            cell = _free_cell(taken, rules.size, chance)
            pieces.append(Piece(cell, colour, draw_below(chance, 4) if rules.movement[colour] in FACING else 0))
    return Field(agent, 0, tuple(sorted(pieces)))


def after_step(rules: Chromosome, field: Field, number: int) -> tuple[Field, list[Change]]:
    """The agent goes where it looks, then everybody else in the order of their cells; and what happened, in order."""
    stepping = _Stepping(rules, field, chance_of(number))
    stepping.run()
    pieces = [
        Piece(cell, colour, facing)
        for cell, colour, facing in zip(stepping.cells[1:], stepping.colours[1:], stepping.facings[1:], strict=True)
        if cell != NOWHERE
    ]
    return Field(stepping.cells[0], field.facing, tuple(sorted(pieces)), stepping.score), stepping.changes


def _free_cell(taken: set[int], size: int, chance: Chance) -> int:
    """Any cell that is free, which it is no more."""
    cell = draw_below(chance, size * size)
    while cell in taken:
        cell = draw_below(chance, size * size)
    taken.add(cell)
    return cell


class _Stepping:
    """One step while it happens. The first of the lists is the agent."""

    def __init__(self, rules: Chromosome, field: Field, chance: Chance) -> None:
        self.rules, self.chance, self.score = rules, chance, field.score
        self.cells = [field.agent, *[piece.cell for piece in field.pieces]]
        self.colours = [AGENT, *[piece.colour for piece in field.pieces]]
        self.facings = [field.facing, *[piece.facing for piece in field.pieces]]
        self.here = {cell: who for who, cell in enumerate(self.cells)}
        self.points = rules.points
        self.changes: list[Change] = []

    def run(self) -> None:
        self._go(0, self.facings[0])
        for who in range(1, len(self.cells)):
            if self.cells[0] == NOWHERE:
                return
            if self.cells[who] != NOWHERE:
                self._turn_of(who)

    def _turn_of(self, who: int) -> None:
        movement = self.rules.movement[self.colours[who]]
        if movement == STILL:
            return
        if movement == SHORT:
            self._go(who, draw_below(self.chance, 4))
        elif not self._go(who, self.facings[who]):
            if movement == LONG:
                self.facings[who] = draw_below(self.chance, 4)
            else:
                self.facings[who] = (self.facings[who] + (1 if movement == CLOCKWISE else 3)) % 4

    def _go(self, who: int, direction: int) -> bool:
        """Whether anything became of it; if not, there is an obstacle: a wall, the edge, or somebody who stays."""
        target = around(self.rules.size)[self.cells[who]][direction]
        if target == NOWHERE:
            return False
        other = self.here.get(target)
        if other is not None:
            mine, theirs = self.colours[who], self.colours[other]
            self.score += self.points[mine][theirs]
            self._suffer(other, self.rules.effects[theirs][mine])
            if self._suffer(who, self.rules.effects[mine][theirs]):
                return True
            if target in self.here:
                return False
        self._put(who, target)
        return True

    def _suffer(self, who: int, effect: int) -> bool:
        if effect == DIES:
            self._put(who, NOWHERE)
        elif effect == MOVED:
            taken = {*walls(self.rules.size), *self.here}
            self._put(who, _free_cell(taken, self.rules.size, self.chance))
        return effect in (DIES, MOVED)

    def _put(self, who: int, target: int) -> None:
        source = self.cells[who]
        del self.here[source]
        if target != NOWHERE:
            self.here[target] = who
        self.cells[who] = target
        self.changes.append(Change(self.colours[who], source, target))


def cell_name(cell: int, size: int) -> str:
    row, column = divmod(cell, size)
    return f"{chr(ord('a') + column)}{row + 1}"
