"""Tic-tac-toe: the smallest game of two seats without chance. It shows what a game needs at least."""

from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final, NamedTuple

from games.protocol import (
    OVER,
    Event,
    Game,
    Grid,
    GridMove,
    GridPiece,
    IllegalMoveError,
    Move,
    NotationError,
    OnlyGame,
    Position,
    Seat,
    Texts,
)
from games.texts import texts_beside

KEY: Final = "tic-tac-toe"

SEATS: Final = ("x", "o")
SIDE: Final = 3
EMPTY: Final = "."
LINES: Final = tuple(
    tuple(line)
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
_NAMES: Final = {EMPTY: "b", "x": "x", "o": "o"}


@cache
def _winners(squares: str) -> tuple[Seat, ...]:
    """Who has a line; remembered, because everything asks for it and nine squares are filled in few ways."""
    lines = {squares[first] for first, second, third in LINES if squares[first] == squares[second] == squares[third]}
    return tuple(seat for seat, sign in enumerate(SEATS) if sign in lines)


class _Squares(NamedTuple):
    squares: str = EMPTY * SIDE * SIDE


class TicTacToePosition(_Squares, Position):
    """Nine squares, each x, o or empty. Who acts follows from their number."""

    __slots__ = ()

    @property
    def to_act(self) -> Seat:
        if self.winners() or EMPTY not in self.squares:
            return OVER
        return (SIDE * SIDE - self.squares.count(EMPTY)) % len(SEATS)

    def moves(self, seat: Seat | None = None) -> tuple[Mark, ...]:
        acts = self.to_act
        if acts == OVER or seat not in (None, acts):
            return ()
        return tuple(m for m in MARKS if self.squares[m.square] == EMPTY)

    def play(self, move: Move) -> "TicTacToePosition":
        seat = self.to_act
        if seat == OVER:
            raise IllegalMoveError("the game is over")
        if not isinstance(move, Mark) or self.squares[move.square] != EMPTY:
            raise IllegalMoveError(f"{move} is no empty square of {self.text()}")
        before, after = self.squares[: move.square], self.squares[move.square + 1 :]
        return TicTacToePosition(before + SEATS[seat] + after)

    def scores(self) -> tuple[int, ...]:
        winners = self.winners()
        return tuple(int(seat in winners) for seat in range(len(SEATS)))

    def winners(self) -> tuple[Seat, ...]:
        return _winners(self.squares)

    def text(self) -> str:
        return "/".join(self.squares[first : first + SIDE] for first in range(0, SIDE * SIDE, SIDE))

    def events(self, move: Move, seat: Seat | None = None) -> tuple[Event, ...]:  # noqa: ARG002  # all is open
        return (Event("put", SEATS[self.to_act], "", str(move)),)

    def facts(self) -> tuple[str, ...]:
        cells = [f"cell({str(mark)[0]},{str(mark)[1]},{_NAMES[self.squares[mark.square]]})" for mark in MARKS]
        return tuple(cells) if self.to_act == OVER else (*cells, f"control({SEATS[self.to_act]})")

    def grid(self, seat: Seat | None = None) -> Grid:
        pieces = [GridPiece(str(m), self.squares[m.square], SEATS.index(self.squares[m.square])) for m in self._taken()]
        moves = () if seat is None else self.moves(seat)
        return Grid(SIDE, SIDE, tuple(pieces), tuple(GridMove(str(move), "", str(move)) for move in moves))

    def _taken(self) -> tuple[Mark, ...]:
        return tuple(mark for mark in MARKS if self.squares[mark.square] != EMPTY)


@dataclass(frozen=True, slots=True)
class TicTacToe(Game):
    """The game itself."""

    kind: ClassVar[str] = KEY
    board: ClassVar[str] = "grid"
    cheap: ClassVar[bool] = True

    @property
    def reference(self) -> str:
        return f"{KEY}:standard"

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

    def texts(self, language: str) -> Texts:
        return texts_beside(__package__, language)


TIC_TAC_TOE: Final = TicTacToe()


KIND: Final = OnlyGame(KEY, TIC_TAC_TOE)
