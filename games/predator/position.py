"""A position: the field, how many steps were taken, and whether the next one is chosen and waits for its dice.

Written from the top row down, with numbers for free cells (walls are part of the rules, and count as free): you are one
of ^ > v <, where you look; red is one of a b c d, looking up, right, down or left, green e to h, blue i to l.
Then follow the points, the steps, and `?` if the seat chooses or `!` if the dice are thrown: `3a10/…/14 +2 17 ?`.
"""

import re
from functools import lru_cache
from typing import Any, Final, NamedTuple

from games.predator.chromosome import AGENT, COLOURS, DIES, Chromosome
from games.predator.field import (
    FACING,
    NOWHERE,
    Change,
    Field,
    Piece,
    after_step,
    around,
    cell_name,
    set_up,
    walls,
)
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

WAYS: Final = 1 << 64
MOST_STEPS: Final = 100
NOT_DRAWN: Final = "to be drawn"
SIGNS: Final = (*COLOURS, "runner")
WALL: Final = "wall"
_LETTERS: Final = "abcdefghijkl^>v<"
_EVEN: Final = 50.0
FIELDS_KEPT: Final = 4096


class Step(NamedTuple):
    """Where the agent goes."""

    name: str
    direction: int

    def __str__(self) -> str:
        return self.name


STEPS: Final = (Step("up", 0), Step("right", 1), Step("down", 2), Step("left", 3))


class Dice(NamedTuple):
    """The number from which everything random of a step follows."""

    number: int

    def __str__(self) -> str:
        return f"dice {self.number:016x}"


class _State(NamedTuple):
    rules: Chromosome
    field: Field | None = None
    """None before everybody has a place."""
    steps: int = 0
    chosen: bool = False


class PredatorPosition(_State, Position):
    __slots__ = ()

    @property
    def to_act(self) -> Seat:
        if self.field is None or self.chosen:
            return CHANCE
        return OVER if self.steps >= MOST_STEPS or self.field.agent == NOWHERE else 0

    def moves(self, seat: Seat | None = None) -> tuple[Step, ...]:
        if self.field is None or self.to_act != 0 or seat not in (None, 0):
            return ()
        there = around(self.rules.size)[self.field.agent]
        return tuple([step for step in STEPS if there[step.direction] != NOWHERE])

    @property
    def ways(self) -> int:
        return WAYS if self.to_act == CHANCE else 0

    def drawn(self, number: int) -> Dice:
        check_number(number, self.ways)
        return Dice(number)

    def play(self, move: Move) -> "PredatorPosition":
        acts = self.to_act
        if acts == CHANCE and isinstance(move, Dice) and 0 <= move.number < WAYS:
            if self.field is None:
                return PredatorPosition(self.rules, set_up(self.rules, move.number))
            return PredatorPosition(self.rules, _stepped(self.rules, self.field, move.number)[0], self.steps + 1)
        if self.field is not None and isinstance(move, Step) and move in self.moves():
            return PredatorPosition(self.rules, self.field._replace(facing=move.direction), self.steps, chosen=True)
        if acts == OVER:
            raise IllegalMoveError("the game is over")
        wanted = "dice are thrown" if acts == CHANCE else f"you can go {', '.join(map(str, self.moves()))}"
        raise IllegalMoveError(f"{wanted}, not {move}")

    def default(self, seat: Seat) -> Step:  # noqa: ARG002  # there is one seat
        """Whoever is late goes on as before, or turns to the right until there is a way."""
        assert self.field is not None, "somebody acts"
        there, facing = around(self.rules.size)[self.field.agent], self.field.facing
        turned = [STEPS[(facing + turns) % 4] for turns in range(4)]
        return next(step for step in turned if there[step.direction] != NOWHERE)

    def scores(self) -> tuple[int, ...]:
        return (0 if self.field is None else self.field.score,)

    def winners(self) -> tuple[Seat, ...]:
        """Who ends above zero has won against the field."""
        return (0,) if self.to_act == OVER and self.scores()[0] > 0 else ()

    def goals(self) -> tuple[float, ...]:
        """Points below zero are worse than none, so zero is in the middle."""
        return (min(max(_EVEN + self.scores()[0], 0.0), 2 * _EVEN),)

    def evaluation(self) -> tuple[float, ...]:
        return self.goals()

    def text(self) -> str:
        if self.field is None:
            return NOT_DRAWN
        signs = {piece.cell: _LETTERS[4 * piece.colour + piece.facing] for piece in self.field.pieces}
        if self.field.agent != NOWHERE:
            signs[self.field.agent] = _LETTERS[4 * AGENT + self.field.facing]
        size = self.rules.size
        rows = ["".join([signs.get(cell, ".") for cell in range(row * size, (row + 1) * size)]) for row in range(size)]
        board = "/".join([re.sub(r"\.+", lambda free: str(len(free[0])), row) for row in reversed(rows)])
        looks = "" if self.field.agent != NOWHERE else f" {_LETTERS[4 * AGENT + self.field.facing]}"
        return f"{board} {self.field.score:+d} {self.steps} {'!' if self.chosen else '?'}{looks}"

    # --------------------------------------------------------------------------------------------------- telling

    def events(self, move: Move, seat: Seat | None = None) -> tuple[Event, ...]:  # noqa: ARG002  # all is open
        """Everything of a step happens at once for those who watch, in an order that never puts two on a cell."""
        if not isinstance(move, Dice):
            return ()
        if self.field is not None:
            changes = _stepped(self.rules, self.field, move.number)[1]
        else:
            field = set_up(self.rules, move.number)
            changes = [Change(piece.colour, NOWHERE, piece.cell) for piece in field.pieces]
            changes.append(Change(AGENT, NOWHERE, field.agent))
        return tuple([Event("together", SIGNS[colour], self._name(s), self._name(t)) for colour, s, t in changes])

    def _name(self, cell: int) -> str:
        return "" if cell == NOWHERE else cell_name(cell, self.rules.size)

    def facts(self) -> tuple[str, ...]:
        if self.field is None:
            return ()
        size = self.rules.size
        told = [
            f"cell({piece.cell % size + 1},{piece.cell // size + 1},{COLOURS[piece.colour]})"
            for piece in self.field.pieces
        ]
        agent = self.field.agent
        me = [f"cell({agent % size + 1},{agent // size + 1},you)"] if agent != NOWHERE else []
        looking = [
            f"looks({piece.cell % size + 1},{piece.cell // size + 1},{STEPS[piece.facing]})"
            for piece in self.field.pieces
            if self.rules.movement[piece.colour] in FACING
        ]
        goes = [f"{'goes' if self.chosen else 'went'}({STEPS[self.field.facing]})"]
        control = ["control(you)"] if self.to_act == 0 else []
        return (*told, *me, *looking, *goes, *control, f"points({self.field.score})", f"steps({self.steps})")

    def grid(self, seat: Seat | None = None) -> Grid:
        size = self.rules.size
        pieces = [GridPiece(cell_name(cell, size), WALL, -1) for cell in sorted(walls(size))]
        if self.field is None:
            return Grid(size, size, tuple(pieces))
        pieces += [GridPiece(cell_name(cell, size), SIGNS[colour], -1) for cell, colour, _ in self.field.pieces]
        if self.field.agent == NOWHERE:
            return Grid(size, size, tuple(pieces))
        here, there = cell_name(self.field.agent, size), around(size)[self.field.agent]
        steps = () if seat is None else self.moves(seat)
        moves = [GridMove(step.name, here, cell_name(there[step.direction], size)) for step in steps]
        return Grid(size, size, (*pieces, GridPiece(here, SIGNS[AGENT], 0)), tuple(moves))


