"""Tic-tac-toe: the smallest game of two seats without chance. It shows what a game needs at least."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from games.protocol import OVER, IllegalMoveError, Move, NotationError, Seat

SEATS: Final = ("x", "o")
SIDE: Final = 3
EMPTY: Final = "."
LINES: Final = tuple(
    frozenset(line)
    for line in (
        *(range(row * SIDE, (row + 1) * SIDE) for row in range(SIDE)),
        *(range(column, SIDE * SIDE, SIDE) for column in range(SIDE)),
        range(0, SIDE * SIDE, SIDE + 1),
        range(SIDE - 1, SIDE * SIDE - 1, SIDE - 1),
    )
)


@dataclass(frozen=True, slots=True)
class Mark:
    """Where the seat to act puts its sign; squares count row by row from a1."""

    square: int

    def __str__(self) -> str:
        return f"{'abc'[self.square % SIDE]}{self.square // SIDE + 1}"


MARKS: Final = tuple(Mark(square) for square in range(SIDE * SIDE))
_BY_TEXT: Final = {str(mark): mark for mark in MARKS}


class TicTacToePosition(NamedTuple):
    """Nine squares, each x, o or empty. Who acts follows from their number."""

    squares: str = EMPTY * SIDE * SIDE

    @property
    def to_act(self) -> Seat:
        if self.winners() or EMPTY not in self.squares:
            return OVER
        return (SIDE * SIDE - self.squares.count(EMPTY)) % len(SEATS)

    def moves(self) -> tuple[Mark, ...]:
        return () if self.to_act == OVER else tuple(m for m in MARKS if self.squares[m.square] == EMPTY)

    def outcomes(self) -> tuple[tuple[Mark, int], ...]:
        return ()

    def play(self, move: Move) -> "TicTacToePosition":
        seat = self.to_act
        if seat == OVER:
            raise IllegalMoveError("the game is over")
        if not isinstance(move, Mark) or self.squares[move.square] != EMPTY:
            raise IllegalMoveError(f"{move} is no empty square of {self.text()}")
        before, after = self.squares[: move.square], self.squares[move.square + 1 :]
        return TicTacToePosition(before + SEATS[seat] + after)

    def scores(self) -> tuple[int, ...]:
        return tuple(int(seat in self.winners()) for seat in range(len(SEATS)))

    def winners(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, sign in enumerate(SEATS) if self._has_line(sign))

    def view(self, seat: Seat) -> "TicTacToePosition":  # noqa: ARG002  # nothing is hidden from anyone
        return self

    def text(self) -> str:
        return "/".join(self.squares[first : first + SIDE] for first in range(0, SIDE * SIDE, SIDE))

    def _has_line(self, sign: str) -> bool:
        return any(all(self.squares[square] == sign for square in line) for line in LINES)


@dataclass(frozen=True, slots=True)
class TicTacToe:
    """The game itself."""

    @property
    def name(self) -> str:
        return "tic-tac-toe"

    @property
    def seats(self) -> tuple[str, ...]:
        return SEATS

    def start(self) -> TicTacToePosition:
        return TicTacToePosition()

    def position(self, text: str) -> TicTacToePosition:
        rows = text.split("/")
        squares = "".join(rows)
        if [len(row) for row in rows] != [SIDE] * SIDE or not set(squares) <= {*SEATS, EMPTY}:
            raise NotationError(f"a position looks like x.o/.x./... , not {text[:40]!r}")
        position = TicTacToePosition(squares)
        lead = squares.count(SEATS[0]) - squares.count(SEATS[1])
        winners = position.winners()
        if lead not in (0, 1) or len(winners) > 1 or (winners and winners[0] != 1 - lead):
            raise NotationError(f"no game leads to {text}")
        return position

    def move(self, text: str) -> Mark:
        try:
            return _BY_TEXT[text]
        except KeyError:
            raise NotationError(f"a move is a1 to c3, not {text[:40]!r}") from None


TIC_TAC_TOE: Final = TicTacToe()
