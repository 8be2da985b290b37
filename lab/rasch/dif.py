"""Differential functioning: is a strategy harder to detect in one group of judges than in another equally able one?

Groups may be languages, devices, profiles or generations. Each group is fitted by itself, the groups are shifted onto
one scale by the items that they share, and what differs beyond the errors is told (Wald test by separate calibration).
That one group is more able than another shifts all its difficulties alike and is no differential functioning.

No item need be met by all groups: of the strategies of a round few outlive two generations, and a chain of neighbours
puts all generations onto one scale.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.linalg import block_diag
from scipy.special import chdtrc

from lab.arrays import Floats
from lab.judgements import Judgement
from lab.rasch.marginal import NotConvergedError, fit_marginal
from lab.rasch.responses import gather
from lab.rasch.robust import robust_covariance

LEAST_ANSWERS = 10
"""Of an item in a group; with fewer the group says nothing about the item."""

SMALL: Final = 1e-9
"""A variance below this one is none."""

Row = tuple[str, str, int, str]
"""Person, item, response, group."""


@dataclass(frozen=True, slots=True)
class Differing:
    """`adjusted_p` is corrected for all items (Holm); `difficulty` by group, around the mean of all that are shared."""

    item: str
    difficulty: dict[str, float]
    chi_squared: float
    df: int
    p: float
    adjusted_p: float


@dataclass(frozen=True)
class _Calibrations:
    """The difficulties of every group's shared items, one cell after another, and how they vary together."""

    group: list[str]
    item: list[str]
    difficulty: Floats
    covariance: Floats


def differing(rows: Iterable[Row]) -> list[Differing]:
    """Every item that at least two groups have answered often enough, the most conspicuous first."""
    by_group: dict[str, list[tuple[str, str, int]]] = {}
    for person, item, response, group in rows:
        by_group.setdefault(group, []).append((person, item, response))
    shared = _shared({group: _answered(own) for group, own in by_group.items()})
    fits: dict[str, _Fit] = {}
    for group, items in sorted(shared.items()):
        try:
            fits[group] = _fitted([row for row in by_group[group] if row[1] in items])
        except NotConvergedError:
            continue
    if len(fits) < 2:
        return []
    linked = _linked(_together(fits))
    found = [one for item in sorted(set(linked.item)) if (one := _tested(item, linked)) is not None]
    return _adjusted(sorted(found, key=lambda one: (one.p, one.item)))


def differing_judgements(judgements: Iterable[Judgement], group: Callable[[Judgement], str | None]) -> list[Differing]:
    """The same for detections; judgements without a group are left out. Humans are an item, keyed against ability."""
    return differing(
        (one.person, one.seat_truth, int(one.judged_artificial != one.of_human), name)
        for one in judgements
        if (name := group(one)) is not None
    )


def _answered(rows: list[tuple[str, str, int]]) -> set[str]:
    """Items that a group has answered often enough, and neither always nor never right."""
    responses = gather(rows)
    enough = (responses.item_trials >= LEAST_ANSWERS) & (responses.perfect_items == 0)
    return {item for item, holds in zip(responses.items, enough.tolist(), strict=True) if holds}


def _shared(answered: dict[str, set[str]]) -> dict[str, set[str]]:
    """Of every group the items that another one has too; a group that shares only one says nothing and is left out."""
    while True:
        groups = Counter(item for items in answered.values() for item in items)
        shared = {group: {item for item in items if groups[item] > 1} for group, items in answered.items()}
        kept = {group: items for group, items in shared.items() if len(items) > 1}
        if kept == answered:
            return kept
        answered = kept


_Fit = tuple[tuple[str, ...], Floats, Floats]
"""Items, their difficulties, and how these vary together."""


def _fitted(rows: list[tuple[str, str, int]]) -> _Fit:
    """With errors that hold although people meet the same strategy several times."""
    model = fit_marginal(gather(rows))
    size = len(model.difficulty)
    return model.responses.items, model.difficulty, robust_covariance(model)[:size, :size]


def _together(fits: dict[str, _Fit]) -> _Calibrations:
    return _Calibrations(
        group=[group for group, (items, _, _) in fits.items() for _ in items],
        item=[item for items, _, _ in fits.values() for item in items],
        difficulty=np.concatenate([difficulty for _, difficulty, _ in fits.values()]),
        covariance=np.asarray(block_diag(*(covariance for _, _, covariance in fits.values())), dtype=np.float64),
    )


def _linked(cells: _Calibrations) -> _Calibrations:
    """Every group shifted so that the items are as equal as they can be on the whole (least squares)."""
    of_group, of_item = (
        np.array([[float(own == name) for name in sorted(set(names))] for own in names])
        for names in (cells.group, cells.item)
    )
    around_item = np.eye(len(of_item)) - of_item / of_item.sum(axis=0) @ of_item.T
    shifts = np.linalg.pinv(of_group.T @ around_item @ of_group) @ of_group.T @ around_item
    onto_one = np.eye(len(of_item)) - of_group @ shifts
    difficulty = onto_one @ cells.difficulty
    return _Calibrations(
        cells.group, cells.item, difficulty - difficulty.mean(), onto_one @ cells.covariance @ onto_one.T
    )


def _tested(item: str, cells: _Calibrations) -> Differing | None:
    """None where an item is all that links its groups, or one group alone was left with it."""
    own = [place for place, name in enumerate(cells.item) if name == item]
    values = cells.difficulty[own]
    contrast = np.eye(len(own))[1:] - np.eye(len(own))[:1]
    variance = contrast @ cells.covariance[np.ix_(own, own)] @ contrast.T
    df = int(np.linalg.matrix_rank(variance, tol=SMALL, hermitian=True)) if len(own) > 1 else 0
    if df == 0:
        return None
    apart = contrast @ values
    chi = float(
        apart @ np.linalg.pinv(variance, rcond=SMALL / float(np.max(np.diag(variance))), hermitian=True) @ apart
    )
    p = float(chdtrc(df, chi))
    groups = (cells.group[place] for place in own)
    return Differing(item, dict(zip(groups, values.tolist(), strict=True)), chi, df, p, p)


def _adjusted(found: list[Differing]) -> list[Differing]:
    """Holm's correction of a list that runs from the smallest p to the largest."""
    adjusted, largest = [], 0.0
    for place, one in enumerate(found):
        largest = max(largest, min(1.0, one.p * (len(found) - place)))
        adjusted.append(Differing(one.item, one.difficulty, one.chi_squared, one.df, one.p, largest))
    return adjusted
