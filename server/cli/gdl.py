"""`grintu gdl`: descriptions of games are checked, explained, played, and held to the traces of other reasoners."""

import random
from pathlib import Path
from typing import Annotated, Final

import typer

from games.gdl.checks import chance_variables
from games.gdl.compiled import compiled
from games.gdl.findings import DescriptionError, Finding, Level
from games.gdl.game import GdlGame
from games.gdl.game import opened as open_description
from games.gdl.grounding import GroundingError
from games.gdl.later_style import rewritten
from games.gdl.playouts import GAMES, played
from games.gdl.reasoner import ROLE
from games.gdl.terms import rule_text
from games.gdl.traces import read_trace, replayed
from games.protocol import CHANCE, OVER, GameError
from server.cli import controller
from server.cli.descriptions import REFUSED, opened_file, read_source, refuse, refusing

app = typer.Typer()
gdl_app = typer.Typer(no_args_is_help=True, help="Descriptions of games in the Game Description Language.")
app.add_typer(gdl_app, name="gdl")
gdl_app.command("serve")(controller.serve)
gdl_app.command("match")(controller.match)

DIFFERENT: Final = 1
LONGEST_MATCH: Final = 2_000

File = Annotated[Path, typer.Argument(help="A description (KIF).", dir_okay=False, exists=True, metavar="FILE")]
Games = Annotated[int, typer.Option(min=0, help="How many random games are played to find more; 0 plays none.")]
Seed = Annotated[str, typer.Option(help="The same seed gives the same games.")]


@gdl_app.command("check")
def check(
    files: Annotated[
        list[Path], typer.Argument(help="Descriptions (KIF).", dir_okay=False, exists=True, metavar="FILE")
    ],
    games: Games = GAMES,
) -> None:
    """Tell what is wrong with descriptions: place, rule, hint. Status 2 if one of them cannot be played."""
    refused = False
    for file in files:
        try:
            findings = _findings(file, games)
        except GameError as error:
            typer.echo(f"{file}: {error}", err=True)
            refused = True
            continue
        for finding in findings:
            typer.echo(f"{file}: {finding}")
        errors = sum(finding.level is Level.ERROR for finding in findings)
        refused = refused or errors > 0
        typer.echo(f"{file}: {errors} errors, {len(findings) - errors} warnings")
    if refused:
        raise typer.Exit(REFUSED)


@gdl_app.command("explain")
def explain(
    file: File,
    games: Games = GAMES,
    gdl_ii: Annotated[
        Path | None, typer.Option(help="Write a description with weights of chance as GDL-II into this file.")
    ] = None,
) -> None:
    """Roles, rules, size when grounded; what random games show: their length, how many moves there are, who can win."""
    with refusing(file):
        game = opened_file(file)
        rules = game.sheet.rules
        typer.echo(f"reference: {game.reference}")
        typer.echo(f"roles: {' '.join(game.table.reasoner.roles)}")
        typer.echo(f"rules: {len(rules)}, about {len({rule.signature for rule in rules})} relations")
        typer.echo(f"facts at first: {len(game.table.reasoner.initial())}")
        typer.echo(f"grounded: {_size(game)}")
        typer.echo(f"board: {game.board}")
        typer.echo(f"secrets: {_secrets(game)}")
        _tell_chance(game, gdl_ii)
        if games:
            found = played(game, games)
            for line in found.told():
                typer.echo(line)
            for seat, times in zip(game.seats, found.won, strict=True):
                typer.echo(f"{seat} can win: {f'found in {times} games' if times else 'not found'}")


@gdl_app.command("play")
def play(
    file: File,
    seat: Annotated[str, typer.Option(help="The role that you play; all others, and chance, are drawn.")] = "",
    seed: Seed = "0",
) -> None:
    """Play a game in the terminal, or watch a random one."""
    game = opened_file(file)
    if seat and seat.lower() not in game.seats:
        refuse(f"there is no {seat}; the roles are {' '.join(game.seats)}")
    with refusing(file):
        _play(game, game.seats.index(seat.lower()) if seat else None, random.Random(seed))


@gdl_app.command("trace")
def trace(
    file: File,
    games: Annotated[Path, typer.Argument(help="A trace, JSON lines, packed or not.", dir_okay=False, exists=True)],
) -> None:
    """Play the games of a trace again. Status 1 and the first difference in words if the rules say something else."""
    with refusing(file):
        found = replayed(read_source(file), read_trace(games.read_bytes()))
    typer.echo(f"{file}: {found}")
    if not found.agrees:
        raise typer.Exit(DIFFERENT)


def _findings(file: Path, games: int) -> list[Finding]:
    try:
        game = open_description(read_source(file))
        found = list(game.sheet.findings)
        return found + list(played(game, games).findings(game)) if games else found
    except DescriptionError as error:
        return list(error.findings)


def _play(game: GdlGame, own: int | None, rng: random.Random) -> None:
    """One game in the terminal; whoever is not asked is drawn."""
    position = game.start()
    for _ in range(LONGEST_MATCH):
        if position.to_act == OVER:
            break
        acts = position.to_act
        if own is not None and acts == own:
            typer.echo(position.view(own).sketch(), nl=False)
            move = _asked([str(each) for each in position.moves()])
            position = position.play(game.move(move))
            continue
        drawn = position.drawn(rng.randrange(position.ways)) if acts == CHANCE else rng.choice(position.moves())
        shown = str(drawn) if own is None else position.seen(drawn, own)
        typer.echo(f"{'chance' if acts == CHANCE else game.seats[acts]}: {shown}")
        position = position.play(drawn)
    typer.echo((position if own is None else position.view(own)).sketch(), nl=False)
    points = ", ".join(f"{name} {score}" for name, score in zip(game.seats, position.scores(), strict=True))
    typer.echo(f"{'over' if position.to_act == OVER else f'left after {LONGEST_MATCH} moves'}: {points}")


def _tell_chance(game: GdlGame, out: Path | None) -> None:
    """Who draws; and how weights read in GDL-II: what is new there, and the whole where somebody wants it."""
    names = sorted(chance_variables(game.sheet.rules))
    if not names:
        typer.echo(f"chance: {'the role random' if game.table.chance_moves else 'none'}")
        return
    typer.echo(f"chance: weights of {' '.join(names)}; in GDL-II:")
    try:
        later = rewritten(game.sheet.rules, game.table.reasoner.roles)
    except GameError as error:
        typer.echo(f"    not here: {error}")
        return
    for rule in later.chance:
        if rule.body or rule.signature == ROLE:
            typer.echo(f"    {rule_text(rule)}")
    if out is not None:
        out.write_text(later.text(), encoding="utf-8")


def _size(game: GdlGame) -> str:
    try:
        size = compiled(game.source).size()
    except GroundingError as error:
        return f"no, the reasoner plays it: {error}"
    return f"{size.facts} facts, {size.moves} moves, {size.gates} gates in {size.octets / 1000:.0f} kB of WebAssembly"


def _secrets(game: GdlGame) -> str:
    if game.table.hides:
        return "each seat knows what it sees"
    return "seats choose at once" if game.secrets else "none"


def _asked(moves: list[str]) -> str:
    for number, move in enumerate(moves, start=1):
        typer.echo(f"{number:>4} {move}")
    while True:
        chosen: int = typer.prompt("your move", type=int)
        if 1 <= chosen <= len(moves):
            return moves[chosen - 1]
        typer.echo(f"a number from 1 to {len(moves)}")
