"""The source's way to fit a personality, as it is: a genetic algorithm on a fixed temperature.

Population 100, roulette wheel, averaging crossover with p = 0.05, creep mutation with p = 0.1 by up to 0.4 of a gene's
range, the best survives; it stops when the genes hardly differ any more or the fitness is 0.9.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lab.arrays import Floats
from lab.personas.genes import GENES


@dataclass(frozen=True)
class Genetic:
    """The source's numbers; smaller ones are for trials."""

    population: int = 100
    generations: int = 1000
    crossover: float = 0.05
    mutation: float = 0.1
    creep: float = 0.4
    stagnation: float = 0.005
    enough: float = 0.9


@dataclass(frozen=True)
class Bred:
    """The best row of genes, its fitness, and the best fitness of every generation."""

    genes: Floats
    fitness: float
    history: tuple[float, ...]
    ended: str


def breed(setting: Genetic, fitness: Callable[[Floats], Floats], rng: np.random.Generator) -> Bred:
    """`fitness` is asked for a whole generation, a row each."""
    genes = rng.random((setting.population, len(GENES)))
    history: list[float] = []
    for _ in range(setting.generations):
        fit = fitness(genes)
        best = int(np.argmax(fit))
        history.append(float(fit[best]))
        spread = float(np.max(genes.max(axis=0) - genes.min(axis=0)))
        if spread <= setting.stagnation or fit[best] >= setting.enough:
            reason = "stagnation" if spread <= setting.stagnation else "fitness"
            return Bred(genes[best], history[-1], tuple(history), reason)
        elite = genes[best].copy()
        genes = _next(setting, genes, fit, rng)
        genes[0] = elite
    fit = fitness(genes)
    best = int(np.argmax(fit))
    return Bred(genes[best], float(fit[best]), (*history, float(fit[best])), "generations")


def _next(setting: Genetic, genes: Floats, fit: Floats, rng: np.random.Generator) -> Floats:
    """The wheel gives each place in proportion to fitness; then pairs may meet in the middle, and genes may creep."""
    wheel = fit / fit.sum()
    children = genes[rng.choice(len(genes), size=len(genes), p=wheel)]
    for first in range(0, len(children) - 1, 2):
        if rng.random() < setting.crossover:
            children[first : first + 2] = children[first : first + 2].mean(axis=0)
    creeping = rng.random(children.shape) < setting.mutation
    children = children + creeping * rng.uniform(-setting.creep, setting.creep, children.shape)
    return np.clip(children, 0.0, 1.0)
