"""Commands about players: `simulate` games among them, ask one to `decide`, show and check `prolog` rule bases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.table import Table

import npc
from games.book import record, standard_headers, write_book
from games.jostle import JOSTLE, JostlePosition, Phase
from games.protocol import OVER, GameError
from games.registry import game as game_named
from npc.prolog import RuleBase, ScriptError, Session, rule_base
from npc.prolog.host import current_host
from npc.simulation import MEASURES, Report, Setup, report, simulate
from npc.simulation.boards import comparisons
from npc.simulation.document import document
from npc.simulation.play import GameRecord
from npc.simulation.table import COMBINATIONS, findings
from server.prolog import EngineFileError, start_engine

app = typer.Typer()

SIX = 6
BOARD_SHARE = 5
"""There are many boards, so each gets this part of the games that a combination gets."""
SHOWN = ("wins", "score", "turns", "displaced", "distance", "special")
Seats = Annotated[str, typer.Option(help="Three strategies, separated by commas; a path ending in .pl is a rule base.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


@app.command("simulate")
def simulate_command(
    seats: Seats = "ADVANCER,PALS,RANDOMIZER",
    game: Annotated[str, typer.Option(help="jostle, or jostle:LAYOUT.")] = "jostle",
    games: Annotated[int, typer.Option(min=1, help="How many games are played.")] = 1000,
    seed: Annotated[str, typer.Option(help="The same seed gives the same numbers.")] = "0",
    workers: Annotated[
        int, typer.Option(min=0, help="Processes; 0 takes all cores. It never changes the numbers.")
    ] = 0,
    rotate: Annotated[bool, typer.Option(help="Let the strategies change seats from game to game.")] = False,
    as_json: AsJson = False,
    books: Annotated[Path | None, typer.Option(help="Write the book of every game into this folder.")] = None,
    combinations: Annotated[bool, typer.Option(help="Measure the table of combinations instead.")] = False,
    write: Annotated[
        Path | None, typer.Option(help="With --combinations: write the page about strategies here.")
    ] = None,
) -> None:
    """Let strategies play against each other; means with 95 % intervals for every seat."""
    if combinations:
        _combinations(games, seed, workers or None, write)
        return
    texts = tuple(_player_text(name) for name in _split(seats))
    setup = Setup(texts, games, seed, game, rotate)
    try:
        setup.check()
        played = simulate(setup, workers or None, prepare=start_engine if any(map(_is_script, texts)) else None)
        if books:
            played = _written(played, books, setup)
        found = report([npc.player(text).name for text in texts], played)
    except (GameError, npc.StrategyError, EngineFileError) as error:
        _refuse(error)
    if as_json:
        typer.echo(json.dumps({"game": game, "seed": seed} | found.as_json()))
    else:
        _print_report(found)


@app.command()
def decide(
    strategy: Annotated[str, typer.Option(help="A strategy's name, or the path of a rule base ending in .pl.")],
    position: Annotated[str | None, typer.Option(help='A position like "4,-1,-1/1,-1,-1/3,-1,-1 r".')] = None,
    points: Annotated[
        int | None, typer.Option(help="The points to move with, 1 to 12; 6 also asks about a second roll.")
    ] = None,
    positions: Annotated[
        Path | None, typer.Option(help="A file with a position, a space and the points per line.")
    ] = None,
    seed: Annotated[str, typer.Option(help="The seed that the strategy draws from.")] = "0",
    ply: Annotated[int, typer.Option(min=0, help="How many moves were played before, chance included.")] = 0,
    game: Annotated[str, typer.Option(help="jostle, or jostle:LAYOUT.")] = "jostle",
    as_json: AsJson = False,
) -> None:
    """Ask a strategy for its decision, as at the start of a match: it remembers nothing."""
    try:
        text = _player_text(strategy)
        player = npc.player(text)
        if _is_script(text):
            start_engine()
        if positions is not None:
            for number, line in enumerate(positions.read_text().splitlines(), start=1):
                if line.strip():
                    typer.echo(json.dumps(_decided(player, _line_position(game, line, number), seed, ply)))
            return
        if position is None:
            _refuse("say which --position, or give a file of --positions")
        answer = _decided(player, _position(game, position, points), seed, ply)
    except (GameError, npc.StrategyError, EngineFileError, OSError, UnicodeDecodeError) as error:
        _refuse(error)
    if as_json:
        typer.echo(json.dumps(answer))
        return
    if answer["roll_again"] is not None:
        typer.echo(f"roll again: {'yes' if answer['roll_again'] else 'no'}")
    typer.echo(f"piece: {'none can move' if answer['piece'] is None else answer['piece']}")
    typer.echo(answer["explanation"])
    if answer["fault"]:
        typer.echo(f"fault: {answer['fault']}")


@app.command()
def prolog(
    strategy: Annotated[str | None, typer.Option(help="Write this composed strategy as a rule base.")] = None,
    check: Annotated[Path | None, typer.Option(help="Load this script and let it decide in a few positions.")] = None,
    prelude: Annotated[bool, typer.Option(help="Print the helpers that are loaded before every script.")] = False,
) -> None:
    """Write a strategy as a Prolog rule base, or check a rule base of your own."""
    if strategy is not None:
        try:
            typer.echo(rule_base(npc.strategy(strategy)), nl=False)
        except npc.StrategyError as error:
            _refuse(error)
    elif check is not None:
        _check(check)
    elif prelude:
        from npc.prolog.prelude import PRELUDE

        typer.echo(PRELUDE, nl=False)
    else:
        _refuse("say --strategy NAME, --check FILE or --prelude")


def _combinations(games: int, seed: str, workers: int | None, write: Path | None) -> None:
    found = findings(games, seed, COMBINATIONS, workers)
    text = document(found, games, seed, comparisons(-(-games // BOARD_SHARE), seed, workers))
    if write:
        write.write_text(text)
    else:
        typer.echo(text, nl=False)


def _decided(player: npc.Player, position: JostlePosition, seed: str, ply: int) -> dict[str, Any]:
    decision = player.decide(position, player.start_memory(), seed, ply)
    answer = decision.as_json()
    if decision.piece is None and decision.roll_again is not None and isinstance(player, RuleBase):
        # A rule base answers one question at a time; which piece it would move with six is another one.
        answer["piece"] = player.decide(_keeping_six(position), player.start_memory(), f"{seed} six", ply).piece
    return {"position": position.text()} | answer


def _keeping_six(position: JostlePosition) -> JostlePosition:
    return JOSTLE.position(position.text().removesuffix("?")) if position.phase is Phase.DECIDE else position


def _line_position(game: str, line: str, number: int) -> JostlePosition:
    text, _, points = line.strip().rpartition(" ")
    try:
        if not points.isdecimal():
            raise GameError(f"a line is a position, a space and the points, not {line.strip()[:80]!r}")
        return _position(game, text, int(points))
    except GameError as error:
        raise GameError(f"line {number}: {error}") from None


def _position(game: str, text: str, points: int | None) -> JostlePosition:
    """The position with points to move with; six points put the question about the second roll."""
    rules = game_named(game)
    if points is not None and points not in range(1, 2 * SIX + 1):
        raise GameError(f"points are 1 to {2 * SIX}, not {points}")
    given = "" if points is None else " 6?" if points == SIX else f" {points}"
    if points is not None:
        before = rules.position(text)
        if not isinstance(before, JostlePosition) or before.phase is not Phase.ROLL:
            over = before.to_act == OVER
            raise GameError(f"{'the game is over' if over else 'the position has points already'}: {text!r}")
    position = rules.position(text + given)
    if not isinstance(position, JostlePosition):
        raise GameError(f"strategies play jostle, not {game}")
    if position.phase not in (Phase.MOVE, Phase.DECIDE):
        raise GameError(f"nobody decides in {text!r}; say the --points to move with")
    return position


def _split(seats: str) -> list[str]:
    return [name.strip() for name in seats.split(",")]


def _is_script(text: str) -> bool:
    return isinstance(npc.player(text), RuleBase)


def _player_text(name: str) -> str:
    """The name itself, checked, or the script that lies under the path."""
    if name.endswith(".pl"):
        return _script(Path(name))
    try:
        return npc.strategy(name).name
    except npc.StrategyError as error:
        _refuse(error)


def _script(path: Path) -> str:
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        _refuse(error)


def _written(games: Iterator[GameRecord], folder: Path, setup: Setup) -> Iterator[GameRecord]:
    folder.mkdir(parents=True, exist_ok=True)
    rules = game_named(setup.game)
    names = [npc.player(text).name for text in setup.seats]
    width = len(str(setup.games))
    time = f"simulated with seed {setup.seed}"  # nothing of the clock, so that the books can be made again
    for game in games:
        position = rules.start()
        for move in game.moves:
            position = position.play(move)
        shift = game.number % len(names) if setup.rotate else 0
        seated = "; ".join([*names[-shift:], *names[:-shift]] if shift else names)
        book = record(rules, game.moves, standard_headers(rules, position, seated, time))
        (folder / f"game-{game.number:0{width}}.txt").write_text(write_book(book))
        yield game


def _print_report(found: Report) -> None:
    table = Table(title=f"{found.games} games, {found.rounds} rounds each; means with 95 % intervals")
    table.add_column("")
    for number, name in enumerate(found.seats):
        table.add_column(f"{JOSTLE.seats[number]}: {name}")
    for measure in [*SHOWN, *(name for name in MEASURES if name not in SHOWN)]:
        cells = [str(seat[measure]) if measure in seat else "–" for seat in found.estimates]
        table.add_row(f"{measure}", *cells)
    Console().print(table)


def _check(path: Path) -> None:
    """Loads a script and lets it play a few seeded games; tells what it lost."""
    script = _script(path)
    try:
        start_engine()
        Session(current_host(), script, JOSTLE.layout).close()
    except (ScriptError, EngineFileError) as error:
        _refuse(error)
    setup = Setup((script, "RANDOMIZER", "ADVANCER"), 3, "check", rotate=True)
    seats = [game.seats[0] for game in simulate(setup, workers=1)]
    faults, turns = sum(seat.faults for seat in seats), sum(seat.turns for seat in seats)
    typer.echo(f"{npc.player(script).name}: {turns} turns in {setup.games} games, {faults} decisions lost")
    if faults:
        raise typer.Exit(1)


def _refuse(reason: object) -> NoReturn:
    typer.echo(str(reason), err=True)
    raise typer.Exit(2)
