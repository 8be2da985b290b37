"""Learns the model of times.py from recorded human decisions. Pure; for a process for computations.

What the situation adds is a regression per kind of decision beside the seats' own paces, robust against the times of
people who went for a coffee, and drawn towards what is known of other games as long as there are few records. What
lasts from move to move is read from how alike the decisions one and two apart are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import rankdata

from server.live.thinking.prior import PRIOR
from server.live.thinking.situations import FEATURES
from server.live.thinking.times import SHAPE_AT, PaceClass, Thinking, Times

Floats = NDArray[np.float64]

ENOUGH_FOR_A_FIT: Final = 20
"""Decisions of a kind. A middle and a spread from so few are nearer to these people than those of the prior, towards
which all weights are drawn."""
ENOUGH_FOR_A_SHAPE: Final = 60
ENOUGH_OF_A_SEAT: Final = 4
LEAST_SEATS: Final = 2
"""With so many decisions; from fewer nothing is learnt about how people differ."""
LEAST_LEFT: Final = 0.1
"""Of the variance of one decision, when the seat's own mean has been taken away: alike ones leave little."""
SEATS_PER_CLASS: Final = 25
MOST_CLASSES: Final = 8
ROUNDS: Final = 4
"""Paces and situations are estimated in turn; after so many rounds neither changes any more."""
FAR: Final = 2.0
"""Deviations beyond so many standard deviations count less (Huber)."""
TRUST: Final = 0.3
"""How far a game's weights are expected from those of the prior, as a standard deviation."""
STRONGEST_ECHO: Final = 0.95
SHORTEST_SERIES: Final = 6


class Observation(NamedTuple):
    """One recorded human decision: `seat` names one seat of one match, whose decisions come in their order."""

    seat: str
    kind: str
    ms: float
    features: tuple[float, ...] = ()


@dataclass
class Record:
    """Decisions as columns."""

    seats: NDArray[np.intp]
    kinds: NDArray[np.intp]
    features: Floats
    values: Floats
    """Logarithms of the milliseconds."""


def fit(observations: Iterable[Observation], pace: float = 1.0, prior: Thinking = PRIOR) -> Thinking:
    """The model of these times, of one game; kinds with too few of them keep what the prior says."""
    by_kind: dict[str, list[Observation]] = defaultdict(list)
    everything = list(observations)
    for one in everything:
        by_kind[one.kind].append(one)
    usable = sorted(kind for kind, rows in by_kind.items() if len(rows) >= ENOUGH_FOR_A_FIT)
    kept = [one for one in everything if one.kind in usable]
    if not kept:
        return prior.model_copy(update={"pace": pace})
    record = as_record(kept, usable, pace)
    number = np.bincount(record.seats)
    kinds: dict[int, Times] = {}
    paces, lasting, echo, between = np.zeros(len(number)), 0.0, 0.0, 0.0
    for _ in range(ROUNDS):
        for which, kind in enumerate(usable):
            rows = record.kinds == which
            known = prior.kinds.get(kind, prior.other)
            kinds[which] = kind_times(record.features[rows], (record.values - paces[record.seats])[rows], known)
        expected = expectations(record, kinds)
        paces, between = seat_paces(record, expected, memory(lasting, echo))
        lasting, echo = lasting_part(record, record.values - expected - paces[record.seats])
    around = scatter(record, record.values - expected, memory(lasting, echo))
    classes = pace_classes(record, around, kinds, paces, usable)
    judged = number >= ENOUGH_OF_A_SEAT
    if judged.sum() >= LEAST_SEATS:
        kinds = {which: times.model_copy(update=spread_of(record, around, which)) for which, times in kinds.items()}
    return Thinking(
        kinds={**prior.kinds, **{kind: kinds[which] for which, kind in enumerate(usable)}},
        other=prior.other,
        between=between,
        paces=recorded_shape(paces[judged]) if classes else None,
        classes=classes,
        shape=prior.shape,
        lasting=lasting,
        echo=echo,
        pace=pace,
        observations=len(kept),
    )


def as_record(kept: Sequence[Observation], usable: Sequence[str], pace: float) -> Record:
    names = {name: place for place, name in enumerate(dict.fromkeys(one.seat for one in kept))}
    nothing = (0.0,) * len(FEATURES)
    return Record(
        seats=np.array([names[one.seat] for one in kept]),
        kinds=np.array([usable.index(one.kind) for one in kept]),
        features=np.array([one.features + nothing[len(one.features) :] for one in kept], np.float64),
        values=np.array([log(max(one.ms, 1.0) / pace) for one in kept]),
    )


