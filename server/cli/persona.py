"""`grintu persona`: personalities of search players fitted to how people play."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, NoReturn

import numpy as np
import typer
from rich.console import Console
from rich.progress import Progress

from lab.cluster import executor
from lab.personas.choices import UNIFORM, Manner, fitted, moments_of, source_fitness
from lab.personas.evaluation import MEASURES, average, mean, measured
from lab.personas.games import GamesError, HumanGame, read_games, split, write_games
from lab.personas.genes import drawn, personality
from lab.personas.genetic import Genetic, breed
from lab.personas.improving import Improving, improve
from lab.personas.reading import FORMS, read_file
from lab.personas.store import Store
from npc.mcts import Parameters
from npc.mcts.parameters import read_parameters

app = typer.Typer(no_args_is_help=True)
persona_app = typer.Typer(no_args_is_help=True, help="Personalities fitted to how people play.")
app.add_typer(persona_app, name="persona")

BAD_INPUT = 2
Games = Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="Matches, as import writes them.")]
Run = Annotated[Path, typer.Option(help="A folder for what was searched and found; a run goes on there.")]
Seed = Annotated[str, typer.Option(help="The same seed gives the same result.")]
Workers = Annotated[int, typer.Option(min=0, help="Processes; 0 takes all cores.")]
HeldOut = Annotated[float, typer.Option(min=0.05, max=0.95, help="The share of matches that is never learnt from.")]
Most = Annotated[int, typer.Option(min=0, help="Take only the first so many matches; 0 takes all.")]


@persona_app.command("import")
def import_games(
    files: Annotated[list[Path], typer.Argument(exists=True, dir_okay=False)],
    form: Annotated[str, typer.Option(help=", ".join(FORMS))],
    out: Annotated[Path, typer.Option(dir_okay=False)],
    game: Annotated[str, typer.Option(help="The rules; books name theirs.")] = "",
) -> None:
    """Bring games that people played into one form, each checked by playing it again."""
    found: list[HumanGame] = []
    for file in files:
        try:
            games, refused = read_file(form, file, game)
        except (GamesError, OSError, UnicodeDecodeError) as error:
            _refuse(str(error))
        found += games
        for reason in refused:
            typer.echo(f"left out: {reason}", err=True)
    if not found:
        _refuse("no game could be read")
    write_games(out, found)
    typer.echo(f"{len(found)} matches: {out}")


@persona_app.command()
def fit(
    games: Games,
    run: Run,
    method: Annotated[str, typer.Option(help="better, or source: the genetic algorithm.")] = "better",
    simulations: Annotated[int, typer.Option(min=1, max=100_000)] = 1000,
    population: Annotated[int, typer.Option(min=5, help="Personalities at a time.")] = 100,
    generations: Annotated[int, typer.Option(min=1)] = 20,
    held_out: HeldOut = 0.3,
    most: Most = 0,
    seed: Seed = "persona",
    workers: Workers = 0,
) -> None:
    """Find the personality under which people's moves are likeliest, from the matches that are not held out."""
    if method not in ("better", "source"):
        _refuse(f"--method: expected better or source, not {method}")
    learnt, _ = _split(games, most, held_out, seed)
    with Progress(console=Console(stderr=True)) as progress, executor(workers=workers or None) as pool:
        task = progress.add_task("generations", total=generations)
        store, moments = Store(run / "searched", learnt, pool), moments_of(learnt)
        if method == "better":
            setting = Improving(population, generations, simulations=simulations, seed=seed)
            start = [Parameters(simulations=simulations)]
            better = improve(setting, store, moments, start, lambda done: progress.update(task, completed=done))
            parameters, manner = better.parameters, better.manner
            figures: dict[str, Any] = {"log_likelihood": better.log_likelihood, "flattered": better.flattered}
            figures |= {"history": better.history}
        else:

            def fitness(rows: Any) -> Any:
                progress.advance(task)
                asked = [personality(row, simulations) for row in rows]
                return np.array([source_fitness(moments, row) for row in store.values(asked, seed)])

            rng = np.random.default_rng(list(seed.encode()))
            bred = breed(Genetic(population=population, generations=generations), fitness, rng)
            parameters, manner = personality(bred.genes, simulations), Manner()
            figures = {"fitness": bred.fitness, "ended": bred.ended, "history": bred.history}
    persona = {"method": method, "parameters": str(parameters), **manner._asdict(), **figures}
    (run / f"{method}.json").write_text(json.dumps(persona, indent=1) + "\n", encoding="utf-8")
    typer.echo(f"mcts:{parameters}\n{_spoken(manner)}")


