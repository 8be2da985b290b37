"""Counting what happened: from chunks to numbers per period, for everybody or for some persons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from server.dashboards.chunks import Chunk, Marks, SheetState
from server.dashboards.periods import Unit, start_of

Numbers = np.ndarray[tuple[int], np.dtype[np.int64]]
Floats = np.ndarray[tuple[int], np.dtype[np.float64]]

EMPTY = {"matches": 0, "stand_ins": 0, **{state.name.lower(): 0 for state in SheetState}}


@dataclass(frozen=True)
class Facts:
    """Counts per period, by name, and what is not counted per period."""

    cells: dict[datetime, dict[str, int]]
    judgements: int
    waits: Floats
    """Seconds."""


def count(
    chunks: Sequence[Chunk],
    periods: Sequence[datetime],
    unit: Unit,
    *,
    game: str | None = None,
    persons: Sequence[int] | None = None,
) -> Facts:
    """Everything that overviews count, for a game or all, for some persons or everybody."""
    chosen = [one for one in chunks if game in (None, one.game)]
    if persons is not None:
        member = _marked(persons, chosen)
        chosen = [one.of_persons(member) for one in chosen]
    cells = {at: dict(EMPTY) for at in periods}
    for one in chosen:
        cell = cells[start_of(one.at, unit)]
        for name, number in one.counts().items():
            cell[name] += number
    waited = _joined([one.waited for one in chosen])
    return Facts(cells, int(_joined([one.judged for one in chosen]).sum()), waited[waited >= 0] / 1000.0)


def ways(chunks: Sequence[Chunk], most: int) -> tuple[Numbers, Numbers]:
    """By person: in how many matches each sat, and how often each judged. `most` is the largest number of a person."""
    seated, judges = _joined([one.person for one in chunks]), _joined([one.judge for one in chunks])
    return np.bincount(seated, minlength=most + 1), np.bincount(judges, minlength=most + 1)


def _marked(persons: Sequence[int], chunks: Sequence[Chunk]) -> Marks:
    """By number of a person: whether it is one of these."""
    seen = (column for one in chunks for column in (one.person, one.sheet_person, one.judge))
    most = max((int(column.max(initial=0)) for column in seen), default=0)
    member = np.zeros(max(most, max(persons, default=0)) + 1, np.bool_)
    member[list(persons)] = True
    return member


def _joined(columns: Sequence[Any]) -> Numbers:
    return np.concatenate([np.zeros(0, np.int32), *columns])
