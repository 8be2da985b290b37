"""How people learn to judge: at their first, second, … judgement, how many were right, programs and humans apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from lab.judgements import Judgement

LONGEST = 60
"""Up to which judgement of a person learning is looked at."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """The n-th judgements of all persons: how many were of programs and of humans, and how many of each right."""

    number: int
    programs: int
    programs_right: int
    humans: int
    humans_right: int


def lessons(judgements: Iterable[Judgement], longest: int = LONGEST) -> list[Lesson]:
    """From a log in order; at each number every person counts once."""
    judged: Counter[str] = Counter()
    tally: dict[int, list[int]] = {}
    for one in judgements:
        judged[one.person] += 1
        number = judged[one.person]
        if number <= longest:
            counts = tally.setdefault(number, [0, 0, 0, 0])
            kind = 2 if one.of_human else 0
            counts[kind] += 1
            counts[kind + 1] += one.right
    return [Lesson(number, *counts) for number, counts in sorted(tally.items())]
