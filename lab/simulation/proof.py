"""The proof without people: how often simulated studies find the planted human factor, beside what chance finds."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from scipy.special import betaincinv

from lab.cluster import map_chunks
from lab.probands.factor import HumanFactor
from lab.refinement.pool import Elements
from lab.simulation.study import Outcome, SimulationSettings, simulate


@dataclass(frozen=True)
class Hits:
    """How often something was found, with the exact interval of Clopper and Pearson."""

    hits: int
    trials: int

    @property
    def share(self) -> float:
        return self.hits / self.trials

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        tail = (1 - level) / 2
        low = float(betaincinv(self.hits, self.trials - self.hits + 1, tail)) if self.hits else 0.0
        high = float(betaincinv(self.hits + 1, self.trials - self.hits, 1 - tail)) if self.hits < self.trials else 1.0
        return low, high

    def __str__(self) -> str:
        low, high = self.interval()
        return f"{self.hits}/{self.trials} ({low:.0%} to {high:.0%})"


def outcomes(
    settings: SimulationSettings, seeds: Sequence[int], pool: Executor, done: Callable[[int], None] = lambda _: None
) -> list[Outcome]:
    """One study per seed; the same whatever runs them."""
    return map_chunks(pool, partial(simulate, settings), seeds, size=2, done=done)


def found(results: Iterable[Outcome]) -> Hits:
    answers = [one.found for one in results]
    return Hits(sum(answers), len(answers))


def with_random_selection(settings: SimulationSettings) -> SimulationSettings:
    """The same study with a coin instead of ρ in every choice of phase two."""
    return replace(settings, refinement=replace(settings.refinement, fitness="random"))


def random_strategy(factor: HumanFactor, seed: int) -> Elements:
    """A playable list of as many elements as the answer has, drawn uniformly."""
    return Random(f"random strategy:{seed}").choice(list(factor.pool.lists(factor.size)))


def random_strategies(factor: HumanFactor, seeds: Sequence[int]) -> Hits:
    return Hits(sum(factor.is_found_in(random_strategy(factor, seed)) for seed in seeds), len(seeds))


def chance_of_random_strategy(factor: HumanFactor) -> float:
    """The exact probability behind `random_strategies`."""
    lists = list(factor.pool.lists(factor.size))
    return sum(map(factor.is_found_in, lists)) / len(lists)
