"""`grintu study simulate`: the whole loop of judging, evolving and stripping with simulated probands, no server."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from games.protocol import GameError
from lab.cluster import executor
from lab.probands.factor import HumanFactor
from lab.refinement.pool import pool_of, text
from lab.refinement.settings import PRESETS
from lab.simulation.proof import found, outcomes
from lab.simulation.recorded import RecordSettings
from lab.simulation.study import Generation, Outcome, SimulationSettings, Study, run
from server.cli.rules import Game, in_library, in_study
from server.rounds.simulated_probands import usual_factor

app = typer.Typer(no_args_is_help=True)
study = typer.Typer(no_args_is_help=True, help="Simulate a study.")
app.add_typer(study, name="study")

BAD_INPUT = 2
PHASES = {"rate": "1 rate", "evolve": "2 evolve", "strip": "3 strip"}


@app.callback()
def main() -> None:
    """Keeps `study` a group of its own even while it is the only one."""


@study.callback()
def commands() -> None:
    """Studies with simulated probands."""


@study.command()
def simulate(
    planted: Annotated[
        str, typer.Option(help="The hidden human factor: elements in their order; two that are usual if none is named.")
    ] = "",
    game: Game = "",
    persons: Annotated[int, typer.Option(min=2, help="Simulated probands.")] = 100,
    judgements: Annotated[int, typer.Option(min=2, help="Judgements per person and generation.")] = 30,
    seed: Annotated[int, typer.Option(min=0, help="Of the first study.")] = 1,
    seeds: Annotated[int, typer.Option(min=1, help="How many studies, with consecutive seeds.")] = 1,
    settings: Annotated[str, typer.Option(help=f"Settings of the round: {', '.join(PRESETS)}.")] = "recommended",
    selection: Annotated[str, typer.Option(help="rating, or random: the baseline without fitness.")] = "rating",
    missing: Annotated[float, typer.Option(min=0, help="Artificialness per missing planted element.")] = 1.0,
    superfluous: Annotated[float, typer.Option(min=0, help="Artificialness per superfluous element.")] = 0.3,
    misorder: Annotated[float, typer.Option(min=0, help="Artificialness of the planted elements in reverse.")] = 0.4,
    generations: Annotated[int, typer.Option(min=1, help="Populations before phase two gives up.")] = 20,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes for several studies; default: all cores.")
    ] = None,
    cluster: Annotated[str | None, typer.Option(help="Address of a Dask scheduler instead of processes.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON per study.")] = False,
    into_database: Annotated[
        bool, typer.Option("--into-database", help="Write the study into the configured database.")
    ] = False,
    books: Annotated[int, typer.Option(min=0, help="With --into-database: matches that are played to the end.")] = 500,
    most: Annotated[
        int | None, typer.Option(min=1, help="With --into-database: stop after so many judgements.")
    ] = None,
) -> None:
    """Run the whole loop (rate, evolve, strip) with simulated probands and look whether it finds the planted factor.

    With --into-database the study is written there instead: persons, matches, answers, judgements and the round.

    Found means: the first of P_final consists of exactly the planted elements, plus one basic strategy if none of them
    is basic.
    """
    if settings not in PRESETS:
        _refuse(f"--settings must be one of {', '.join(PRESETS)}, got {settings}")
    if selection not in {"rating", "random"}:
        _refuse(f"--selection must be rating or random, got {selection}")
    try:
        rules = in_study(game) if into_database else in_library(game)
        pool = pool_of(rules)
        factor = HumanFactor(pool.named(planted or usual_factor(pool)), pool, missing, misorder, superfluous)
    except GameError as error:
        _refuse(f"--game: {error}")
    except ValueError as error:
        _refuse(f"--planted: {error}")
    refinement = replace(PRESETS[settings], fitness=selection, max_generations=generations)
    chosen = SimulationSettings(factor, rules.reference, persons, judgements, refinement=refinement)
    if into_database:
        from server.cli.filling import fill_database  # the database is needed by this option alone

        records = RecordSettings(books=books > 0, most_books=books, most_judgements=most)
        fill_database(chosen, seed, records, _progress(), as_json=as_json, workers=workers, cluster=cluster)
    elif seeds == 1 and not cluster:
        _one(chosen, seed, as_json)
    else:
        _many(chosen, range(seed, seed + seeds), as_json, workers, cluster)


def _one(settings: SimulationSettings, seed: int, as_json: bool) -> None:
    running = Study(settings, seed)
    held: list[Generation] = []
    if not as_json:
        typer.echo(f"Planted: {text(settings.factor.planted)}. {settings.persons} persons, seed {seed}.")
        typer.echo(
            f"{'':>3}  {'phase':<9} {'size':>4}  {'believability':>13}  {'experts':>7}  {'believable':>10}  best"
        )
    with _progress() as progress:
        task = progress.add_task("judging", total=settings.refinement.max_generations + 1)
        for generation in run(running):
            held.append(generation)
            progress.advance(task)
            if not as_json:
                typer.echo(_row(generation))
    outcome = running.outcome(tuple(held))
    if as_json:
        typer.echo(json.dumps(_record(outcome), ensure_ascii=False))
        return
    typer.echo("P_final: " + ("; ".join(map(text, outcome.final)) or "empty"))
    typer.echo(f"Ended: {outcome.ended}.")
    typer.echo("The planted set was found." if outcome.found else "The planted set was not found.")


def _many(
    settings: SimulationSettings, seeds: Sequence[int], as_json: bool, workers: int | None, cluster: str | None
) -> None:
    try:
        with executor(cluster, workers) as pool, _progress() as progress:
            task = progress.add_task("studies", total=len(seeds))
            results = outcomes(settings, seeds, pool, lambda ready: progress.advance(task, ready))
    except RuntimeError as error:
        _refuse(str(error))
    for outcome in results:
        if as_json:
            typer.echo(json.dumps(_record(outcome), ensure_ascii=False))
        else:
            answer = text(outcome.answer) if outcome.answer else "-"
            told = "found" if outcome.found else "not found"
            typer.echo(f"seed {outcome.seed:>4}  {len(outcome.generations):>3} generations  {told:<9}  {answer}")
    if not as_json:
        typer.echo(f"Found: {found(results)}, 95 % interval in brackets.")


def _row(generation: Generation) -> str:
    phase = PHASES[generation.phase] + (" …" if generation.waits else "")
    return (
        f"{generation.number:>3}  {phase:<9} {generation.size:>4}  {generation.believability:>13.2f}  "
        f"{generation.experts:>7}  {generation.believable:>10}  {generation.best}"
    )


def _record(outcome: Outcome) -> dict[str, Any]:
    return {
        "seed": outcome.seed,
        "found": outcome.found,
        "in_order": outcome.in_order,
        "answer": text(outcome.answer) if outcome.answer else None,
        "final": [text(elements) for elements in outcome.final],
        "ended": outcome.ended,
        "generations": [asdict(generation) for generation in outcome.generations],
    }


def _progress() -> Progress:
    """A bar on the terminal's error stream; silent where that is no terminal."""
    console = Console(stderr=True)
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
        redirect_stdout=sys.stdout.isatty(),
    )


def _refuse(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(BAD_INPUT)