def read_text(rules: Chromosome, text: str) -> PredatorPosition | None:
    """None if it is no position of these rules. Which steps led there is not asked."""
    if text == NOT_DRAWN:
        return PredatorPosition(rules)
    found = _POSITION.fullmatch(text)
    if found is None:
        return None
    rows = re.sub(r"\d+", lambda free: "." * min(int(free[0]), rules.size), found[1]).split("/")
    if [len(row) for row in rows] != [rules.size] * rules.size:
        return None
    known = [(cell, _LETTERS.index(sign)) for cell, sign in enumerate("".join(reversed(rows))) if sign != "."]
    agents = [(cell, number % 4) for cell, number in known if number // 4 == AGENT]
    pieces = tuple([Piece(cell, number // 4, number % 4) for cell, number in known if number // 4 != AGENT])
    if len(agents) + len(found[5] or "") != 1:
        return None
    agent, facing = agents[0] if agents else (NOWHERE, _LETTERS.index(found[5]) % 4)
    position = PredatorPosition(rules, Field(agent, facing, pieces, int(found[2])), int(found[3]), found[4] == "!")
    return position if position.text() == text and _makes_sense(position) else None


_POSITION: Final = re.compile(r"([a-l^>v<\d/]{10,500}) ([-+]\d{1,4}) (\d{1,3}) ([?!])(?: ([\^>v<]))?", re.ASCII)


def _makes_sense(position: PredatorPosition) -> bool:
    rules, field, steps = position.rules, position.field, position.steps
    assert field is not None, "it was read"
    counts = [[piece.colour for piece in field.pieces].count(colour) for colour in range(len(COLOURS))]
    everybody = {*[piece.cell for piece in field.pieces], field.agent}
    dead = field.agent == NOWHERE
    fresh = tuple(counts) == rules.numbers and field.score == 0 and (position.chosen or field.facing == 0)
    ahead = dead or around(rules.size)[field.agent][field.facing] != NOWHERE
    return (
        all(count <= most for count, most in zip(counts, rules.numbers, strict=True))
        and all(piece.facing == 0 or rules.movement[piece.colour] in FACING for piece in field.pieces)
        and not everybody & walls(rules.size)
        and steps <= MOST_STEPS
        and (steps > 0 or (fresh and not dead))
        and not (dead and (position.chosen or DIES not in rules.effects[AGENT]))
        and not (position.chosen and (steps == MOST_STEPS or not ahead))
        and abs(field.score) <= steps * (1 + sum(rules.numbers))
    )


@lru_cache(maxsize=FIELDS_KEPT)
def _stepped(rules: Chromosome, field: Field, number: int) -> tuple[Field, list[Change]]:
    """Remembered for a moment, because who plays a step also asks what happened."""
    return after_step(rules, field, number)


def chosen_from(text: str) -> Any:
    """The step or the dice that a text writes; None if it is neither."""
    found = re.fullmatch(r"dice ([0-9a-f]{16})", text, re.ASCII)
    return Dice(int(found[1], 16)) if found else next((step for step in STEPS if step.name == text), None)
