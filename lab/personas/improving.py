"""A better way to fit a personality: differential evolution of SciPy on the likelihood with the manner fitted inside.

Searches are noisy. All personalities of a run meet the same luck (common random numbers), and in the end the best of
all that were looked at are searched again with other luck, so that the one that is taken is good and not only lucky.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import Bounds, differential_evolution

from lab.arrays import Floats
from lab.personas.choices import Manner, Moments, fitted
from lab.personas.genes import GENES, genes_of, personality
from lab.personas.store import Store
from npc.mcts import Parameters


@dataclass(frozen=True)
class Improving:
    population: int = 28
    generations: int = 20
    finalists: int = 6
    again: int = 3
    """With how much other luck the finalists are searched."""
    simulations: int = 100
    seed: str = "persona"


@dataclass(frozen=True)
class Improved:
    parameters: Parameters
    manner: Manner
    log_likelihood: float
    """Per move, on what it learnt from, with luck that it was not chosen by."""
    flattered: float
    """The same with the luck that it was chosen by: the difference is what noise would have promised."""
    history: tuple[float, ...]
    looked_at: tuple[Parameters, ...]


def improve(
    setting: Improving, store: Store, moments: Moments, first: Sequence[Parameters], tell: Callable[[int], None]
) -> Improved:
    """`first` begin in the population. `tell` hears of every generation."""
    seen: dict[Parameters, float] = {}
    history: list[float] = []

    def surprises(_: Any, rows: Iterable[Floats]) -> list[float]:
        asked = [personality(row, setting.simulations) for row in rows]
        for one, values in zip(asked, store.values(asked, setting.seed), strict=True):
            if one not in seen:
                seen[one] = fitted(moments, values)[1]
        return [-seen[one] for one in asked]

    def after_generation(*_: Any, **__: Any) -> None:
        history.append(max(seen.values()))
        tell(len(history))

    rng = np.random.default_rng(list(setting.seed.encode()))
    start = rng.random((setting.population, len(GENES)))
    for place, one in enumerate(first[: setting.population]):
        start[place] = genes_of(one)
    differential_evolution(
        _never_asked,
        Bounds(np.zeros(len(GENES)), np.ones(len(GENES))),
        init=start,
        maxiter=setting.generations,
        updating="deferred",
        workers=surprises,
        polish=False,
        tol=1e-4,
        rng=rng,
        callback=after_generation,
    )
    best = sorted(seen, key=lambda one: -seen[one])[: setting.finalists]
    seeds = [f"{setting.seed} again {number}" for number in range(setting.again)]
    scores = np.mean([[fitted(moments, row)[1] for row in store.values(best, seed)] for seed in seeds], axis=0)
    winner = best[int(np.argmax(scores))]
    manner, _ = fitted(moments, store.values([winner], seeds[0])[0])
    return Improved(winner, manner, float(np.max(scores)), seen[winner], tuple(history), tuple(seen))


def _never_asked(_: Floats) -> float:
    """SciPy wants a function; the whole population is asked for at once instead, by `surprises`."""
    raise NotImplementedError
