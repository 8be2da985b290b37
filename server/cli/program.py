"""`grintu program`: programs that other people write, for those who write them. None of it needs a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, NoReturn

import typer

from games.protocol import GameError
from npc.player import Player, PlayerError
from npc.players import read_player, text_of
from npc.program.host import use_programs
from npc.program.kind import LANGUAGES
from npc.program.player import KEY, SESSIONS
from npc.simulation.play import play_game
from server.cli.rules import Game, in_library
from server.sandbox.host import SandboxHost, refusal
from server.sandbox.languages import missing
from server.sandbox.own import OwnHost
from server.sandbox.templates import NAMES, template

app = typer.Typer(no_args_is_help=True)
program_app = typer.Typer(no_args_is_help=True, help="Programs of your own that play.")
app.add_typer(program_app, name="program")

BAD_INPUT: Final = 2
ENDINGS: Final = {".py": "python", ".js": "javascript", ".java": "java", ".cpp": "cpp", ".cc": "cpp"}
RANDOMLY: Final = "RANDOMIZER"


@program_app.callback()
def group() -> None:
    """Programs of your own that play."""


@program_app.command("try")
def try_command(
    file: Annotated[Path, typer.Argument(help="The source: .py, .js, .java, .cpp, or a script that begins with #!.")],
    game: Game = "",
    against: Annotated[
        str, typer.Option(help="Who sits in the other seats: a list of elements, or kind:body.")
    ] = RANDOMLY,
    seat: Annotated[int, typer.Option(min=0, help="The seat of your program, counted from 0.")] = 0,
    games: Annotated[int, typer.Option(min=1, max=1000, help="How many games are played.")] = 1,
    seed: Annotated[str, typer.Option(help="The same seed gives the same chance and the same opponents.")] = "0",
    sandbox: Annotated[bool, typer.Option(help="In the sandbox, as a server would run it.")] = False,
) -> None:
    """Let a program play on this machine by the same protocol and limits as on a server."""
    try:
        rules = in_library(game)
        source = file.read_text(encoding="utf-8")
        language = ENDINGS.get(file.suffix, "script")
        own = read_player(f"{KEY}:{language}\n{source}", rules)
        others = read_player(text_of(against), rules)
    except (GameError, PlayerError, OSError, UnicodeDecodeError) as error:
        _refuse(error)
    if seat >= len(rules.seats):
        _refuse(f"{rules.reference} has the seats 0 to {len(rules.seats) - 1}, not {seat}")
    if sandbox and (reason := refusal()):
        _refuse(reason)
    if others.text.startswith(f"{KEY}:"):
        _refuse("the others are players of the platform, not programs")
    host = SandboxHost() if sandbox else OwnHost()
    use_programs(host)
    players: list[Player] = [own if number == seat else others for number in range(len(rules.seats))]
    lost = 0
    try:
        for number in range(games):
            played = play_game(rules, players, seed, number)
            sessions = SESSIONS.forget(f"{seed}:{number}:{rules.seats[seat]}")
            scores = " ".join(f"{name} {record.score}" for name, record in zip(rules.seats, played.seats, strict=True))
            typer.echo(f"game {number}: {scores}; {len(played.moves)} moves")
            for session in sessions:
                used = session.used
                typer.echo(
                    f"  slowest answer {1000 * session.slowest:.1f} ms, computed {used.seconds:.2f} s, "
                    f"memory {used.memory / 1024 / 1024:.0f} MB"
                )
                if session.lost:
                    lost += 1
                    typer.echo(f"  lost the game: {session.lost}", err=True)
                if used.errors:
                    typer.echo(used.errors.rstrip(), err=True)
    finally:
        SESSIONS.clear()
        use_programs(None)
        host.close()
    if lost:
        raise typer.Exit(1)


@program_app.command("template")
def template_command(
    language: Annotated[str, typer.Argument(help=f"One of {', '.join(NAMES)}.")],
    game: Game = "",
    write: Annotated[Path | None, typer.Option(dir_okay=False, help="Write it here.")] = None,
) -> None:
    """A program to begin with: it plays at random until you fill in one method."""
    if language not in NAMES:
        _refuse(f"there are templates in {', '.join(NAMES)}, not in {language!r}")
    try:
        source = template(language, in_library(game))
    except GameError as error:
        _refuse(error)
    if write is None:
        typer.echo(source, nl=False)
    else:
        write.write_text(source, encoding="utf-8")


@program_app.command()
def sandbox() -> None:
    """Whether this machine can run other people's programs safely, and in which languages."""
    reason = refusal()
    typer.echo(f"no sandbox: {reason}" if reason else "the sandbox works here")
    for language in LANGUAGES:
        lacking = missing(language)
        typer.echo(f"{language}: " + (f"needs {', '.join(lacking)}" if lacking else "can be used"))
    if reason:
        raise typer.Exit(1)


def _refuse(why: object) -> NoReturn:
    typer.echo(str(why), err=True)
    raise typer.Exit(BAD_INPUT)
