"""The source's evolution: families of one, each with a child per iteration that replaces its parent if it is better.

All randomness of a trial follows from the seed, the family and the iteration, so a run that was interrupted goes on
from the trials that it left behind as if nothing had been.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Final, NamedTuple

from games.evolved.chromosome import RANGES, Genes, repaired
from games.evolved.rules import rules_of
from lab.inventing.metrics import GAMES, METRICS, Figures, measured

BETTER: Final = len(METRICS)
"""The sum of a child's figures, each as a share of its parent's, that a child has to exceed."""


class Setting(NamedTuple):
    """What the source used."""

    seed: int = 1
    families: int = 10
    iterations: int = 100
    mutation: float = 0.3
    games: int = GAMES


class Trial(NamedTuple):
    """A game that lived: where it comes from, its figures, and whether it took its parent's place."""

    family: int
    iteration: int
    genes: Genes
    parent: int | None
    """The iteration of its family that brought its parent; None for the first one."""
    figures: Figures
    kept: bool


def first_trial(setting: Setting, family: int) -> Trial:
    """A random chromosome, with which a family begins."""
    rng = _rng(setting, family, 0)
    genes = repaired([rng.randint(*limits) for limits in RANGES]).genes
    return Trial(family, 0, genes, None, measured(rules_of(genes), rng, setting.games), kept=True)


def next_trial(setting: Setting, parent: Trial, iteration: int) -> Trial:
    """The child of a family's latest kept game."""
    rng = _rng(setting, parent.family, iteration)
    genes = mutated(parent.genes, setting.mutation, rng)
    figures = measured(rules_of(genes), rng, setting.games)
    return Trial(parent.family, iteration, genes, parent.iteration, figures, kept=is_better(figures, parent.figures))


def mutated(genes: Sequence[int], rate: float, rng: Random) -> Genes:
    """Each gene is drawn anew with a probability; then the chromosome is repaired."""
    drawn = [rng.randint(*limits) if rng.random() < rate else gene for gene, limits in zip(genes, RANGES, strict=True)]
    return repaired(drawn).genes


def is_better(child: Figures, parent: Figures) -> bool:
    """Whether the sum of child/parent exceeds the number of metrics. Any improvement of nothing counts as 1."""
    shares = [mine / theirs if theirs > 0 else float(mine > 0) for mine, theirs in zip(child, parent, strict=True)]
    return sum(shares) > BETTER


def best(trials: Iterable[Trial], each: int = 2) -> dict[str, list[Trial]]:
    """The best games of each metric among all that ever lived; of equal ones, those that came first."""
    lived = sorted(trials, key=lambda trial: (trial.iteration, trial.family))
    return {metric: _most(lived, place)[:each] for place, metric in enumerate(METRICS)}


def _most(trials: Sequence[Trial], place: int) -> list[Trial]:
    return sorted(trials, key=lambda trial: -trial.figures[place])


def _rng(setting: Setting, family: int, iteration: int) -> Random:
    return Random(f"{setting.seed}:{family}:{iteration}")
