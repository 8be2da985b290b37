"""A position of an evolved board game: the board, and how many moves were made. South begins, and they alternate.

Written from the top row down, South's pieces in capitals, with the number of moves: `abcdefff/8/…/8/ABCDEFFF 0`.
"""

import re
from typing import Final, NamedTuple

from games.evolved.chromosome import SIDE
from games.evolved.rules import MOST_MOVES, NORTH, SQUARES, Rules, Way, square_name, ways_on
from games.protocol import OVER, Event, Grid, GridMove, GridPiece, IllegalMoveError, Move, Position, Seat

SEATS: Final = ("south", "north")
LETTERS: Final = " ABCDEF"
"""What people call the types."""
_SIGNS: Final = " ABCDEF  abcdef"
"""How a text writes what stands on a square."""


class Shift(NamedTuple):
    """A piece goes from a square to another; what it takes, the board tells."""

    source: int
    target: int

    def __str__(self) -> str:
        return f"{square_name(self.source)}-{square_name(self.target)}"


SHIFTS: Final = {
    str(shift): shift
    for shift in (Shift(source, target) for source in range(SQUARES) for target in range(SQUARES) if source != target)
}


class _Board(NamedTuple):
    rules: Rules
    board: bytes
    played: int = 0


class EvolvedPosition(_Board, Position):
    __slots__ = ()

    @property
    def to_act(self) -> Seat:
        return OVER if self._ended() else self.played % 2

    def _ended(self) -> bool:
        return (
            self.played >= MOST_MOVES
            or bool(self.rules.dishonoured(self.board))
            or not ways_on(self.rules, self.board, self.played % 2)
        )

    def _ways(self) -> tuple[Way, ...]:
        return () if self.to_act == OVER else ways_on(self.rules, self.board, self.played % 2)

    def moves(self, seat: Seat | None = None) -> tuple[Shift, ...]:
        if seat not in (None, self.played % 2):
            return ()
        return tuple([Shift(way.source, way.target) for way in self._ways()])

    def way(self, move: Move) -> Way:
        """What a move does. Raises IllegalMoveError."""
        ways = self._ways()
        if isinstance(move, Shift):
            for way in ways:
                if way.source == move.source and way.target == move.target:
                    return way
        if not ways:
            raise IllegalMoveError("the game is over")
        raise IllegalMoveError(f"{SEATS[self.played % 2]} cannot play {move} here")

    def play(self, move: Move) -> "EvolvedPosition":
        return EvolvedPosition(self.rules, self.rules.after(self.board, self.way(move)), self.played + 1)

    def scores(self) -> tuple[int, ...]:
        winners = self.winners()
        return int(0 in winners), int(1 in winners)

    def winners(self) -> tuple[Seat, ...]:
        """Who has lost the last piece of honour loses, both at once draw; else who has to move and cannot."""
        dishonoured = self.rules.dishonoured(self.board)
        if dishonoured:
            return (1 - dishonoured[0],) if len(dishonoured) == 1 else ()
        if self.played >= MOST_MOVES or not self._ended():
            return ()
        return (1 - self.played % 2,)

    def text(self) -> str:
        return f"{write_board(self.board)} {self.played}"

    # ------------------------------------------------------------------------------------------------- reckoning

    def evaluation(self) -> tuple[float, ...]:
        """What stands on the board, by the worth of its movement and capture, shared out of 100."""
        south, north = (sum([self.rules.values[kind - 1] for kind in self._kinds(seat)]) for seat in (0, 1))
        share = 100 * south / (south + north)
        return share, 100 - share

    def _kinds(self, seat: Seat) -> list[int]:
        return [piece % NORTH for piece in self.board if piece and piece // NORTH == seat]

    def captured(self, move: Move) -> int:
        return int(self.way(move).taken >= 0)

    def material(self) -> tuple[int, ...]:
        return len(self._kinds(0)), len(self._kinds(1))

    # --------------------------------------------------------------------------------------------------- telling

    def events(self, move: Move, seat: Seat | None = None) -> tuple[Event, ...]:  # noqa: ARG002  # all is open
        source, target, taken = self.way(move)
        after = self.rules.after(self.board, Way(source, target, taken))[target]
        gone = (Event("take", self._sign(self.board[taken]), square_name(taken), ""),) if taken >= 0 else ()
        come = Event("move", self._sign(self.board[source]), square_name(source), square_name(target))
        if after == self.board[source]:
            return (*gone, come)
        here = square_name(target)
        changed = Event("change", come.piece, here, ""), Event("put", self._sign(after), "", here)
        return (*gone, come, *changed)

    def facts(self) -> tuple[str, ...]:
        cells = [
            f"cell({square % SIDE + 1},{square // SIDE + 1},{piece_name(piece)})"
            for square, piece in enumerate(self.board)
            if piece
        ]
        control = [] if self.to_act == OVER else [f"control({SEATS[self.to_act]})"]
        return (*cells, *control, f"played({self.played})")

    def grid(self, seat: Seat | None = None) -> Grid:
        pieces = [
            GridPiece(square_name(square), self._sign(piece), piece // NORTH)
            for square, piece in enumerate(self.board)
            if piece
        ]
        moves = () if seat is None else self.moves(seat)
        shown = [GridMove(str(move), square_name(move.source), square_name(move.target)) for move in moves]
        return Grid(SIDE, SIDE, tuple(pieces), tuple(shown))

    def _sign(self, piece: int) -> str:
        """The letter of its type, with a star if it is one of honour."""
        kind = piece % NORTH
        return LETTERS[kind] + ("*" if kind == self.rules.chromosome.honour else "")

    def sketch(self, *, colour: bool = False) -> str:  # noqa: ARG002  # capitals suffice
        rows = [f"{number} {' '.join(row)}" for number, row in zip(range(SIDE, 0, -1), _rows(self.board), strict=True)]
        return "\n".join([*rows, "  a b c d e f g h", ""])


def piece_name(piece: int) -> str:
    """In facts and descriptions: `south_a`."""
    return f"{SEATS[piece // NORTH]}_{LETTERS[piece % NORTH].lower()}"


def _rows(board: bytes) -> list[str]:
    signs = "".join([_SIGNS[piece] if piece else "." for piece in board])
    return [signs[first : first + SIDE] for first in range(SQUARES - SIDE, -1, -SIDE)]


def write_board(board: bytes) -> str:
    return "/".join([re.sub(r"\.+", lambda free: str(len(free[0])), row) for row in _rows(board)])


def read_board(text: str) -> bytes | None:
    """None if it is not one."""
    rows = re.sub(r"[1-8]", lambda free: "." * int(free[0]), text).split("/")
    if [len(row) for row in rows] != [SIDE] * SIDE:
        return None
    signs = [0 if sign == "." else _SIGNS.find(sign) for row in reversed(rows) for sign in row]
    if min(signs) < 0:
        return None
    board = bytes(signs)
    return board if write_board(board) == text else None
