"""What can happen in Jostle: chance rolls, a seat decides about a second roll, moves one piece, or passes.

There are few moves, so each exists once in a table; equality is by value all the same.
"""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

from games.jostle.layout import PIECES
from games.protocol import NotationError

PIPS: Final = range(1, 7)


@dataclass(frozen=True, slots=True)
class Roll:
    """An outcome of the die."""

    pips: int

    def __str__(self) -> str:
        return str(self.pips)


@dataclass(frozen=True, slots=True)
class Piece:
    """The choice to move a piece by all the points of the turn."""

    id: int

    def __str__(self) -> str:
        return f"p{self.id}"


class Word(Enum):
    """The choices that need no number."""

    AGAIN = "again"
    KEEP = "keep"
    PASS = "pass"  # noqa: S105  # a move, not a password

    def __str__(self) -> str:
        return self.value


JostleMove = Roll | Piece | Word

AGAIN: Final = Word.AGAIN
KEEP: Final = Word.KEEP
PASS: Final = Word.PASS
ROLLS: Final = tuple(Roll(pips) for pips in PIPS)
PIECE_MOVES: Final = tuple(Piece(number) for number in range(PIECES))

_BY_TEXT: Final[dict[str, JostleMove]] = {str(move): move for move in (*ROLLS, *PIECE_MOVES, *Word)}
_LOOKS_LIKE_A_PIECE: Final = re.compile(r"p\d+", re.ASCII)


def read_move(text: str) -> JostleMove:
    """The move that `text` names: "1" to "6", "p0" to "p8", "again", "keep" or "pass"."""
    try:
        return _BY_TEXT[text]
    except KeyError:
        if _LOOKS_LIKE_A_PIECE.fullmatch(text):
            raise NotationError(f"pieces are p0 to p{PIECES - 1}, not {text[:20]}") from None
        raise NotationError(f"a move is 1 to 6, p0 to p{PIECES - 1}, again, keep or pass, not {text[:40]!r}") from None
