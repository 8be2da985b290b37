"""Made-up games in which it is known what is best: tables of goals, and moves in turn."""

from dataclasses import dataclass
from itertools import product
from typing import Any

from games.protocol import OVER, IllegalMoveError, Move, Position, Seat


@dataclass(frozen=True)
class AtOnce(Position):
    """Every seat chooses one move at the same time; `goals_of` says what each combination is worth."""

    choices: tuple[tuple[str, ...], ...]
    table: tuple[tuple[float, ...], ...]
    """The goals of all combinations, in the order of `itertools.product`."""
    chosen: tuple[str, ...] = ()

    @property
    def to_act(self) -> Seat:
        return OVER if len(self.chosen) == len(self.choices) else len(self.chosen)

    @property
    def acting(self) -> tuple[Seat, ...]:
        return tuple(range(len(self.chosen), len(self.choices)))

    def moves(self, seat: Seat | None = None) -> tuple[str, ...]:
        seat = self.to_act if seat is None else seat
        return self.choices[seat] if seat in self.acting else ()

    def play(self, move: Move) -> "AtOnce":
        if move not in self.moves():
            raise IllegalMoveError(f"{move} is no move")
        return AtOnce(self.choices, self.table, (*self.chosen, str(move)))

    def scores(self) -> tuple[int, ...]:
        return tuple(map(int, self.goals())) if self.to_act == OVER else (0,) * len(self.choices)

    def winners(self) -> tuple[Seat, ...]:
        return ()

    def goals(self) -> tuple[float, ...]:
        return self.table[list(product(*self.choices)).index(self.chosen)]

    def text(self) -> str:
        return "/".join(self.chosen)


@dataclass(frozen=True)
class InTurn(Position):
    """Moves one after another in a tree of dictionaries; seats take turns, and a leaf holds the goals of all."""

    seats: int
    tree: Any
    way: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash(self.way)

    @property
    def to_act(self) -> Seat:
        return len(self.way) % self.seats if isinstance(self.tree, dict) else OVER

    def moves(self, seat: Seat | None = None) -> tuple[str, ...]:
        return tuple(self.tree) if self.to_act >= 0 and seat in (None, self.to_act) else ()

    def play(self, move: Move) -> "InTurn":
        if move not in self.moves():
            raise IllegalMoveError(f"{move} is no move")
        return InTurn(self.seats, self.tree[move], (*self.way, str(move)))

    def scores(self) -> tuple[int, ...]:
        return (0,) * self.seats

    def winners(self) -> tuple[Seat, ...]:
        return ()

    def goals(self) -> tuple[float, ...]:
        goals: tuple[float, ...] = self.tree
        return goals

    def text(self) -> str:
        return "/".join(self.way)
