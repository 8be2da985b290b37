"""The race: one step at a time, in turn; whoever enters the field of a leaf gathers it.

A sweep ends when no leaf can be reached any more, or when nobody has gathered anything for so long that nobody will. A
challenge has two sweeps in the same world, the second with places and turns exchanged; then the sum of both decides.
"""

import re
from typing import Any, Final, NamedTuple

from games.protocol import (
    CHANCE,
    OVER,
    Event,
    Grid,
    GridMove,
    GridPiece,
    IllegalMoveError,
    Move,
    Position,
    Seat,
    check_number,
)
from games.tourality.world import (
    LEAF,
    OBSTACLE,
    PLAYERS,
    Size,
    World,
    neighbours,
    regions,
    signs_of,
    world_of,
    worlds,
    write_board,
)

NOT_DRAWN: Final = "to be drawn"
"""The position before there is a world."""
DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


class Step(NamedTuple):
    """A step in one of the directions of `neighbours`; without a direction it is a pass."""

    name: str
    direction: int

    def __str__(self) -> str:
        return self.name


STEPS: Final = (Step("up", 0), Step("down", 1), Step("left", 2), Step("right", 3))
PASS: Final = Step("pass", -1)
ONLY_PASS: Final = (PASS,)


class Drawn(NamedTuple):
    """Chance draws a world: its number, written with digits and letters."""

    number: int

    def __str__(self) -> str:
        digits, left = "", self.number
        while left or not digits:
            left, digit = divmod(left, len(DIGITS))
            digits = DIGITS[digit] + digits
        return f"world {digits}"


class Rules(NamedTuple):
    """What a source says: a size with so many obstacles and leaves to be drawn, or a world; and how many sweeps."""

    size: Size
    obstacles: int
    leaves: int
    sweeps: int
    world: World | None

    @property
    def patience(self) -> int:
        """Steps of both together without a leaf after which a sweep is over: twice across the grid and back, each."""
        return 4 * (self.size.columns + self.size.rows)


class _Race(NamedTuple):
    rules: Rules
    obstacles: frozenset[int] = frozenset()
    leaves: frozenset[int] = frozenset()
    places: tuple[int, int] = (-1, -1)
    seat: Seat = CHANCE
    gathered: tuple[int, int] = (0, 0)
    """By seat, in all sweeps so far."""
    quiet: int = 0
    """Steps since the last leaf."""
    again: World | None = None
    """What the next sweep begins with, if there is one."""


