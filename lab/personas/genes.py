"""A personality as a row of numbers from 0 to 1: what optimisers move about, and what it means to a search."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from lab.arrays import Floats
from npc.mcts.parameters import RANGES, Parameters

AFTERWARDS: Final = ("random_error", "nice_threshold")
"""They change what is made of a search, not the search."""
_SEARCHED: Final = [name for name in RANGES if name not in ("simulations", *AFTERWARDS)]
GENES: Final[tuple[tuple[str, int], ...]] = tuple(
    (name, place) for name in _SEARCHED for place in range(1 + RANGES[name].pair)
)
"""Parameter and, in pairs, which of the two: fourteen. With the two that work afterwards and the number of simulations
they are the seventeen of npc/mcts."""
NAMES: Final = tuple(f"{name}{('', ' (others)')[place]}" if RANGES[name].pair else name for name, place in GENES)


def personality(genes: Floats, simulations: int) -> Parameters:
    """What genes stand for, each within the range of its parameter."""
    values: dict[str, Any] = {}
    for (name, place), gene in zip(GENES, genes, strict=True):
        limits = RANGES[name]
        value: float = limits.least + (limits.most - limits.least) * min(max(float(gene), 0.0), 1.0)
        value = round(value) if limits.whole else round(value, 4)
        values[name] = (*values.get(name, ()), value) if limits.pair else value
        assert place < 1 + limits.pair
    return Parameters(simulations=simulations, **values)


def genes_of(parameters: Parameters) -> Floats:
    """The other way round, as exactly as rounding allows."""
    row = []
    for name, place in GENES:
        limits, value = RANGES[name], getattr(parameters, name)
        number = value[place] if limits.pair else value
        row.append((number - limits.least) / (limits.most - limits.least))
    return np.array(row)


def drawn(rng: np.random.Generator, simulations: int) -> Parameters:
    """Any personality, all values as likely as each other."""
    return personality(rng.random(len(GENES)), simulations)
