"""The operators of phase two: recombination, mutation of σ, mutation of the list, elites and selection.

Every function draws from the random source that it is given and from nothing else.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from lab.refinement.pool import Alike, Elements, Pool, as_written
from lab.refinement.settings import RefinementSettings


@dataclass(frozen=True)
class Member:
    """A strategy in a population: its list, its step size σ and where it comes from."""

    elements: Elements
    sigma: float
    parents: tuple[Elements, ...] = ()
    born: int = 0
    origin: str = "start"
    """start, elite, child or stripped."""


@dataclass(frozen=True)
class Child:
    """An offspring before selection, with the fitness its parents promise."""

    member: Member
    promise: float


SigmaRule = Callable[[float, Random, RefinementSettings], float]
"""(mean σ of the parents, random source, settings) → σ of the child."""

SIGMA_RULES: Final[Mapping[str, SigmaRule]] = {
    "additive": lambda mean, rng, _: mean + rng.random(),
    "printed": lambda mean, rng, _: mean * min(1.0, max(0.0, rng.gauss(0, 1))),
    "lognormal": lambda mean, rng, settings: max(0.05, mean * math.exp(settings.learning_rate * rng.gauss(0, 1))),
}


def child_sigma(first: float, second: float, rng: Random, settings: RefinementSettings) -> float:
    return SIGMA_RULES[settings.sigma_rule]((first + second) / 2, rng, settings)


def recombine(first: Elements, second: Elements, pool: Pool, rng: Random, refill: bool = False) -> Elements:
    """Discrete recombination: position by position the element of one parent or the other, duplicates dropped.

    As many positions as one of the parents has; a dropped duplicate leaves the child shorter, unless `refill` puts the
    elements that lost their draw into the open places. A child without a basic strategy gets one of its parents', at
    the end if there is an open place, else instead of its last element.
    """
    length = rng.choice((len(first), len(second)))
    drawn: list[str] = []
    spare: list[str] = []
    for position in range(max(len(first), len(second))):
        offered = [parent[position] for parent in (first, second) if position < len(parent)]
        rng.shuffle(offered)
        if position < length:
            drawn.append(offered.pop())
        spare.extend(offered)
    child = list(dict.fromkeys(drawn + spare if refill else drawn))[:length]
    if not pool.basics_of(child):
        child[min(len(child), length - 1) :] = [rng.choice(pool.basics_of(dict.fromkeys(first + second)))]
    return tuple(child)


def additions(sigma: float, rng: Random) -> int:
    """π = ⌈N(0, σ)⌉; only positive values change a child."""
    return max(0, math.ceil(rng.gauss(0, sigma)))


def mutate(elements: Elements, sigma: float, pool: Pool, rng: Random) -> Elements:
    """Puts π further elements of the pool at random positions, never so many that the whole pool is reached."""
    absent = [element for element in pool.elements if element not in elements]
    count = min(additions(sigma, rng), pool.longest - len(elements))
    changed = list(elements)
    for element in rng.sample(absent, max(0, count)):
        changed.insert(rng.randint(0, len(changed)), element)
    return tuple(changed)


def offspring(
    population: Sequence[Member],
    fitness: Mapping[Elements, float],
    pool: Pool,
    rng: Random,
    settings: RefinementSettings,
) -> list[Child]:
    """offspring_factor·μ children of parents drawn uniformly; a strategy may be its own partner."""
    children = []
    for _ in range(settings.offspring_factor * len(population)):
        first, second = rng.choice(population), rng.choice(population)
        sigma = child_sigma(first.sigma, second.sigma, rng, settings)
        elements = mutate(recombine(first.elements, second.elements, pool, rng, settings.refill), sigma, pool, rng)
        member = Member(elements, sigma, (first.elements, second.elements), origin="child")
        children.append(Child(member, (fitness[first.elements] + fitness[second.elements]) / 2))
    return children


def ranked(population: Iterable[Member], fitness: Mapping[Elements, float], rng: Random) -> list[Member]:
    """Best first, ties at random."""
    shuffled = list(population)
    rng.shuffle(shuffled)
    return sorted(shuffled, key=lambda member: -fitness[member.elements])


def elites(
    population: Sequence[Member], fitness: Mapping[Elements, float], rng: Random, settings: RefinementSettings
) -> list[Member]:
    return ranked(population, fitness, rng)[: math.ceil(len(population) / settings.elite_factor)]


MOST_LITTERS: Final = 20
"""How often offspring are drawn anew while they do not fill the population: a tiny pool may have no more lists."""


def next_population(
    population: Sequence[Member],
    fitness: Mapping[Elements, float],
    size: int,
    generation: int,
    pool: Pool,
    rng: Random,
    settings: RefinementSettings,
    alike: Alike = as_written,
) -> tuple[Member, ...]:
    """The elites unchanged, then the most promising children; no two members that play alike.

    A child stands in the population as the list that stands for all that play like it.
    """
    chosen: dict[Elements, Member] = {
        alike(elite.elements): Member(elite.elements, elite.sigma, elite.parents, elite.born, "elite")
        for elite in elites(population, fitness, rng, settings)
    }
    for _ in range(MOST_LITTERS):
        children = offspring(population, fitness, pool, rng, settings)
        rng.shuffle(children)
        for child in sorted(children, key=lambda child: -child.promise):
            if len(chosen) == size:
                return tuple(chosen.values())
            kid, played = child.member, alike(child.member.elements)
            if played not in chosen:
                chosen[played] = Member(played, kid.sigma, kid.parents, generation, "child")
    return tuple(chosen.values())