@persona_app.command()
def evaluate(
    games: Games,
    run: Run,
    simulations: Annotated[int, typer.Option(min=1, max=100_000)] = 1000,
    others: Annotated[int, typer.Option(min=2, help="How many random personalities stand beside it.")] = 30,
    held_out: HeldOut = 0.3,
    most: Most = 0,
    seed: Seed = "persona",
    workers: Workers = 0,
) -> None:
    """Try what was fitted on the matches that were held out, beside uniform, random and default players."""
    learnt, tried = _split(games, most, held_out, seed)
    rng = np.random.default_rng([len(seed), *seed.encode()])
    random = [drawn(rng, simulations) for _ in range(others)]
    default = Parameters(simulations=simulations)
    with Progress(console=Console(stderr=True)) as progress, executor(workers=workers or None) as pool:
        task = progress.add_task("searches", total=None)
        before, after = [
            Store(run / "searched", some, pool, lambda done: progress.advance(task, done)) for some in (learnt, tried)
        ]
        known, moments = moments_of(learnt), moments_of(tried)
        manners = [fitted(known, row)[0] for row in before.values([*random, default], f"{seed} manner")]
        *values, usual = after.values([*random, default], f"{seed} held out")
        rows = {
            "uniform": measured(moments, np.zeros_like(usual), UNIFORM),
            "random, κ = 0.1": average([measured(moments, row, Manner()) for row in values]),
            "random, κ and error fitted": average(
                [measured(moments, row, manner) for row, manner in zip(values, manners[:-1], strict=True)]
            ),
            "default, κ = 0.1": measured(moments, usual, Manner()),
            "default, κ and error fitted": measured(moments, usual, manners[-1]),
        }
        for method in ("source", "better"):
            if (file := run / f"{method}.json").exists():
                parameters, manner, _ = _persona(file)
                (found,) = after.values([parameters], f"{seed} held out")
                rows[f"fitted, {method}"] = measured(moments, found, manner)
    typer.echo(f"{len(tried)} matches, {len(moments.counts)} decisions; {others} random personalities\n")
    typer.echo(f"| player | {' | '.join(MEASURES)} | log-likelihood less random, fitted |\n|{'---|' * 6}")
    beside = rows["random, κ and error fitted"].log_likelihood
    for name, row in rows.items():
        cells = [_cell(moments, each) for each in row]
        typer.echo(f"| {name} | {' | '.join(cells)} | {_cell(moments, row.log_likelihood - beside)} |")


@persona_app.command()
def show(file: Annotated[Path, typer.Argument(exists=True, dir_okay=False)]) -> None:
    """Show a fitted personality and how the fit went."""
    parameters, manner, told = _persona(file)
    typer.echo(f"mcts:{parameters}\n{_spoken(manner)}")
    for name in ("log_likelihood", "flattered", "fitness", "ended", "history"):
        if name in told:
            typer.echo(f"{name}: {told[name]}")


def _split(file: Path, most: int, held_out: float, seed: str) -> tuple[list[HumanGame], list[HumanGame]]:
    try:
        games = read_games(file)
        learnt, tried = split(games[:most] if most else games, held_out, seed)
        for some in (learnt, tried):
            if not some or not len(moments_of(some).counts):
                raise GamesError(f"{file}: too few matches of people to hold some out")
    except (GamesError, OSError, UnicodeDecodeError) as error:
        _refuse(str(error))
    return learnt, tried


def _persona(file: Path) -> tuple[Parameters, Manner, dict[str, Any]]:
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        manner = Manner(float(told["kappa"]), float(told["error"]), float(told["nice"]))
        return read_parameters(told["parameters"]), manner, told
    except (ValueError, TypeError, KeyError) as error:
        _refuse(f"{file}: expected what `grintu persona fit` writes: {error}")


def _spoken(manner: Manner) -> str:
    return f"κ = {manner.kappa:.3f}, error = {manner.error:.3f}, nice below {manner.nice:g}"


def _cell(moments: Any, row: Any) -> str:
    middle, within = mean(moments, row)
    return f"{middle:.3f} ({within.low:.3f} to {within.high:.3f})"


def _refuse(sentence: str) -> NoReturn:
    typer.echo(sentence, err=True)
    raise typer.Exit(BAD_INPUT)
