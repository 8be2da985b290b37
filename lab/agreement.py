"""Do several people see the same thing? Coders of open answers (Cohen's kappa), judges of the same seat (Krippendorff's
alpha, intraclass correlation): agreement beyond what chance would give.

Verdicts on seats of the same match agree if they are about what happened at the table and not about the judge. Alpha is
for verdicts (no order), the intraclass correlation for graded ones, the stated probability of "artificial".
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from lab.judgements import Judgement
from lab.turing.judges import probability_artificial


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


def krippendorff_alpha(units: Iterable[Sequence[Hashable]]) -> float | None:
    """Alpha for values without order; each unit is what all who judged it said. None where nothing can differ.

    Units that only one person judged say nothing about agreement and are left out.
    """
    pairs: Counter[Hashable] = Counter()
    values: Counter[Hashable] = Counter()
    for unit in units:
        if len(unit) < 2:
            continue
        counts = Counter(unit)
        values.update(counts)
        for value, count in counts.items():
            pairs[value] += count * (count - 1) / (len(unit) - 1)  # type: ignore[assignment]  # a share of a count
    total = values.total()
    expected = sum(count * (count - 1) for count in values.values()) / (total - 1) if total > 1 else 0.0
    return None if total == expected else 1 - (total - sum(pairs.values())) / (total - expected)


def intraclass(units: Iterable[Sequence[float]]) -> float | None:
    """ICC(1): how alike the values of one unit are, by one-way analysis of variance; units may differ in size."""
    judged = [unit for unit in units if len(unit) > 1]
    total = sum(map(len, judged))
    if len(judged) < 2:
        return None
    mean = sum(map(sum, judged)) / total
    between = sum(len(unit) * (sum(unit) / len(unit) - mean) ** 2 for unit in judged) / (len(judged) - 1)
    within = sum((value - sum(unit) / len(unit)) ** 2 for unit in judged for value in unit) / (total - len(judged))
    size = (total - sum(len(unit) ** 2 for unit in judged) / total) / (len(judged) - 1)
    spread = between + (size - 1) * within
    return (between - within) / spread if spread > 0 else None


@dataclass(frozen=True, slots=True)
class JudgesAgree:
    """Over seats that several judges judged: programs and people, each as it played in one match."""

    seats: int
    alpha: float | None
    icc: float | None


def judges_agree(judgements: Iterable[Judgement]) -> JudgesAgree:
    verdicts: dict[Hashable, list[Hashable]] = defaultdict(list)
    graded: dict[Hashable, list[float]] = defaultdict(list)
    for one in judgements:
        seat = (one.match, one.stimulus)
        verdicts[seat].append(one.verdict)
        if (probability := probability_artificial(one)) is not None:
            graded[seat].append(probability)
    several = sum(len(unit) > 1 for unit in verdicts.values())
    return JudgesAgree(several, krippendorff_alpha(verdicts.values()), intraclass(graded.values()))
