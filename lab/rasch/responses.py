"""Responses as sparse counts: who tried which item how often, and with how many successes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from lab.arrays import Floats, Ints, sums
from lab.judgements import Judgement


@dataclass(frozen=True)
class Responses:
    """One row per (person, item) cell that was met at least once; cells never met are missing and have no row."""

    persons: tuple[str, ...]
    items: tuple[str, ...]
    person: Ints
    item: Ints
    trials: Floats
    successes: Floats

    def __post_init__(self) -> None:
        sizes = {len(self.person), len(self.item), len(self.trials), len(self.successes)}
        if len(sizes) != 1:
            raise ValueError(f"columns of different lengths: {sorted(sizes)}")
        if np.any(self.trials <= 0) or np.any(self.successes < 0) or np.any(self.successes > self.trials):
            raise ValueError("each cell needs at least one trial and between none and all of them successful")

    @property
    def person_trials(self) -> Floats:
        return sums(self.person, self.trials, len(self.persons))

    @property
    def person_scores(self) -> Floats:
        return sums(self.person, self.successes, len(self.persons))

    @property
    def item_trials(self) -> Floats:
        return sums(self.item, self.trials, len(self.items))

    @property
    def item_scores(self) -> Floats:
        return sums(self.item, self.successes, len(self.items))

    @property
    def perfect_items(self) -> Floats:
        """1 for items that nobody or everybody solved: the data alone would place them at infinity."""
        scores = self.item_scores
        perfect = (scores == 0) | (scores == self.item_trials)
        return np.asarray(perfect, dtype=np.float64)


def gather(rows: Iterable[tuple[str, str, int]]) -> Responses:
    """Responses from single answers (person, item, 0 or 1); repeated trials of a cell are added up."""
    persons: dict[str, int] = {}
    items: dict[str, int] = {}
    person, item, answer = [], [], []
    for who, what, response in rows:
        if response not in (0, 1):
            raise ValueError(f"response of {who} to {what} must be 0 or 1, not {response!r}")
        person.append(persons.setdefault(who, len(persons)))
        item.append(items.setdefault(what, len(items)))
        answer.append(response)
    return from_arrays(
        tuple(persons),
        tuple(items),
        np.array(person, dtype=np.int64),
        np.array(item, dtype=np.int64),
        np.array(answer, dtype=np.float64),
    )


def from_arrays(
    persons: tuple[str, ...], items: tuple[str, ...], person: Ints, item: Ints, answer: Floats
) -> Responses:
    """Responses from index arrays, one entry per single answer."""
    cells, where = np.unique(person * max(len(items), 1) + item, return_inverse=True)
    return Responses(
        persons=persons,
        items=items,
        person=cells // max(len(items), 1),
        item=cells % max(len(items), 1),
        trials=np.bincount(where, minlength=len(cells)).astype(np.float64),
        successes=sums(where, answer, len(cells)),
    )


def detections(judgements: Iterable[Judgement], human_counts_against: bool = True) -> Responses:
    """Persons × strategies, 1 = judged artificial, and judgements of human seats as one more item, "human".

    Calling a human artificial is a mistake, so by default that item is keyed against ability (a success is *not* to
    call the human artificial). Keyed like a strategy, it would make those look able who call everybody artificial.
    """
    return gather(
        (
            judgement.person,
            judgement.seat_truth,
            int(judgement.judged_artificial != (judgement.of_human and human_counts_against)),
        )
        for judgement in judgements
    )