def kind_times(features: Floats, values: Floats, known: Times) -> Times:
    """Mean, spread and weights of one kind of decision; the weights are drawn towards those that are known."""
    centre = features.mean(axis=0)
    design = np.column_stack([np.ones(len(values)), features - centre])
    towards = np.r_[0.0, known.weights or np.zeros(len(FEATURES))]
    seen = np.r_[True, features.std(axis=0) > 1e-9]  # of what never varied the prior is all that is known
    theta, spread, weight = towards.copy(), float(values.std()) or 1e-3, np.ones(len(values))
    theta[0] = values.mean()
    for _ in range(ROUNDS):
        # The mean has no prior; a weight counts as if it had been seen once with the deviation TRUST.
        ridge = np.where(seen, (spread / TRUST) ** 2, 1e9) * np.r_[0.0, np.ones(len(FEATURES))]
        left = design.T @ (design * weight[:, None]) + np.diag(ridge)
        theta = np.linalg.solve(left, design.T @ (weight * values) + ridge * towards)
        rest = values - design @ theta
        spread = max(float(rest.std()), 1e-3)
        weight = np.minimum(1.0, FAR * spread / np.maximum(np.abs(rest), 1e-9))
    weights = theta[1:]
    mean = float(np.mean(values - (features - centre) @ weights))
    return Times(mean=mean, spread=spread, weights=_rounded(weights), centre=_rounded(centre))


def added(record: Record, kinds: Mapping[int, Times]) -> Floats:
    """What the situation adds to every decision."""
    total = np.zeros(len(record.values))
    for which, times in kinds.items():
        rows = record.kinds == which
        total[rows] = (record.features[rows] - np.array(times.centre)) @ np.array(times.weights)
    return total


def expectations(record: Record, kinds: Mapping[int, Times]) -> Floats:
    """What the model expects of a person of middling pace."""
    means = np.array([kinds[which].mean for which in range(len(kinds))])
    return np.asarray(means[record.kinds] + added(record, kinds), np.float64)


def memory(lasting: float, echo: float) -> Floats:
    """How alike chance is in decisions 0, 1, 2, ... apart."""
    alike = lasting * echo ** np.arange(200)
    alike[0] = 1.0
    return np.asarray(alike, np.float64)


def noise_of_means(number: NDArray[np.intp], alike: Floats) -> Floats:
    """The variance of the mean of so many decisions of one seat, in units of the variance of one."""
    factors = {}
    for n in np.unique(number):
        apart = np.arange(1, min(int(n), len(alike)))
        factors[n] = (1 + 2 * float(((1 - apart / n) * alike[apart]).sum())) / n
    return np.array([factors[n] for n in number])


def seat_paces(record: Record, expected: Floats, alike: Floats) -> tuple[Floats, float]:
    """How much slower than the average each seat is, drawn towards it as far as the figure is only noise; and how much
    seats differ (method of moments)."""
    number = np.bincount(record.seats)
    known = number >= ENOUGH_OF_A_SEAT
    paces = np.zeros(len(number))
    if known.sum() < LEAST_SEATS:
        return paces, 0.0
    rest = record.values - expected
    effects = np.bincount(record.seats, rest) / number
    noise = noise_of_means(number[known], alike)
    inner = known[record.seats]
    around = ((rest - effects[record.seats])[inner] ** 2).sum()
    within = around / (number[known] * (1 - noise)).sum()
    observed = float(effects[known].var(ddof=1))
    real = max(observed - within * float(noise.mean()), 0.0)
    middle = float(effects[known].mean())
    # Scaled so that the paces scatter as people really do, not as single figures of people do.
    scale = sqrt(real / observed) if observed else 0.0
    paces[known] = middle + (effects[known] - middle) * scale
    return paces, sqrt(real)


