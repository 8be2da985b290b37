"""Response patterns laid out for the computation.

In the Rasch model a person's likelihood depends on the items met, the trials of each and the *total* score only.
Persons who share these are one pattern with a count; patterns with equally many items form dense blocks, so that all
sums run over rectangular arrays however sparse the table of persons × items is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from lab.arrays import Floats, Ints
from lab.rasch.responses import Responses

BLOCK_CELLS = 25_000
"""Cells (patterns × items) per block; bounds the memory of one step at some ten megabytes."""


@dataclass(frozen=True)
class Block:
    """Patterns with the same number k of items: arrays of shape (patterns,) or (patterns, k)."""

    items: Ints
    trials: Floats
    score: Floats
    count: Floats
    pattern: Ints


@dataclass(frozen=True)
class Patterns:
    blocks: tuple[Block, ...]
    of_person: Ints
    """The pattern of every person, −1 for persons without responses."""
    patterns: int


def lay_out(responses: Responses) -> Patterns:
    """Group the persons by pattern and the patterns into blocks."""
    order = np.lexsort((responses.item, responses.person))
    person, item, trials = responses.person[order], responses.item[order], responses.trials[order]
    sizes = np.bincount(person, minlength=len(responses.persons))
    starts = np.concatenate(([0], np.cumsum(sizes)))[:-1]
    scores = responses.person_scores
    of_person = np.full(len(responses.persons), -1, dtype=np.int64)
    blocks: list[Block] = []
    patterns = 0
    for size in np.unique(sizes):
        if size == 0:
            continue
        members = np.flatnonzero(sizes == size)
        cells = starts[members][:, None] + np.arange(size)
        keys = np.column_stack((item[cells], trials[cells], scores[members]))
        distinct, where, count = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
        of_person[members] = patterns + where.ravel()
        blocks.extend(
            Block(
                items=distinct[part, :size].astype(np.int64),
                trials=distinct[part, size : 2 * size].copy(),
                score=distinct[part, -1].copy(),
                count=count[part].astype(np.float64),
                pattern=patterns + np.arange(part.start, part.stop),
            )
            for part in _parts(len(distinct), max(1, BLOCK_CELLS // int(size)))
        )
        patterns += len(distinct)
    return Patterns(tuple(blocks), of_person, patterns)


def _parts(length: int, step: int) -> Iterator[slice]:
    for start in range(0, length, step):
        yield slice(start, min(start + step, length))
