"""`grintu tournament play`: any players in any game, without a server; `grintu tournament paper`: the source's
evaluation of Tourality again, beside what was published.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.progress import Progress

from games.protocol import GameError
from games.registry import game as find_game
from lab.cluster import executor
from lab.tournaments.paper import CHALLENGES, TABLES, pairings, play, standing
from lab.tournaments.record import RecordError, read_record, write_lines, write_record
from lab.tournaments.report import page, slowest, standings_page
from lab.tournaments.running import PlanError, play_all, prepared, read_tournament, to_record
from lab.tournaments.schedules import FORMS, most_challenges
from lab.tournaments.standings import standings
from npc.player import PlayerError
from server.cli.printing import Printer
from server.tournaments.playing import play_piece

app = typer.Typer(no_args_is_help=True)
tournament_app = typer.Typer(no_args_is_help=True, help="Tournaments of programs.")
app.add_typer(tournament_app, name="tournament")

Workers = Annotated[int, typer.Option(min=0, help="Processes; 0 takes all cores.")]
Write = Annotated[Path | None, typer.Option(dir_okay=False, help="Write the tables here, as Markdown.")]
BAD_INPUT = 2
RECORD = "tournament.jsonl"


@tournament_app.callback()
def group() -> None:
    """Tournaments of programs."""


@tournament_app.command()
def paper(
    challenges: Annotated[int, typer.Option(min=1, help="Of each player in a table.")] = CHALLENGES,
    seed: Annotated[str, typer.Option(help="The same seed gives the same worlds and results.")] = "paper",
    file: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="A record of every challenge: the next call goes on where this one ended."),
    ] = None,
    workers: Workers = 0,
    write: Write = None,
    only: Annotated[list[str] | None, typer.Option(help="Only the table of this title; may be repeated.")] = None,
) -> None:
    """Play all tables of the source's evaluation of Tourality, on all cores or on the cluster that is configured."""
    tables = [table for table in TABLES if not only or table.title in only]
    if only and len(tables) < len(set(only)):
        _refuse(f"--only: the tables are {', '.join(repr(table.title) for table in TABLES)}, not {only}")
    with tempfile.TemporaryDirectory() as folder:
        record = file or Path(folder) / RECORD
        try:
            results = read_record(record)
        except (RecordError, OSError) as error:
            _refuse(f"--file: {error}")
        wanted = pairings(tuple(tables), challenges, seed)
        missing = [each for each in wanted if each not in results]
        if missing:
            with Progress(console=Console(stderr=True)) as progress, executor(workers=workers or None) as pool:
                task = progress.add_task("challenges", total=len(wanted), completed=len(wanted) - len(missing))
                for pairing, outcome in write_record(record, play(pool, missing)):
                    results[pairing] = outcome
                    progress.advance(task)
    asked = {each: results[each] for each in wanted}
    text = f"{page(standing(table, asked, challenges, seed) for table in tables)}\n{slowest(asked)}\n"
    _tell(text, write)


@tournament_app.command("play")
def play_tournament(
    game: Annotated[str, typer.Argument(help="The reference of a game of the library, e.g. tic-tac-toe:standard.")],
    entrants: Annotated[list[str], typer.Argument(help="Players, written kind:body.")],
    form: Annotated[str, typer.Option(help=f"One of {', '.join(FORMS)}.")] = "round-robin",
    rounds: Annotated[int, typer.Option(min=1, help="Rounds at most.")] = 10,
    precision: Annotated[
        float, typer.Option(min=0, help="End early when all ratings are known to so many points; 0: never.")
    ] = 0,
    seed: Annotated[str, typer.Option(help="The same seed gives the same dice and results.")] = "tournament",
    file: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="A record of every challenge: the next call goes on where this one ended."),
    ] = None,
    workers: Workers = 0,
    write: Write = None,
) -> None:
    """Let players meet: everybody sits everywhere, with the same dice. On all cores, or on the cluster configured."""
    try:
        tournament = prepared(find_game(game), entrants, form, rounds, seed, precision)
    except (GameError, PlayerError, PlanError) as error:
        _refuse(str(error))
    with tempfile.TemporaryDirectory() as folder:
        record = file or Path(folder) / RECORD
        try:
            tournament.played |= read_tournament(record, tournament.arena)
        except (RecordError, OSError) as error:
            _refuse(f"--file: {error}")
        with Progress(console=Console(stderr=True)) as progress, executor(workers=workers or None) as pool:
            task = progress.add_task("challenges", total=most_challenges(tournament.plan))
            for challenges in tournament.rounds():
                missing = [each for each in challenges if each not in tournament.played]
                progress.advance(task, len(challenges) - len(missing))
                for one in write_lines(record, play_all(pool, tournament.arena, missing, work=play_piece), to_record):
                    tournament.played[one.challenge] = one
                    progress.advance(task)
    _tell(standings_page(standings(tournament.plan, tournament.past), entrants), write)


def _tell(text: str, write: Path | None) -> None:
    if write:
        write.write_text(text, encoding="utf-8")
    else:
        Printer().print(Markdown(text))


def _refuse(reason: str) -> NoReturn:
    typer.echo(reason, err=True)
    raise typer.Exit(BAD_INPUT)
