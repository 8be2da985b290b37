"""`grintu games evolve`: inventing games from the command line."""

from enum import Enum
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from games.evolved import game_of
from lab.cluster import executor
from lab.inventing import METRICS, Setting, Trial, best, differences, evolve
from lab.inventing.archive import ArchiveError

REFUSED: Final = 2
WIDE: Final = 180
"""Columns, so that no reference is cut off."""
SOURCE: Final = Setting()


class Genre(Enum):
    BOARD = "board"


class MetricsOf(Enum):
    SOURCE = "source"


def evolve_games(
    genre: Annotated[Genre, typer.Option(help="Which games.")] = Genre.BOARD,
    metrics: Annotated[MetricsOf, typer.Option(help="What makes a game good.")] = MetricsOf.SOURCE,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = SOURCE.seed,
    families: Annotated[int, typer.Option(min=1, max=1000)] = SOURCE.families,
    iterations: Annotated[int, typer.Option(min=0, max=100_000)] = SOURCE.iterations,
    games: Annotated[int, typer.Option(min=1, max=1000, help="Games played for each figure.")] = SOURCE.games,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; one per core unless it is said.")] = None,
    archive: Annotated[Path | None, typer.Option(help="Where every game is kept; a run goes on there.")] = None,
) -> None:
    """Invent games: a child replaces its parent if it is more entertaining. The best of each metric are shown."""
    setting = Setting(seed=seed, families=families, iterations=iterations, games=games)
    file = archive or Path(f"evolved-{genre.value}-{metrics.value}-{seed}.jsonl")
    try:
        with Progress(console=Console(stderr=True)) as progress, executor(workers=workers) as pool:
            task = progress.add_task(str(file), total=iterations)
            trials = evolve(setting, file, pool, lambda done: progress.update(task, completed=done))
    except (ArchiveError, OSError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(REFUSED) from None
    Console(width=WIDE).print(_table(trials))
    typer.echo(
        f"{len(trials)} games lived, {sum(trial.kept for trial in trials)} of them took a place: {file}", err=True
    )


def _table(trials: list[Trial]) -> Table:
    """The best two of each metric, and from how many of the others each differs, metric by metric."""
    found = [(metric, trial) for metric, games in best(trials).items() for trial in games]
    table = Table(box=None, header_style="bold")
    for name in ("best in", "game", "family", "iteration", *METRICS, "differences"):
        table.add_column(name, no_wrap=True)
    counts = differences([trial.figures for _, trial in found])
    for (metric, trial), count in zip(found, counts, strict=True):
        figures = [f"{figure:.3f}" for figure in trial.figures]
        reference = game_of(trial.genes).reference
        table.add_row(metric, reference, str(trial.family), str(trial.iteration), *figures, str(count))
    return table
