"""How long people think, and when a program therefore shows its move.

The time for a decision is log-normal, with its own middle and spread per kind of decision and a pace that belongs to
one seat in one match: people differ. `fit` learns all of this from recorded human times; with enough of them the shape
of the distribution is taken from the record too, instead of the normal curve. Draws follow from the match's secret
seed, so that every process finds the same deadline.
"""

import hmac
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log, sqrt
from statistics import NormalDist, fmean, pvariance
from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict

NORMAL: Final = NormalDist()
ENOUGH_FOR_A_FIT: Final = 60
ENOUGH_FOR_A_SHAPE: Final = 400
ENOUGH_OF_A_SEAT: Final = 4
SHAPE_STEPS: Final = 40
PASS_MS: Final = (900, 1900)
SHORTEST_MS: Final = 250


class Times(BaseModel):
    """Mean and standard deviation of the logarithm of the milliseconds for one kind of decision."""

    model_config = ConfigDict(frozen=True)
    mean: float
    spread: float


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
    shape: Sequence[float] | None = None
    """Quantiles of the standardised logarithms at 0, 1/40, ... 1; None is the normal curve."""
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
    times = model.kinds[kind_of(legal)]
    own_pace = model.between * NORMAL.inv_cdf(uniform(seed, f"seat{seat}"))
    deviate = quantile(model.shape, uniform(seed, f"ply{ply}"))
    return max(SHORTEST_MS, exp(times.mean + own_pace + times.spread * deviate)) * model.pace


def pass_ms(model: Thinking, seed: bytes, ply: int) -> float:
    """How long a pass that is no choice is shown, whoever passes."""
    low, high = PASS_MS
    return (low + (high - low) * uniform(seed, f"pass{ply}")) * model.pace


def quantile(shape: Sequence[float] | None, at: float) -> float:
    """The standardised deviate at a probability: from the recorded shape, or of the normal curve."""
    if shape is None:
        return NORMAL.inv_cdf(at)
    place = at * (len(shape) - 1)
    lower = int(place)
    return shape[lower] + (place - lower) * (shape[lower + 1] - shape[lower])


def fit(observations: Iterable[Observation], pace: float = 1.0) -> Thinking:
    """The model of these times; kinds with too few of them keep their defaults."""
    default = Thinking(pace=pace)
    by_kind: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for observation in observations:
        by_kind[observation.kind].append((observation.seat, log(max(observation.ms, 1.0) / pace)))
    usable = {kind: rows for kind, rows in by_kind.items() if kind in default.kinds and len(rows) >= ENOUGH_FOR_A_FIT}
    if not usable:
        return default
    means = {kind: fmean(value for _, value in rows) for kind, rows in usable.items()}
    deviations: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for kind, rows in usable.items():
        for seat, value in rows:
            deviations[seat].append((kind, value - means[kind]))
    residuals = {kind: within_seats(rows) for kind, rows in usable.items()}
    kinds = dict(default.kinds)
    standardised: list[float] = []
    for kind, values in residuals.items():
        if len(values) >= ENOUGH_FOR_A_FIT // 2:
            spread = max(sqrt(pvariance(values, 0.0)), 1e-3)
            kinds[kind] = Times(mean=means[kind], spread=spread)
            standardised += [value / spread for value in values]
    shape = recorded_shape(standardised) if len(standardised) >= ENOUGH_FOR_A_SHAPE else None
    return Thinking(
        kinds=kinds, between=seat_spread(deviations), shape=shape, pace=pace, observations=len(standardised)
    )


def within_seats(rows: Iterable[tuple[str, float]]) -> list[float]:
    """How the times of a seat for one kind of decision scatter about their own mean, for seats with enough of them."""
    by_seat: dict[str, list[float]] = defaultdict(list)
    for seat, value in rows:
        by_seat[seat].append(value)
    residuals: list[float] = []
    for values in by_seat.values():
        if len(values) >= ENOUGH_OF_A_SEAT:
            middle, lost_freedom = fmean(values), sqrt(len(values) / (len(values) - 1))
            residuals += [(value - middle) * lost_freedom for value in values]
    return residuals


def seat_spread(deviations: Mapping[str, Sequence[tuple[str, float]]]) -> float:
    """The standard deviation between seats, by the method of moments."""
    effects = {seat: fmean(value for _, value in rows) for seat, rows in deviations.items()}
    several = {seat: rows for seat, rows in deviations.items() if len(rows) > 1}
    freedom = sum(len(rows) - 1 for rows in several.values())
    if freedom == 0 or len(several) < 2:
        return 0.0
    within = sum((value - effects[seat]) ** 2 for seat, rows in several.items() for _, value in rows) / freedom
    noise = fmean(within / len(rows) for rows in several.values())
    middle = fmean(effects[seat] for seat in several)
    observed = sum((effects[seat] - middle) ** 2 for seat in several) / (len(several) - 1)
    return sqrt(max(observed - noise, 0.0))


def recorded_shape(values: Sequence[float]) -> list[float]:
    """The quantiles of a record, evenly spaced in probability."""
    ordered = sorted(values)
    places = (step * (len(ordered) - 1) / SHAPE_STEPS for step in range(SHAPE_STEPS + 1))
    return [
        ordered[int(place)]
        + (place - int(place)) * (ordered[min(int(place) + 1, len(ordered) - 1)] - ordered[int(place)])
        for place in places
    ]
