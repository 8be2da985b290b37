"""`grintu replay` and `grintu show`: books and positions from the command line."""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from games.book import BookError, Replay, read_book, replay
from games.jostle import JostleGame, JostlePosition, read_layout
from games.jostle.drawing import draw_svg
from games.jostle.terminal import draw_text
from games.protocol import CHANCE, OVER, Game, GameError, Position
from games.registry import game as game_named
from npc.endings import check_ending

app = typer.Typer(help="Books and positions.", no_args_is_help=True)

REFUSED: Final = 2
STANDARD_INPUT: Final = "-"
MANY_FILES: Final = 20
WIDE: Final = 200

LayoutFile = Annotated[
    Path | None, typer.Option(help="A board to play Jostle on, as JSON.", dir_okay=False, exists=True)
]


@app.command("replay")
def replay_books(
    files: Annotated[list[str], typer.Argument(help="Books to replay; - is the standard input.", metavar="FILE")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per book and line.")] = False,
    every_line: Annotated[bool, typer.Option("--every-line", help="Tell the position after every line.")] = False,
    layout: LayoutFile = None,
) -> None:
    """Replay books and tell where they end. A book that cannot be replayed gives status 2 and its line on stderr."""
    game = _board(layout)
    refused = False
    rows: list[dict[str, Any]] = []
    for file in _with_progress(files):
        try:
            done = replay(read_book(_read(file), game), game)
        except GameError as error:
            refused = True
            typer.echo(f"{file}: {error}" if len(files) > 1 else str(error), err=True)
            continue
        found = list(_rows(file, done, every_line))
        if as_json:
            for row in found:
                typer.echo(json.dumps(row))
        rows += found
    if rows and not as_json:
        _print(_table(rows))
    if refused:
        raise typer.Exit(REFUSED)


# A position may begin with -1, which is no option.
@app.command(context_settings={"ignore_unknown_options": True})
def show(
    position: Annotated[str, typer.Argument(help='A position, for instance "4,-1,-1/1,-1,-1/3,-1,-1 r".')],
    svg: Annotated[Path | None, typer.Option(help="Write the board as a picture to this file.", dir_okay=False)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Tell the position as JSON.")] = False,
    game: Annotated[str, typer.Option(help="The game that the position belongs to.")] = "jostle",
    layout: LayoutFile = None,
) -> None:
    """Draw a position in the terminal, and as a picture if asked."""
    try:
        rules = _board(layout) or game_named(game)
        found = rules.position(position)
    except GameError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(REFUSED) from None
    if svg is not None:
        if not isinstance(found, JostlePosition):
            typer.echo(f"only Jostle can be drawn as a picture, not {rules.name}", err=True)
            raise typer.Exit(REFUSED)
        svg.write_text(draw_svg(found), encoding="utf-8")
    if as_json:
        typer.echo(json.dumps(_facts(rules, found) | {"moves": [str(move) for move in found.moves()]}))
    elif isinstance(found, JostlePosition):
        typer.echo(_printable(draw_text(found, colour=sys.stdout.isatty())), nl=False)
    else:
        typer.echo(f"{found.text()}\nmoves: {' '.join(str(move) for move in found.moves()) or '-'}")


def _printable(text: str) -> str:
    """With question marks for what the terminal cannot show."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "replace").decode(encoding)


def _board(layout: Path | None) -> Game | None:
    if layout is None:
        return None
    try:
        board = read_layout(layout.read_text(encoding="utf-8"))
    except (GameError, UnicodeDecodeError) as error:
        typer.echo(f"{layout}: {error}", err=True)
        raise typer.Exit(REFUSED) from None
    try:
        check_ending(board)
    except GameError as doubt:  # people can play on it to the end, so that their books are replayed
        typer.echo(f"{layout}: warning: {doubt}", err=True)
    return JostleGame(board)


def _read(file: str) -> str:
    """The text of a file. What cannot be read or is not UTF-8 is an error like any other."""
    try:
        data = sys.stdin.buffer.read() if file == STANDARD_INPUT else Path(file).read_bytes()
    except OSError as error:
        raise GameError(f"{file}: {error.strerror}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        row = data.split(b"\n")[line - 1].decode("utf-8", "replace")
        raise BookError(line, row.strip(), "a book is UTF-8 text") from None


def _with_progress(files: list[str]) -> Iterator[str]:
    """The files, with a progress bar on stderr if there are many and someone is watching."""
    console = Console(stderr=True)
    if len(files) < MANY_FILES or not console.is_terminal:
        yield from files
        return
    with Progress(console=console, transient=True) as progress:
        yield from progress.track(files, description="Replaying")


def _rows(file: str, done: Replay, every_line: bool) -> Iterable[dict[str, Any]]:
    if not every_line:
        counts = {"moves": done.book.moves, "rounds": done.book.rounds}
        yield {"file": file, **_facts(done.game, done.position), **counts}
        return
    moves = rounds = 0
    for played in done.played:
        moves += not played.line.is_round_mark
        rounds += played.line.is_round_mark
        where = {"file": file, "line": played.line.number, "text": played.line.text}
        yield where | _facts(done.game, played.position) | {"moves": moves, "rounds": rounds}


def _facts(game: Game, position: Position) -> dict[str, Any]:
    """What there is to know about a position. Jostle's turn belongs to a seat even while its die rolls."""
    if isinstance(position, JostlePosition):
        pieces: dict[str, Any] = {"positions": list(position.pieces)}
        seat = position.seat
    else:
        pieces = {"positions": position.text()}
        seat = position.to_act
    return {
        "game": game.name,
        **pieces,
        "position": position.text(),
        "scores": list(position.scores()),
        "over": position.to_act == OVER,
        "to_act": None if seat in (CHANCE, OVER) else game.seats[seat],
        "winners": [game.seats[winner] for winner in position.winners()],
    }


def _print(table: Table) -> None:
    """Fits the terminal; in a pipe nothing is cut off."""
    Console(width=None if sys.stdout.isatty() else WIDE).print(table)


def _table(rows: list[dict[str, Any]]) -> Table:
    by_line = "line" in rows[0]
    table = Table(box=None, header_style="bold")
    for name in ("book", *(("line", "") if by_line else ()), "position", "moves", "rounds", "scores", "next"):
        table.add_column(name, justify="right" if name in ("line", "moves", "rounds") else "left", no_wrap=True)
    for row in rows:
        place = (str(row["line"]), row["text"]) if by_line else ()
        outcome = f"won by {' '.join(row['winners']) or 'nobody'}" if row["over"] else row["to_act"] or "chance"
        scores = "-".join(map(str, row["scores"]))
        table.add_row(row["file"], *place, row["position"], str(row["moves"]), str(row["rounds"]), scores, outcome)
    return table
