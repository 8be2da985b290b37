"""How long people think, and when a program therefore shows its move.

The time for a decision is log-normal, with its own middle and spread per kind of decision and a pace that belongs to
one seat in one match: people differ. `fit` learns all of this from recorded human times. With enough of them nothing is
left to the normal curve: how paces are distributed, and how the times of slow, middling and quick people scatter for
each kind of decision, is taken from the record. (A model with one shape for all was told from people who cannot answer
faster than their hand moves, because the quick ones scatter less.) Draws follow from the match's secret seed, so that
every process finds the same deadline.
"""

import hmac
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import exp, log, sqrt
from statistics import NormalDist, fmean, pvariance
from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict

NORMAL: Final = NormalDist()
ENOUGH_FOR_A_FIT: Final = 60
ENOUGH_OF_A_SEAT: Final = 4
SEATS_PER_CLASS: Final = 25
MOST_CLASSES: Final = 8
SHAPE_AT: Final = (0.0, 0.005, 0.01, 0.02, 0.035, *(step / 20 for step in range(1, 20)), 0.965, 0.98, 0.99, 0.995, 1.0)
"""The probabilities at which a recorded distribution is kept: closer together at its ends, where quantiles spread."""
PASS_MS: Final = (900, 1900)
SHORTEST_MS: Final = 250


class Times(BaseModel):
    """Mean and standard deviation of the logarithm of the milliseconds for one kind of decision."""

    model_config = ConfigDict(frozen=True)
    mean: float
    spread: float


class PaceClass(BaseModel):
    """People of a like pace: per kind of decision, quantiles of the logarithm beside their own pace, at SHAPE_AT."""

    model_config = ConfigDict(frozen=True)
    kinds: Mapping[str, Sequence[float]]


class Thinking(BaseModel):
    """The model of human times that a match uses, stored with it."""

    model_config = ConfigDict(frozen=True)
    kinds: Mapping[str, Times] = {
        "roll": Times(mean=log(1900), spread=0.55),
        "single": Times(mean=log(2100), spread=0.5),
        "choice": Times(mean=log(3200), spread=0.6),
    }
    between: float = 0.3
    """Standard deviation between seats, on the same logarithmic scale."""
    paces: Sequence[float] | None = None
    """Quantiles of the recorded paces at SHAPE_AT; None is the normal curve with the deviation `between`."""
    classes: Sequence[PaceClass] = ()
    """From the quickest to the slowest, each as many people; none before there are enough records."""
    pace: float = 1.0
    """Everything is multiplied by this; 1 except in rehearsals."""
    observations: int = 0


class Observation(NamedTuple):
    """One recorded human decision: `seat` names one seat of one match."""

    seat: str
    kind: str
    ms: float


def kind_of(legal: Sequence[str]) -> str:
    """The kind of a decision among these moves: a word to say (again, keep), the only piece, or a choice of pieces."""
    if len(legal) == 1:
        return "single"
    return "roll" if all(text.isalpha() for text in legal) else "choice"


def uniform(seed: bytes, label: str) -> float:
    """A number strictly between 0 and 1 that only the holder of the seed can foresee."""
    digest = hmac.digest(seed, b"think:" + label.encode(), "sha256")
    return (int.from_bytes(digest[:7], "big") + 0.5) / (1 << 56)


def thinking_ms(model: Thinking, seed: bytes, seat: int, ply: int, legal: Sequence[str]) -> float:
    """How long the program on `seat` seems to think at `ply`."""
    kind, who, what = kind_of(legal), uniform(seed, f"seat{seat}"), uniform(seed, f"ply{ply}")
    own_pace = model.between * NORMAL.inv_cdf(who) if model.paces is None else quantile(model.paces, who)
    shape = model.classes[int(who * len(model.classes))].kinds.get(kind) if model.classes else None
    times = model.kinds[kind]
    deviation = times.mean + times.spread * NORMAL.inv_cdf(what) if shape is None else quantile(shape, what)
    return max(SHORTEST_MS, exp(own_pace + deviation)) * model.pace


def pass_ms(model: Thinking, seed: bytes, ply: int) -> float:
    """How long a pass that is no choice is shown, whoever passes."""
    low, high = PASS_MS
    return (low + (high - low) * uniform(seed, f"pass{ply}")) * model.pace


def quantile(shape: Sequence[float], at: float) -> float:
    """The value at a probability, between the kept quantiles on a straight line."""
    above = min(bisect_right(SHAPE_AT, at), len(SHAPE_AT) - 1)
    low, high = SHAPE_AT[above - 1], SHAPE_AT[above]
    return shape[above - 1] + (at - low) / (high - low) * (shape[above] - shape[above - 1])


