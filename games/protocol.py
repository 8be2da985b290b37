"""What every game offers: immutable positions, explicit chance, and a text for everything.

Rules never draw random numbers. A position says who acts next: a seat, CHANCE, or nobody because the game is OVER. A
seat chooses among `moves()`; chance among `outcomes()`, each with a whole-number weight. Games with simultaneous moves
ask the seats one after another and hide what is not yet revealed through `view(seat)`.
"""

from collections.abc import Hashable
from typing import Final, Protocol, Self, runtime_checkable

Seat = int
CHANCE: Final[Seat] = -1
OVER: Final[Seat] = -2


class GameError(ValueError):
    """Something that the rules or the notation do not allow. The message says what was expected and what came."""


class NotationError(GameError):
    """A text that is no move, no position, no layout or no book of the game."""


class IllegalMoveError(GameError):
    """A well-written move that the rules forbid in this position."""


@runtime_checkable
class Move(Hashable, Protocol):
    """A choice of a seat or an outcome of chance; `str(move)` is its text."""

    def __str__(self) -> str: ...


class Position(Hashable, Protocol):
    """A value: two equal positions have the same past-independent future."""

    @property
    def to_act(self) -> Seat: ...

    def moves(self) -> tuple[Move, ...]:
        """The legal moves of the seat to act; empty if chance acts or the game is over."""
        ...

    def outcomes(self) -> tuple[tuple[Move, int], ...]:
        """What chance may do, with positive weights; empty unless chance acts."""
        ...

    def play(self, move: Move) -> Self:
        """The position after `move`. Raises IllegalMoveError."""
        ...

    def scores(self) -> tuple[int, ...]:
        """Points by seat, as they would count if the game ended now."""
        ...

    def winners(self) -> tuple[Seat, ...]:
        """The seats that won; several share the win; empty while the game goes on or if it is drawn without winners."""
        ...

    def view(self, seat: Seat) -> Self:
        """What `seat` may know. Games without secrets return the position itself."""
        ...

    def text(self) -> str:
        """The exact text; `game.position(p.text()) == p`."""
        ...


class Game(Protocol):
    """An immutable description of rules: one object per game and set-up."""

    @property
    def name(self) -> str: ...

    @property
    def seats(self) -> tuple[str, ...]:
        """One short letter or word per seat, in turn order."""
        ...

    def start(self) -> Position: ...

    def position(self, text: str) -> Position:
        """Reads a position's text. Raises NotationError."""
        ...

    def move(self, text: str) -> Move:
        """Reads a move's text. Raises NotationError. The move need not be legal anywhere."""
        ...
