"""Files with descriptions of games, as commands take them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NoReturn

import typer

from games.gdl.game import GdlGame
from games.gdl.game import opened as open_description
from games.protocol import GameError
from games.references import LONGEST_SOURCE

REFUSED: Final = 2


def opened_file(file: Path) -> GdlGame:
    """The game that a file describes; a description that is none ends the command."""
    with refusing(file):
        return open_description(read_source(file))


@contextmanager
def refusing(file: Path) -> Iterator[None]:
    """Whatever the rules of a file cannot say, however late that shows, ends the command with a sentence."""
    try:
        yield
    except GameError as error:
        refuse(f"{file}: {error}")


def read_source(file: Path) -> str:
    """Raises GameError if the file is no text, or too long to be looked at."""
    if file.stat().st_size > 4 * LONGEST_SOURCE:
        raise GameError(f"a description has at most {LONGEST_SOURCE} characters")
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise GameError("a description is a text in UTF-8") from None


def refuse(words: str) -> NoReturn:
    typer.echo(words, err=True)
    raise typer.Exit(REFUSED)
