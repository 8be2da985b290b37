"""Commands about players: `simulate` games among them, ask one to `decide`, show and check `prolog` rule bases."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.table import Table

from games import protocol
from games.book import record, standard_headers, write_book
from games.protocol import GameError, Position
from npc.composed import school_of
from npc.composed import strategy as read_strategy
from npc.composed.composition import KEY as COMPOSED
from npc.follower import Follower
from npc.player import Player, PlayerError
from npc.players import KINDS, player
from npc.prolog import ScriptError, Session, vocabulary_of
from npc.prolog.host import current_host
from npc.prolog.rulebase import KEY as PROLOG
from npc.simulation import GameRecord, Report, Setup, measured, report, simulate
from server.cli.printing import Printer
from server.cli.rules import Game, in_library
from server.prolog import EngineFileError, start_engine

app = typer.Typer()

CHECKED_GAMES = 3
Seats = Annotated[
    str,
    typer.Option(
        help="A player for every seat, separated by commas: a list of elements, kind:body, or a path ending in .pl "
        "for a rule base. Without any, the first strategies with which the game begins."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


@app.command("simulate")
def simulate_command(
    seats: Seats = "",
    game: Game = "",
    games: Annotated[int, typer.Option(min=1, help="How many games are played.")] = 1000,
    seed: Annotated[str, typer.Option(help="The same seed gives the same numbers.")] = "0",
    workers: Annotated[
        int, typer.Option(min=0, help="Processes; 0 takes all cores. It never changes the numbers.")
    ] = 0,
    rotate: Annotated[bool, typer.Option(help="Let the strategies change seats from game to game.")] = False,
    as_json: AsJson = False,
    books: Annotated[Path | None, typer.Option(help="Write the book of every game into this folder.")] = None,
    combinations: Annotated[bool, typer.Option(help="Measure the game's documented strategies instead.")] = False,
    write: Annotated[
        Path | None, typer.Option(help="With --combinations: write the page about strategies here.")
    ] = None,
) -> None:
    """Let strategies play against each other; means with 95 % intervals for every seat."""
    rules = _rules(game)
    gauges = measured(rules)
    if combinations:
        if gauges.page is None:
            _refuse(f"nobody has documented strategies of {rules.reference}")
        _tell(gauges.page(games, seed, workers or None), write)
        return
    try:
        texts = tuple(_player_text(name, rules) for name in _split(seats)) if seats else _usual(rules)
        setup = Setup(rules.reference, texts, games, seed, rotate)
        setup.check()
        players = [player(text, rules.reference) for text in texts]
        played = simulate(setup, workers or None, prepare=start_engine if _needs_engine(texts) else None)
        if books:
            played = _written(played, books, rules, players, setup)
        found = report([each.name for each in players], played, gauges.measures)
    except (GameError, PlayerError, EngineFileError) as error:
        _refuse(error)
    if as_json:
        typer.echo(json.dumps({"game": rules.reference, "seed": seed} | found.as_json()))
    else:
        _print_report(found, rules, list(gauges.measures))


@app.command()
def decide(
    strategy: Annotated[
        str, typer.Option(help="A list of elements, kind:body, or the path of a rule base ending in .pl.")
    ],
    position: Annotated[str | None, typer.Option(help="A position of the game, as `grintu show` tells it.")] = None,
    after: Annotated[
        list[str] | None, typer.Option(help="A move that is played first, such as what a die shows; repeatable.")
    ] = None,
    positions: Annotated[Path | None, typer.Option(help="A file with one position per line.")] = None,
    seat: Annotated[str | None, typer.Option(help="Who is asked, where several choose at once.")] = None,
    seed: Annotated[str, typer.Option(help="The seed that the strategy draws from.")] = "0",
    ply: Annotated[int, typer.Option(min=0, help="How many moves were played before, chance included.")] = 0,
    game: Game = "",
    as_json: AsJson = False,
) -> None:
    """Ask a strategy for its decision, as at the start of a match: it remembers nothing."""
    rules = _rules(game)
    try:
        text = _player_text(strategy, rules)
        asked = player(text, rules.reference)
        if _needs_engine([text]):
            start_engine()
        if positions is not None:
            for number, line in enumerate(positions.read_text().splitlines(), start=1):
                if line.strip():
                    typer.echo(json.dumps(_line_decided(asked, rules, line.strip(), number, seat, seed, ply)))
            return
        if position is None:
            _refuse("say which --position, or give a file of --positions")
        answer = _decided(asked, rules, _position(rules, position, after or ()), seat, seed, ply)
    except (GameError, PlayerError, EngineFileError, OSError, UnicodeDecodeError) as error:
        _refuse(error)
    if as_json:
        typer.echo(json.dumps(answer))
        return
    typer.echo(f"move: {answer['move']}")
    typer.echo(answer["explanation"])
    if answer["fault"]:
        typer.echo(f"fault: {answer['fault']}")


@app.command()
def prolog(
    strategy: Annotated[str | None, typer.Option(help="Write this composed strategy as a rule base.")] = None,
    check: Annotated[Path | None, typer.Option(help="Load this script and let it decide in a few positions.")] = None,
    prelude: Annotated[bool, typer.Option(help="Print the helpers that are loaded before every script.")] = False,
    game: Game = "",
) -> None:
    """Write a strategy as a Prolog rule base, or check a rule base of your own."""
    rules = _rules(game)
    if strategy is not None:
        try:
            script = vocabulary_of(rules).script_of(read_strategy(strategy, rules))
        except PlayerError as error:
            _refuse(error)
        if script is None:
            _refuse(f"nobody has taught how to write strategies of {rules.reference} as rule bases")
        typer.echo(script, nl=False)
    elif check is not None:
        _check(check, rules)
    elif prelude:
        typer.echo(vocabulary_of(rules).prelude, nl=False)
    else:
        _refuse("say --strategy NAME, --check FILE or --prelude")


def _rules(game: str) -> protocol.Game:
    try:
        return in_library(game)
    except GameError as error:
        _refuse(error)


def _tell(text: str, write: Path | None) -> None:
    if write:
        write.write_text(text)
    else:
        typer.echo(text, nl=False)


def _line_decided(
    asked: Player, game: protocol.Game, line: str, number: int, seat: str | None, seed: str, ply: int
) -> dict[str, Any]:
    try:
        return _decided(asked, game, _position(game, line, ()), seat, seed, ply)
    except GameError as error:
        raise GameError(f"line {number}: {error}") from None


def _decided(
    asked: Player, game: protocol.Game, position: Position, seat: str | None, seed: str, ply: int
) -> dict[str, Any]:
    acting = [game.seats[number] for number in position.acting]
    if not acting:
        over = position.to_act == protocol.OVER
        reason = "the game is over" if over else "chance has to move before; play it with --after"
        raise GameError(f"nobody decides in {position.text()!r}: {reason}")
    if (seat is None and len(acting) > 1) or (seat is not None and seat not in acting):
        raise GameError(f"say with --seat who of {', '.join(acting)} is asked, not {seat or 'nobody'}")
    number = game.seats.index(seat or acting[0])
    decision = Follower(game, asked, seed, number, begins=(position, ply)).decide()
    return {"position": position.text(), "seat": game.seats[number]} | decision.as_json()


def _position(game: protocol.Game, text: str, after: list[str] | tuple[str, ...]) -> Position:
    position: Position = game.position(text)
    for move in after:
        position = position.play(game.move(move))
    return position


def _usual(game: protocol.Game) -> tuple[str, ...]:
    """The first strategies with which the game begins, one for each seat."""
    names = school_of(game).population(game)
    return tuple(f"{COMPOSED}:{names[seat % len(names)]}" for seat in range(len(game.seats)))


def _needs_engine(texts: Iterable[str]) -> bool:
    return any(text.startswith(f"{PROLOG}:") for text in texts)


def _player_text(name: str, game: protocol.Game) -> str:
    """The text of a player: as it is, of the script under a path, or of a list of elements. Raises PlayerError."""
    if name.endswith(".pl"):
        return f"{PROLOG}:{_script(Path(name))}"
    if name.partition(":")[0] in KINDS:
        return player(name, game.reference).text
    return read_strategy(name, game).text


def _split(seats: str) -> list[str]:
    return [name.strip() for name in seats.split(",")]


def _script(path: Path) -> str:
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        _refuse(error)


def _written(
    games: Iterator[GameRecord], folder: Path, rules: protocol.Game, players: list[Player], setup: Setup
) -> Iterator[GameRecord]:
    folder.mkdir(parents=True, exist_ok=True)
    names = [each.name for each in players]
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


def _print_report(found: Report, game: protocol.Game, measures: list[str]) -> None:
    table = Table(title=f"{found.games} games, {found.rounds} rounds each; means with 95 % intervals")
    table.add_column("")
    for number, name in enumerate(found.seats):
        table.add_column(f"{game.seats[number]}: {name}")
    for measure in measures:
        cells = [str(seat[measure]) if measure in seat else "–" for seat in found.estimates]
        table.add_row(f"{measure}", *cells)
    Printer().print(table)


def _check(path: Path, game: protocol.Game) -> None:
    """Loads a script and lets it play a few seeded games; tells what it lost."""
    script = _script(path)
    try:
        start_engine()
        Session(current_host(), script, game, vocabulary_of(game)).close()
    except (ScriptError, EngineFileError) as error:
        _refuse(error)
    text = f"{PROLOG}:{script}"
    setup = Setup(game.reference, (text, *_usual(game)[1:]), CHECKED_GAMES, "check", rotate=True)
    seats = [played.seats[0] for played in simulate(setup, workers=1)]
    faults, turns = sum(seat.faults for seat in seats), sum(seat.turns for seat in seats)
    name = player(text, game.reference).name
    typer.echo(f"{name}: {turns} turns in {setup.games} games, {faults} decisions lost")
    if faults:
        raise typer.Exit(1)


def _refuse(reason: object) -> NoReturn:
    typer.echo(str(reason), err=True)
    raise typer.Exit(2)