Rows = Mapping[str, Sequence[tuple[str, float]]]
"""Per seat, its decisions: kind and logarithm of the milliseconds."""


def fit(observations: Iterable[Observation], pace: float = 1.0) -> Thinking:
    """The model of these times; kinds with too few of them keep their defaults."""
    default = Thinking(pace=pace)
    by_kind: Counter[str] = Counter()
    by_seat: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for observation in observations:
        by_kind[observation.kind] += 1
        by_seat[observation.seat].append((observation.kind, log(max(observation.ms, 1.0) / pace)))
    usable = {kind for kind in default.kinds if by_kind[kind] >= ENOUGH_FOR_A_FIT}
    seats: Rows = {seat: [row for row in rows if row[0] in usable] for seat, rows in by_seat.items()}
    if not usable:
        return default
    values = {kind: [value for rows in seats.values() for which, value in rows if which == kind] for kind in usable}
    means = {kind: fmean(values[kind]) for kind in usable}
    paces, between = seat_paces(seats, means)
    kinds = dict(default.kinds)
    for kind in usable:
        within = [
            value - paces.get(seat, 0.0) for seat, rows in seats.items() for which, value in rows if which == kind
        ]
        kinds[kind] = Times(mean=means[kind], spread=max(sqrt(pvariance(within)), 1e-3))
    classes = pace_classes(seats, paces, usable)
    return Thinking(
        kinds=kinds,
        between=between,
        paces=recorded_shape(list(paces.values())) if classes else None,
        classes=classes,
        pace=pace,
        observations=sum(map(len, values.values())),
    )


def seat_paces(seats: Rows, means: Mapping[str, float]) -> tuple[dict[str, float], float]:
    """How much slower than the average each seat is, drawn towards it as far as the figure is only noise; and how much
    seats differ (method of moments)."""
    known = {seat: rows for seat, rows in seats.items() if len(rows) >= ENOUGH_OF_A_SEAT}
    if len(known) < 2:
        return {}, 0.0
    effects = {seat: fmean(value - means[kind] for kind, value in rows) for seat, rows in known.items()}
    freedom = sum(len(rows) - 1 for rows in known.values())
    within = sum((v - means[kind] - effects[seat]) ** 2 for seat, rows in known.items() for kind, v in rows) / freedom
    observed = pvariance(effects.values()) * len(effects) / (len(effects) - 1)
    real = max(observed - fmean(within / len(rows) for rows in known.values()), 0.0)
    middle = fmean(effects.values())
    # Scaled so that the paces scatter as people really do, not as single figures of people do.
    scale = sqrt(real / observed) if observed else 0.0
    return {seat: middle + (effect - middle) * scale for seat, effect in effects.items()}, sqrt(real)


def pace_classes(seats: Rows, paces: Mapping[str, float], usable: Collection[str]) -> list[PaceClass]:
    """People sorted by pace into classes of equal size, each with its own scatter per kind of decision."""
    ordered = sorted(paces, key=lambda seat: (paces[seat], seat))
    number = min(MOST_CLASSES, len(ordered) // SEATS_PER_CLASS)
    return [
        PaceClass(
            kinds=_scatter(seats, paces, ordered[n * len(ordered) // number : (n + 1) * len(ordered) // number], usable)
        )
        for n in range(number)
    ]


def _scatter(
    seats: Rows, paces: Mapping[str, float], members: Sequence[str], usable: Collection[str]
) -> dict[str, Sequence[float]]:
    shapes: dict[str, Sequence[float]] = {}
    for kind in sorted(usable):
        own = [
            (value - paces[seat], len(seats[seat])) for seat in members for which, value in seats[seat] if which == kind
        ]
        if len(own) >= ENOUGH_FOR_A_FIT:
            middle = fmean(value for value, _ in own)
            # A seat's own times have drawn its pace towards them, so about it they scatter a little too little.
            shapes[kind] = recorded_shape([middle + (value - middle) * sqrt(n / (n - 1)) for value, n in own])
    return shapes


def recorded_shape(values: Sequence[float]) -> list[float]:
    """The quantiles of a record at SHAPE_AT."""
    ordered = sorted(values)
    last = len(ordered) - 1
    places = (at * last for at in SHAPE_AT)
    return [
        round(
            ordered[int(place)] + (place - int(place)) * (ordered[min(int(place) + 1, last)] - ordered[int(place)]), 4
        )
        for place in places
    ]
