"""The LSAT section 6 data of Bock and Lieberman (1970): 1000 persons, five items, published as pattern counts."""

from __future__ import annotations

from itertools import product

from lab.rasch import Responses, gather

COUNTS = (
    *(3, 6, 2, 11, 1, 1, 3, 4, 1, 8, 0, 16, 0, 3, 2, 15),
    *(10, 29, 14, 81, 3, 28, 15, 80, 16, 56, 21, 173, 11, 61, 28, 298),
)
"""How many persons gave the pattern 00000, 00001, 00010, …, 11111."""


def lsat6() -> Responses:
    rows: list[tuple[str, str, int]] = []
    person = 0
    for pattern, count in zip(product((0, 1), repeat=5), COUNTS, strict=True):
        for _ in range(count):
            rows += [(f"p{person}", f"q{item + 1}", answer) for item, answer in enumerate(pattern)]
            person += 1
    return gather(rows)