def lasting_part(record: Record, rest: Floats) -> tuple[float, float]:
    """How much of chance lasts, and how well: from the likeness of decisions one and two apart within a seat.

    Taken about a seat's own mean, decisions look less alike than they are, by the noise of that mean; it is put back.
    """
    scores = normal_scores(record, rest)
    sums, pairs, numbers = np.zeros(3), np.zeros(3), []
    for series in series_of(record, scores):
        about = series - series.mean()
        for apart in range(3):
            sums[apart] += about[apart:] @ about[: len(about) - apart]
            pairs[apart] += len(about) - apart
        numbers.append(len(about))
    if not numbers:
        return 0.0, 0.0
    likeness, number = sums / pairs, np.array(numbers)
    lasting, echo = 0.0, 0.0
    for _ in range(ROUNDS):
        noise = float(np.average(noise_of_means(number, memory(lasting, echo)), weights=number))
        squares = likeness[0] / max(1 - noise, LEAST_LEFT)
        one, two = (likeness[1:] + noise * squares) / squares
        # With few decisions the likeness is itself noise; below two of its standard errors nothing is read into it.
        if one < 2 / sqrt(pairs[1]):
            return 0.0, 0.0
        echo = float(np.clip(two / one, 0.1, STRONGEST_ECHO))
        lasting = float(np.clip(one / echo, 0.0, 1.0))
    return round(lasting, 4), round(echo, 4)


def normal_scores(record: Record, rest: Floats) -> Floats:
    """Deviations by their ranks within a kind of decision, as a normal curve would have them."""
    scores = np.zeros(len(rest))
    for which in np.unique(record.kinds):
        rows = record.kinds == which
        scores[rows] = ndtri((rankdata(rest[rows]) - 0.5) / rows.sum())
    return scores


def series_of(record: Record, values: Floats) -> Iterable[Floats]:
    """Per seat, in the order of its decisions; short ones say little and are left out."""
    order = np.argsort(record.seats, kind="stable")
    ends = np.cumsum(np.bincount(record.seats))[:-1]
    return [one for one in np.split(values[order], ends) if len(one) >= SHORTEST_SERIES]


def scatter(record: Record, rest: Floats, alike: Floats) -> Floats:
    """How decisions deviate from what is usual for their seat.

    A seat's own mean has been drawn towards its decisions, the more the fewer they are and the more alike; about it
    they scatter too little, which is made good.
    """
    number = np.bincount(record.seats)
    left = np.maximum(1 - noise_of_means(number, alike), LEAST_LEFT)
    own = np.bincount(record.seats, rest) / number
    return np.asarray((rest - own[record.seats]) / np.sqrt(left[record.seats]), np.float64)


def spread_of(record: Record, around: Floats, which: int) -> dict[str, float]:
    """The spread of one kind of decision beside the paces of seats, if enough seats tell."""
    judged = (np.bincount(record.seats) >= ENOUGH_OF_A_SEAT)[record.seats]
    deviations = around[judged & (record.kinds == which)]
    if len(deviations) < ENOUGH_FOR_A_FIT:
        return {}
    return {"spread": max(float(np.sqrt(np.mean(deviations**2))), 1e-3)}


def pace_classes(
    record: Record, around: Floats, kinds: Mapping[int, Times], paces: Floats, usable: Sequence[str]
) -> list[PaceClass]:
    """People sorted by pace into classes of equal size, each with its own scatter per kind of decision.

    What is left of a seat's pace when its figure has been drawn towards the average is noise, and stays out of them.
    """
    number = np.bincount(record.seats)
    ordered = [seat for seat in np.argsort(paces, kind="stable") if number[seat] >= ENOUGH_OF_A_SEAT]
    count = min(MOST_CLASSES, len(ordered) // SEATS_PER_CLASS)
    classes = []
    for n in range(count):
        members = ordered[n * len(ordered) // count : (n + 1) * len(ordered) // count]
        inside = np.isin(record.seats, members)
        shapes: dict[str, Sequence[float]] = {}
        for which, kind in enumerate(usable):
            rows = inside & (record.kinds == which)
            if rows.sum() >= ENOUGH_FOR_A_SHAPE:
                shapes[kind] = recorded_shape(kinds[which].mean + around[rows])
        classes.append(PaceClass(kinds=shapes))
    return classes


def recorded_shape(values: Sequence[float] | Floats) -> list[float]:
    """The quantiles of a record at SHAPE_AT."""
    return _rounded(np.quantile(np.asarray(values, np.float64), SHAPE_AT))


def _rounded(values: Floats) -> list[float]:
    return [round(float(value), 4) for value in values]