class TouralityPosition(_Race, Position):
    __slots__ = ()

    @classmethod
    def in_world(cls, rules: Rules, world: World) -> "TouralityPosition":
        """The first sweep."""
        again = world if rules.sweeps > 1 else None
        return cls(rules, world.obstacles, world.leaves, world.starts, 0, (0, 0), 0, again)._or_next_sweep()

    @property
    def to_act(self) -> Seat:
        return self.seat

    def moves(self, seat: Seat | None = None) -> tuple[Step, ...]:
        if self.seat < 0 or seat not in (None, self.seat):
            return ()
        around = neighbours(self.rules.size)[self.places[self.seat]]
        other = self.places[1 - self.seat]
        free = [
            step
            for step, cell in zip(STEPS, around, strict=True)
            if cell is not None and cell != other and cell not in self.obstacles
        ]
        return tuple(free) or ONLY_PASS

    @property
    def ways(self) -> int:
        rules = self.rules
        return worlds(rules.size, rules.obstacles, rules.leaves) if self.seat == CHANCE else 0

    def drawn(self, number: int) -> Drawn:
        check_number(number, self.ways)
        return Drawn(number)

    def play(self, move: Move) -> "TouralityPosition":
        if self.seat == CHANCE:
            if not isinstance(move, Drawn) or not 0 <= move.number < self.ways:
                raise IllegalMoveError(f"a world is to be drawn, not {move}")
            rules = self.rules
            return self.in_world(rules, world_of(move.number, rules.size, rules.obstacles, rules.leaves))
        if self.seat == OVER:
            raise IllegalMoveError("the game is over")
        if not isinstance(move, Step) or move not in self.moves():
            raise IllegalMoveError(f"{PLAYERS[self.seat]} can go {', '.join(map(str, self.moves()))}, not {move}")
        return self._stepped(move)._or_next_sweep()

    def _stepped(self, step: Step) -> "TouralityPosition":
        seat, target = self.seat, self.target(step)
        places = (target, self.places[1]) if seat == 0 else (self.places[0], target)
        if target not in self.leaves:
            return self._replace(places=places, seat=1 - seat, quiet=self.quiet + 1)
        first, second = self.gathered
        return self._replace(
            leaves=self.leaves - {target},
            places=places,
            seat=1 - seat,
            gathered=(first + 1, second) if seat == 0 else (first, second + 1),
            quiet=0,
        )

    def target(self, step: Step) -> int:
        """The cell that a step of the seat to act leads to."""
        here = self.places[self.seat]
        target = here if step.direction < 0 else neighbours(self.rules.size)[here][step.direction]
        assert target is not None, "the step was legal"
        return target

    def _or_next_sweep(self) -> "TouralityPosition":
        """Itself while the sweep goes on; else the beginning of the next one, or the end."""
        if self.quiet < self.rules.patience and self._reachable():
            return self
        if self.again is None:
            return self._replace(seat=OVER)
        first, second = self.again.starts
        return self._replace(
            leaves=self.again.leaves, places=(second, first), seat=1, quiet=0, again=None
        )._or_next_sweep()

    def _reachable(self) -> bool:
        region = regions(self.rules.size, self.obstacles)
        here = {region[place] for place in self.places}
        return any(region[leaf] in here for leaf in self.leaves)

    def scores(self) -> tuple[int, ...]:
        return self.gathered

    def winners(self) -> tuple[Seat, ...]:
        first, second = self.gathered
        if self.seat != OVER or first == second:
            return ()
        return (0,) if first > second else (1,)

    def text(self) -> str:
        if self.seat == CHANCE:
            return NOT_DRAWN
        acts = "-" if self.seat == OVER else PLAYERS[self.seat]
        again = "" if self.again is None else f" {write_board(self.rules.size, signs_of(self.again))}"
        board, (first, second) = write_board(self.rules.size, self._signs()), self.gathered
        return f"{board} {acts} {first}:{second} {self.quiet}{again}"

    def _signs(self) -> dict[int, str]:
        return {} if self.seat == CHANCE else signs_of(World(self.obstacles, self.leaves, self.places))

    # ----------------------------------------------------------------------------------------------------- telling

    def events(self, move: Move, seat: Seat | None = None) -> tuple[Event, ...]:  # noqa: ARG002  # all is open
        if not isinstance(move, Step):
            return tuple(self._changes(self.play(move)))
        if self.again is not None and (after := self.play(move)).again is None:
            return tuple(self._changes(after))
        if move is PASS:
            return ()
        target = cell_name(self.target(move), self.rules.size)
        taken = (Event("gather", SIGNS[LEAF], target, ""),) if self.target(move) in self.leaves else ()
        piece = SIGNS[PLAYERS[self.seat]]
        return (*taken, Event("step", piece, cell_name(self.places[self.seat], self.rules.size), target))

    def _changes(self, after: "TouralityPosition") -> list[Event]:
        """What is taken away and what is put where one world follows another."""
        size, before, then = self.rules.size, self._signs(), after._signs()
        changed = [cell for cell in range(size.cells) if before.get(cell) != then.get(cell)]
        gone = [Event("clear", SIGNS[before[cell]], cell_name(cell, size), "") for cell in changed if cell in before]
        return gone + [Event("put", SIGNS[then[cell]], "", cell_name(cell, size)) for cell in changed if cell in then]

    def sketch(self, *, colour: bool = False) -> str:  # noqa: ARG002  # signs suffice
        """As sources write worlds."""
        board = write_board(self.rules.size, self._signs())
        return "\n".join(re.sub(r"\d+", lambda free: "." * int(free[0]), board).split("/")) + "\n"

    def facts(self) -> tuple[str, ...]:
        columns = self.rules.size.columns
        cells = [
            f"cell({cell % columns + 1},{cell // columns + 1},{_WORDS[sign]})"
            for cell, sign in sorted(self._signs().items())
        ]
        gathered = [f"gathered({name},{count})" for name, count in zip(PLAYERS, self.gathered, strict=True)]
        told = [f"quiet({self.quiet})", *([f"control({PLAYERS[self.seat]})"] if self.seat >= 0 else [])]
        return (*cells, *gathered, *told, *self._later())

    def _later(self) -> list[str]:
        """What the next sweep begins with, beside the obstacles."""
        if self.again is None:
            return []
        columns = self.rules.size.columns
        signs = [(cell, sign) for cell, sign in sorted(signs_of(self.again).items()) if sign != OBSTACLE]
        return [f"later({cell % columns + 1},{cell // columns + 1},{_WORDS[sign]})" for cell, sign in signs]

    def grid(self, seat: Seat | None = None) -> Grid:
        size = self.rules.size
        pieces = [
            GridPiece(cell_name(cell, size), SIGNS[sign], PLAYERS.index(sign) if sign in PLAYERS else -1)
            for cell, sign in sorted(self._signs().items())
        ]
        steps = () if seat is None else tuple(step for step in self.moves(seat) if step is not PASS)
        here = cell_name(self.places[self.seat], size) if steps else ""
        moves = [GridMove(step.name, here, cell_name(self.target(step), size)) for step in steps]
        return Grid(size.columns, size.rows, tuple(pieces), tuple(moves))


SIGNS: Final[dict[str, str]] = {OBSTACLE: "stone", LEAF: "leaf", PLAYERS[0]: "beetle", PLAYERS[1]: "beetle"}
"""What stands on a grid's cell, as boards draw it."""
_WORDS: Final[dict[str, Any]] = {OBSTACLE: "obstacle", LEAF: "leaf", PLAYERS[0]: "a", PLAYERS[1]: "b"}


def cell_name(cell: int, size: Size) -> str:
    row, column = divmod(cell, size.columns)
    return f"{chr(ord('a') + column)}{row + 1}"
