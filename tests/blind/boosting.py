"""Persons or programs, by boosted trees: what a line through all numbers cannot see, such as "quick when pressed".

Small trees of two questions each are added one after the other, each fitted to what the earlier ones got wrong
(Friedman, Annals of Statistics 29 (2001) 1189-1232), with Newton's steps in the leaves.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Truth = NDArray[np.bool_]

BINS: Final = 16
TREES: Final = 60
RATE: Final = 0.1
LEAST: Final = 12
"""Rows on each side of a question."""
RIDGE: Final = 5.0
MOST_OF_A_QUESTION: Final = np.linspace(0, 1, BINS + 1)[1:-1]


class _Question(NamedTuple):
    gain: float
    column: int
    bin: int


def boosted_scores(table: Floats, truth: Truth, held_out: Truth) -> Floats:
    """Scores of the rows held out; larger is rather a person. The two classes weigh the same."""
    known = ~held_out
    binned = _binned(table, known)
    share = float(np.clip(truth[known].mean(), 0.02, 0.98))
    weight = np.where(truth, 0.5 / share, 0.5 / (1 - share))
    scores = np.zeros(len(table))
    for _ in range(TREES):
        expected = 1 / (1 + np.exp(-scores))
        slope, curve = weight * (truth - expected), weight * expected * (1 - expected)
        step = np.zeros(len(table))
        for half in _halves(binned, slope, curve, known, np.ones(len(table), dtype=np.bool_)):
            for leaf in _halves(binned, slope, curve, known, half):
                inside = leaf & known
                step[leaf] = slope[inside].sum() / (curve[inside].sum() + RIDGE)
        scores += RATE * step
    return np.asarray(scores[held_out], dtype=np.float64)


def _binned(table: Floats, known: Truth) -> Ints:
    """Every number by its place among those of the known rows."""
    columns = []
    for values in table.T:
        edges = np.unique(np.quantile(values[known], MOST_OF_A_QUESTION))
        columns.append(np.searchsorted(edges, values, side="right"))
    return np.column_stack(columns).astype(np.int64)


def _halves(binned: Ints, slope: Floats, curve: Floats, known: Truth, node: Truth) -> list[Truth]:
    """The node by the answer to the question that tells most about its known rows; whole if none is worth asking."""
    rows = np.flatnonzero(node & known)
    columns = binned.shape[1]
    cell = (binned[rows] + BINS * np.arange(columns)).ravel()
    sums = [
        np.bincount(cell, np.repeat(values, columns), BINS * columns).reshape(columns, BINS).cumsum(axis=1)
        for values in (slope[rows], curve[rows], np.ones(len(rows)))
    ]
    below, beside, count = sums
    total, all_beside = below[:, -1:], beside[:, -1:]
    gain = below**2 / (beside + RIDGE) + (total - below) ** 2 / (all_beside - beside + RIDGE)
    gain -= total**2 / (all_beside + RIDGE)
    gain[(count < LEAST) | (count[:, -1:] - count < LEAST)] = -np.inf
    place = int(np.argmax(gain))
    best = _Question(float(gain.ravel()[place]), place // BINS, place % BINS)
    if not np.isfinite(best.gain) or best.gain <= 0:
        return [node]
    answer = binned[:, best.column] <= best.bin
    return [node & answer, node & ~answer]
