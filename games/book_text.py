"""The text form of a game play book: header lines, then one line per move, each with an optional comment in braces.

    [Rules "tic-tac-toe:standard"]
    [Format "1"]

    b2 {ms=2310}
    a1

Reading and writing are exact: whatever `Book` exists can be written, and reads back as the same book. Whether its moves
can be played is not decided here but in `games.book`.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from games.protocol import GameError, NotationError

FORMAT: Final = "1"
ROUND_MARK: Final = "---"

_KEY: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}", re.ASCII)
_HEADER: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9_]{0,39}) "((?:[^"\\]|\\["\\])*)"\]', re.ASCII)
_ESCAPE: Final = re.compile(r'(["\\])')
_ESCAPED: Final = re.compile(r'\\(["\\])')
_LINE: Final = re.compile(r"(?P<text>[^{}]*[^{} ]) *(?:\{(?P<comment>[^{}]*)\})?")
_BRACES: Final = frozenset("{}")
_SHOWN: Final = 40


class BookError(GameError):
    """A book that cannot be read or replayed: where, which move, and the rule that it breaks."""

    def __init__(self, line: int, move: str, reason: str) -> None:
        super().__init__(line, move, reason)
        self.line = line
        self.move = shown(move)
        self.reason = reason

    def __str__(self) -> str:
        return f"line {self.line}: {self.move}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a book: a move as the book writes it, or a round mark. `number` is where it was read."""

    text: str
    comment: str | None = None
    number: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        text = self.text
        if not text or text.strip() != text or text[0] == "[" or not text.isprintable() or not _BRACES.isdisjoint(text):
            raise NotationError("a move is printable text without braces that does not begin with [ or a space")
        comment = self.comment
        if comment is not None and not (comment.isprintable() and _BRACES.isdisjoint(comment)):
            raise NotationError("a comment is printable text without braces, on one line")
        if text == ROUND_MARK and comment is not None:
            raise NotationError(f"{ROUND_MARK} stands alone on its line")

    @property
    def is_round_mark(self) -> bool:
        return self.text == ROUND_MARK

    @property
    def notes(self) -> dict[str, str]:
        """The `key=value` words of the comment."""
        words = (self.comment or "").split()
        return {key: value for key, equals, value in (word.partition("=") for word in words) if equals}


@dataclass(frozen=True, slots=True)
class Book:
    """A game as it was played: headers (each key once) and lines. `header_numbers` is where the headers were read."""

    lines: tuple[Line, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    header_numbers: tuple[int, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for key, value in self.headers:
            check_header(key, value, seen)
            seen.add(key)

    def header(self, key: str, default: str = "") -> str:
        return dict(self.headers).get(key, default)

    @property
    def moves(self) -> int:
        """How many lines are moves."""
        return sum(not line.is_round_mark for line in self.lines)

    @property
    def rounds(self) -> int:
        """How many rounds are closed."""
        return sum(line.is_round_mark for line in self.lines)


def check_header(key: str, value: str, seen: set[str]) -> None:
    """Raises NotationError for a header that no book can have."""
    if not _KEY.fullmatch(key):
        raise NotationError("a header's key is a letter and up to 39 letters, digits or underscores")
    if not value.isprintable():
        raise NotationError(f"the header {key} has characters that cannot be printed")
    if key in seen:
        raise NotationError(f"the header {key} stands there twice")


def parse(text: str) -> Book:
    """The book that `text` writes. Raises BookError."""
    lines: list[Line] = []
    headers: dict[str, str] = {}
    header_numbers: list[int] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        row = raw.removesuffix("\r").strip(" \t")
        if not row:
            continue
        try:
            if row[0] == "[":
                key, value = _parse_header(row, after_moves=bool(lines))
                check_header(key, value, headers.keys() & {key})
                headers[key] = value
                header_numbers.append(number)
            else:
                lines.append(_parse_line(row, number))
        except NotationError as error:
            raise BookError(number, row, str(error)) from None
    return Book(tuple(lines), tuple(headers.items()), tuple(header_numbers))


def _parse_header(row: str, after_moves: bool) -> tuple[str, str]:
    found = _HEADER.fullmatch(row)
    if found is None:
        raise NotationError('a header looks like [Key "value"]')
    if after_moves:
        raise NotationError("headers stand before the first move")
    return found[1], _ESCAPED.sub(r"\1", found[2])


def _parse_line(row: str, number: int) -> Line:
    found = _LINE.fullmatch(row)
    if found is None:
        raise NotationError("a line is a move and at most one comment in braces after it")
    return Line(found["text"], found["comment"], number)


def write_book(book: Book) -> str:
    """The text of the book; `read_book` gives the same book back."""
    headers = "".join(f'[{key} "{_ESCAPE.sub(_with_backslash, value)}"]\n' for key, value in book.headers)
    lines = "".join(
        f"{line.text}\n" if line.comment is None else f"{line.text} {{{line.comment}}}\n" for line in book.lines
    )
    return f"{headers}\n{lines}" if headers and lines else headers + lines


def _with_backslash(found: re.Match[str]) -> str:
    return "\\" + found[1]


def shown(text: str) -> str:
    """A text that came from outside, short and safe to print."""
    short = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    return short if short.isprintable() else ascii(short)
