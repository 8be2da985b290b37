"""Differential functioning: is a strategy harder to detect in one group of judges than in another equally able one?

Groups may be languages, devices, profiles or generations. Each group is fitted by itself, its difficulties are centred
on the items that all groups have, and what differs beyond the errors is told (Wald test by separate calibration). That
one group is more able than another shifts all its difficulties alike and is no differential functioning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc

from lab.judgements import Judgement
from lab.rasch.marginal import NotConvergedError, fit_marginal
from lab.rasch.responses import gather

LEAST_ANSWERS = 10
"""Of an item in a group; with fewer the group says nothing about the item."""

Row = tuple[str, str, int, str]
"""Person, item, response, group."""


@dataclass(frozen=True, slots=True)
class Differing:
    """`adjusted_p` is corrected for all items (Holm); `difficulty` by group, on the mean of the common items."""

    item: str
    difficulty: dict[str, float]
    chi_squared: float
    df: int
    p: float
    adjusted_p: float


def differing(rows: Iterable[Row]) -> list[Differing]:
    """Every item that at least two groups have answered often enough, the most conspicuous first."""
    by_group: dict[str, list[tuple[str, str, int]]] = {}
    for person, item, response, group in rows:
        by_group.setdefault(group, []).append((person, item, response))
    common = _common(by_group)
    if len(by_group) < 2 or len(common) < 2:
        return []
    fits: dict[str, tuple[dict[str, float], dict[str, float]]] = {}
    for group, own in sorted(by_group.items()):
        try:
            fits[group] = _centred([row for row in own if row[1] in common])
        except NotConvergedError:
            continue
    found = [_tested(item, fits) for item in sorted(common)] if len(fits) > 1 else []
    return _adjusted(sorted(found, key=lambda one: (one.p, one.item)))


def differing_judgements(judgements: Iterable[Judgement], group: Callable[[Judgement], str | None]) -> list[Differing]:
    """The same for detections; judgements without a group are left out. Humans are an item, keyed against ability."""
    return differing(
        (one.person, one.seat_truth, int(one.judged_artificial != one.of_human), name)
        for one in judgements
        if (name := group(one)) is not None
    )


def _common(by_group: dict[str, list[tuple[str, str, int]]]) -> set[str]:
    """Items that every group has answered often enough, and neither always nor never right.

    A group that has not answered two items so often says nothing; it is taken out, and the others are compared.
    """
    kept: list[set[str]] = []
    for group, rows in list(by_group.items()):
        responses = gather(rows)
        enough = (responses.item_trials >= LEAST_ANSWERS) & (responses.perfect_items == 0)
        items = {item for item, holds in zip(responses.items, enough.tolist(), strict=True) if holds}
        if len(items) > 1:
            kept.append(items)
        else:
            del by_group[group]
    return set.intersection(*kept) if kept else set()


def _centred(rows: list[tuple[str, str, int]]) -> tuple[dict[str, float], dict[str, float]]:
    """Difficulties around their mean, and the squares of their errors."""
    responses = gather(rows)
    model = fit_marginal(responses)
    size = len(responses.items)
    contrast = np.eye(size) - 1 / size
    variance = np.diag(contrast @ model.covariance[:size, :size] @ contrast.T)
    difficulty = contrast @ model.difficulty
    return (
        dict(zip(responses.items, difficulty.tolist(), strict=True)),
        dict(zip(responses.items, variance.tolist(), strict=True)),
    )


def _tested(item: str, fits: dict[str, tuple[dict[str, float], dict[str, float]]]) -> Differing:
    values = np.array([difficulty[item] for difficulty, _ in fits.values()])
    weights = 1 / np.array([variance[item] for _, variance in fits.values()])
    chi = float(weights @ (values - weights @ values / weights.sum()) ** 2)
    df = len(values) - 1
    p = float(chdtrc(df, chi))
    return Differing(item, dict(zip(fits, values.tolist(), strict=True)), chi, df, p, p)


def _adjusted(found: list[Differing]) -> list[Differing]:
    """Holm's correction of a list that runs from the smallest p to the largest."""
    adjusted, largest = [], 0.0
    for place, one in enumerate(found):
        largest = max(largest, min(1.0, one.p * (len(found) - place)))
        adjusted.append(Differing(one.item, one.difficulty, one.chi_squared, one.df, one.p, largest))
    return adjusted
