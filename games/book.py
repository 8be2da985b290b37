"""Game play books of every game: read, write, replay and record.

A book names its rules in a header, `[Rules "tic-tac-toe:standard"]`. Older books name a game and a board instead; a
book without any of these is one of the first game of the registry.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from games import registry
from games.book_text import FORMAT, ROUND_MARK, Book, BookError, Line, parse, write_book
from games.notation import Notation, PlainNotation, Played, TimedMove
from games.protocol import OVER, Game, GameError, Move, NotationError, Position

__all__ = [
    "FORMAT",
    "ROUND_MARK",
    "Book",
    "BookError",
    "Line",
    "Played",
    "PlayedBook",
    "TimedMove",
    "game_of",
    "read_book",
    "record",
    "replay",
    "result_of",
    "standard_headers",
    "write_book",
]

PLAIN: Final = PlainNotation()


@dataclass(frozen=True)
class PlayedBook:
    """A book played from its first line to its last."""

    game: Game
    book: Book
    played: tuple[Played, ...]

    @cached_property
    def position(self) -> Position:
        """Where the book stops."""
        return self.played[-1].position if self.played else self.game.start()

    @property
    def over(self) -> bool:
        return self.position.to_act == OVER

    @property
    def moves(self) -> tuple[Move, ...]:
        """Everything that happened, chance and passes included."""
        return tuple(move for played in self.played for move in played.moves)


def game_of(book: Book) -> Game:
    """The game that the headers name. Raises BookError at the header's line if there is no such game; its cause is a
    MissingSourceError if the source has to be learnt first.
    """
    key = "Rules" if "Rules" in dict(book.headers) else "Game"
    name = book.header(key, next(iter(registry.KINDS)))
    try:
        game = registry.game(name)
        if key == "Game" and (board := book.header("Layout", "")):
            key = "Layout"
            game = registry.game(f"{game.kind}:{board}")
    except GameError as error:
        raise _header_error(book, key, str(error)) from error
    return game


def read_book(text: str, game: Game | None = None) -> Book:
    """The book that `text` writes, each move well written though perhaps not playable. Raises BookError."""
    book = parse(text)
    if book.header("Format", FORMAT) != FORMAT:
        raise _header_error(book, "Format", f"only books of format {FORMAT} can be read")
    if game is None:
        game = game_of(book)
    notation = _notation(game)
    for line in book.lines:
        try:
            notation.check(game, line.text)
        except NotationError as error:
            raise BookError(line.number, line.text, str(error)) from None
    return book


def replay(book: Book, game: Game | None = None) -> PlayedBook:
    """Plays the book; `game` replaces the one that the headers name. Raises BookError."""
    if game is None:
        game = game_of(book)
    done = PlayedBook(game, book, tuple(_notation(game).replay(game, _numbered(book))))
    _check_result(done)
    return done


def record(game: Game, moves: Iterable[Move | TimedMove], headers: Iterable[tuple[str, str]] = ()) -> Book:
    """The book of moves that were played from the start of the game. Without headers it has moves alone."""
    timed = (move if isinstance(move, TimedMove) else TimedMove(move) for move in moves)
    return Book(tuple(_notation(game).record(game, timed)), tuple(headers))


def standard_headers(game: Game, position: Position, seats: str, time: str) -> tuple[tuple[str, str], ...]:
    """The headers of the platform's own books; `position` is the last one."""
    return (
        ("Format", FORMAT),
        ("Rules", game.reference),
        ("Seats", seats),
        ("Result", result_of(position)),
        ("Time", time),
    )


def result_of(position: Position) -> str:
    """The scores by seat, joined by dashes, or * while the game goes on."""
    return "-".join(map(str, position.scores())) if position.to_act == OVER else "*"


def _notation(game: Game) -> Notation:
    return game.notation or PLAIN


def _numbered(book: Book) -> Iterable[Line]:
    """The lines with numbers for error messages: those they were read at, else those they would be written at."""
    first = len(book.headers) + 2 if book.headers else 1
    for number, line in enumerate(book.lines, start=first):
        yield line if line.number else Line(line.text, line.comment, number)


def _check_result(done: PlayedBook) -> None:
    said, is_so = done.book.header("Result", ""), result_of(done.position)
    if said not in ("", is_so):
        raise _header_error(done.book, "Result", f"the moves lead to {is_so}")


def _header_error(book: Book, key: str, reason: str) -> BookError:
    """An error at the line where the header was read, or would be written."""
    numbers = book.header_numbers or range(1, len(book.headers) + 1)
    number = next((n for n, (each, _) in zip(numbers, book.headers, strict=True) if each == key), 1)
    return BookError(number, f'[{key} "{book.header(key)}"]', reason)
