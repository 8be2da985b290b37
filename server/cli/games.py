"""`grintu replay`, `grintu show` and `grintu games`: books, positions and rules from the command line."""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from sqlalchemy.ext.asyncio import AsyncSession

from games.book import BookError, PlayedBook, read_book, replay
from games.protocol import OVER, Game, GameError, Position
from games.registry import KINDS, open_source, shelf
from npc.simulation import measured
from server.accounts.audit import COMMAND_LINE
from server.cli.inventing import evolve_games
from server.cli.printing import Printer
from server.cli.rules import Game as Named
from server.cli.rules import in_library, in_study
from server.cli.shell import in_transaction
from server.rules import repository
from server.rules.service import add_source

app = typer.Typer(help="Books and positions.", no_args_is_help=True)

REFUSED: Final = 2
STANDARD_INPUT: Final = "-"
MANY_FILES: Final = 20
WIDE: Final = 200

RulesFile = Annotated[
    Path | None, typer.Option(help="The source of the rules, of the kind that is named.", dir_okay=False, exists=True)
]
KindOf = Annotated[str, typer.Option(help=f"The kind of games that opens the source: {', '.join(KINDS)}.")]
FIRST_KIND: Final = next(iter(KINDS))


shelf_app = typer.Typer(no_args_is_help=True, help="The games of the platform and of the study's database.")
app.add_typer(shelf_app, name="games")
shelf_app.command("evolve")(evolve_games)


@shelf_app.command("list")
def list_games() -> None:
    """Every game: its reference, and what people call it."""
    for reference in shelf():
        typer.echo(f"{reference}  {in_library(reference).texts('en').title}")
    for row in in_transaction(repository.all_of_them):
        typer.echo(f"{row.reference}  {row.title}")


@shelf_app.command("show")
def show_game(reference: Annotated[str, typer.Argument(help="A reference, or a kind alone.")]) -> None:
    """What a game is about, its first position, and the source of its rules."""
    game = in_study(reference)
    texts = game.texts("en")
    for name, value in (
        ("reference", game.reference),
        ("title", texts.title),
        ("summary", texts.summary),
        ("seats", ", ".join(f"{seat} ({name})" for seat, name in zip(game.seats, texts.seats, strict=True))),
        ("start", game.start().text()),
        ("source", game.source),
    ):
        typer.echo(_printable(f"{name}: {value}"))


@shelf_app.command("add")
def add_game(
    file: Annotated[Path, typer.Argument(help="The source of the rules.", dir_okay=False, exists=True)],
    kind: KindOf,
    title: Annotated[str, typer.Option(help="What people call it; the game's own title if nothing is said.")] = "",
) -> None:
    """Add rules to the study's database. They are checked, and from then on named by the reference that is printed."""
    try:
        source = _read(str(file))
    except GameError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(REFUSED) from None

    async def work(session: AsyncSession) -> str:
        return (await add_source(session, kind, source, title, COMMAND_LINE)).reference

    typer.echo(in_transaction(work))


@app.command("replay")
def replay_books(
    files: Annotated[list[str], typer.Argument(help="Books to replay; - is the standard input.", metavar="FILE")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per book and line.")] = False,
    every_line: Annotated[bool, typer.Option("--every-line", help="Tell the position after every line.")] = False,
    rules: RulesFile = None,
    kind: KindOf = FIRST_KIND,
) -> None:
    """Replay books and tell where they end. A book that cannot be replayed gives status 2 and its line on stderr."""
    game = _of_file(rules, kind)
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
    position: Annotated[str, typer.Argument(help=f'A position, for instance "{in_library("").start().text()}".')],
    svg: Annotated[Path | None, typer.Option(help="Write the board as a picture to this file.", dir_okay=False)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Tell the position as JSON.")] = False,
    game: Named = "",
    rules: RulesFile = None,
    kind: KindOf = FIRST_KIND,
) -> None:
    """Draw a position in the terminal, and as a picture if asked."""
    try:
        played = _of_file(rules, kind) or in_library(game)
        found = played.position(position)
    except GameError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(REFUSED) from None
    if svg is not None:
        picture = found.picture()
        if picture is None:
            typer.echo(f"nobody has drawn {played.reference} as a picture", err=True)
            raise typer.Exit(REFUSED)
        svg.write_text(picture, encoding="utf-8")
    moves = {played.seats[seat]: [str(move) for move in found.moves(seat)] for seat in found.acting}
    if as_json:
        typer.echo(json.dumps(_facts(played, found) | {"moves": moves}))
        return
    typer.echo(_printable(found.sketch(colour=sys.stdout.isatty())), nl=False)
    for seat, choices in moves.items():
        typer.echo(_printable(f"{seat}: {', '.join(choices)}"))


def _printable(text: str) -> str:
    """With question marks for what the terminal cannot show."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "replace").decode(encoding)


def _of_file(source: Path | None, kind: str) -> Game | None:
    if source is None:
        return None
    try:
        game = open_source(kind, source.read_text(encoding="utf-8"))
    except (GameError, UnicodeDecodeError) as error:
        typer.echo(f"{source}: {error}", err=True)
        raise typer.Exit(REFUSED) from None
    if doubt := measured(game).doubt(game):  # people can play it to the end, so that their books are replayed
        typer.echo(f"{source}: warning: {doubt}", err=True)
    return game


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


def _rows(file: str, done: PlayedBook, every_line: bool) -> Iterable[dict[str, Any]]:
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
    """What there is to know about a position."""
    return {
        "game": game.reference,
        "position": position.text(),
        "scores": list(position.scores()),
        "over": position.to_act == OVER,
        "acting": [game.seats[seat] for seat in position.acting],
        "winners": [game.seats[winner] for winner in position.winners()],
    }


def _print(table: Table) -> None:
    """Fits the terminal; in a pipe nothing is cut off."""
    Printer(width=None if sys.stdout.isatty() else WIDE).print(table)


def _table(rows: list[dict[str, Any]]) -> Table:
    by_line = "line" in rows[0]
    table = Table(box=None, header_style="bold")
    for name in ("book", *(("line", "") if by_line else ()), "position", "moves", "rounds", "scores", "next"):
        table.add_column(name, justify="right" if name in ("line", "moves", "rounds") else "left", no_wrap=True)
    for row in rows:
        place = (str(row["line"]), row["text"]) if by_line else ()
        winners, acting = " ".join(row["winners"]) or "nobody", " ".join(row["acting"]) or "chance"
        outcome = f"won by {winners}" if row["over"] else acting
        scores = "-".join(map(str, row["scores"]))
        table.add_row(row["file"], *place, row["position"], str(row["moves"]), str(row["rounds"]), scores, outcome)
    return table
