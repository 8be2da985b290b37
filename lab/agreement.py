"""Do two coders see the same thing in an open answer? Cohen's kappa: agreement beyond what chance would give."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import sqrt


@dataclass(frozen=True)
class Agreement:
    """`kappa` is None where it is undefined: no common answers, or chance alone would already agree always."""

    n: int
    observed: float
    expected: float
    kappa: float | None
    interval: tuple[float, float] | None


def cohens_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> Agreement:
    """Agreement of two coders over the same answers; large-sample 95 % interval of Fleiss, Cohen and Everitt (1969)."""
    if len(first) != len(second):
        raise ValueError(f"two coders need the same answers: {len(first)} codes against {len(second)}")
    n = len(first)
    if n == 0:
        return Agreement(0, 0.0, 0.0, None, None)
    rows, columns = Counter(first), Counter(second)
    cells = Counter(zip(first, second, strict=True))
    labels = rows.keys() | columns.keys()
    row = {label: rows[label] / n for label in labels}
    column = {label: columns[label] / n for label in labels}
    observed = sum(cells[label, label] for label in labels) / n
    expected = sum(row[label] * column[label] for label in labels)
    if expected == 1:
        return Agreement(n, observed, expected, None, None)
    kappa = (observed - expected) / (1 - expected)
    diagonal = sum(cells[label, label] / n * (1 - (row[label] + column[label]) * (1 - kappa)) ** 2 for label in labels)
    off_diagonal = (1 - kappa) ** 2 * sum(
        count / n * (column[a] + row[b]) ** 2 for (a, b), count in cells.items() if a != b
    )
    variance = (diagonal + off_diagonal - (kappa - expected * (1 - kappa)) ** 2) / ((1 - expected) ** 2 * n)
    half = 1.959964 * sqrt(max(variance, 0.0))
    return Agreement(n, observed, expected, kappa, (max(-1.0, kappa - half), min(1.0, kappa + half)))
