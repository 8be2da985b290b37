"""How the lines of a book stand for the moves of a game.

`PlainNotation` serves every game: one line per move, chance included. A game with a shorter tradition brings its own.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from games.book_text import BookError, Line
from games.protocol import OVER, Game, GameError, Move, Position


class Played(NamedTuple):
    """A line of a book, the moves it stands for (chance and unwritten passes included), and the position after it."""

    line: Line
    moves: tuple[Move, ...]
    position: Position


class TimedMove(NamedTuple):
    """A move and, if known, how many milliseconds its seat thought about it."""

    move: Move
    milliseconds: int | None = None


class Notation(Protocol):
    """The art of writing a game's moves as lines."""

    def check(self, game: Game, text: str) -> None:
        """Raises NotationError if the text of a line is no move of the game, whatever the position."""
        ...

    def replay(self, game: Game, lines: Iterable[Line]) -> Iterator[Played]:
        """Plays the lines from the start. Raises BookError."""
        ...

    def record(self, game: Game, moves: Iterable[TimedMove]) -> Iterator[Line]:
        """Writes legal moves, played from the start, as lines."""
        ...


class PlainNotation:
    """One line per move, as the game itself writes it."""

    def check(self, game: Game, text: str) -> None:
        game.move(text)

    def replay(self, game: Game, lines: Iterable[Line]) -> Iterator[Played]:
        position = game.start()
        for line in lines:
            try:
                move = game.move(line.text)
                if position.to_act == OVER:
                    raise GameError("the game is over")
                position = position.play(move)
            except GameError as error:
                raise BookError(line.number, line.text, str(error)) from error
            yield Played(line, (move,), position)

    def record(self, game: Game, moves: Iterable[TimedMove]) -> Iterator[Line]:
        position = game.start()
        for move, milliseconds in moves:
            position = position.play(move)
            yield Line(str(move), None if milliseconds is None else f"ms={milliseconds}")
