"""How long people think, and when a program therefore shows its move.

The logarithm of the time for a decision is a sum: a middle per kind of decision, what the situation adds to it (more
moves, a piece just lost, the first decision; see situations.py), a pace that belongs to one seat in one match, because
people differ, and chance, of which a part lasts from one decision of a seat to the next, because people are alike from
move to move. `fitting.py` learns all of this from recorded human times. With enough of them nothing is left
to the normal curve: how paces are distributed, and how the times of slow, middling and quick people scatter for each
kind of decision, is taken from the record. (A model with one shape for all was told from people who cannot answer
faster than their hand moves, because the quick ones scatter less.)

Kinds of decisions are whatever a game calls them (`Position.question`). Draws follow from the match's secret and the
number of the decision, so that every process finds the same deadline.
"""

import hmac
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from math import exp, log, sqrt
from statistics import NormalDist
from typing import Final

from pydantic import BaseModel, ConfigDict

from server.live.thinking.situations import Situation

NORMAL: Final = NormalDist()
SHAPE_AT: Final = (0.0, 0.005, 0.01, 0.02, 0.035, *(step / 20 for step in range(1, 20)), 0.965, 0.98, 0.99, 0.995, 1.0)
"""The probabilities at which a recorded distribution is kept: closer together at its ends, where quantiles spread."""
PASS_MS: Final = (900, 1900)
SHORTEST_MS: Final = 250
LONGEST_MEMORY: Final = 60
"""So many decisions back what lasts is followed; of the strongest echo 5 % are left by then."""


class Times(BaseModel):
    """The logarithm of the milliseconds for one kind of decision: mean, standard deviation, what situations add."""

    model_config = ConfigDict(frozen=True)
    mean: float
    spread: float
    weights: Sequence[float] = ()
    """By situations.FEATURES; none if the situation is not known to matter."""
    centre: Sequence[float] = ()
    """The features to which the mean belongs."""

    def added(self, features: Sequence[float]) -> float:
        """What a situation adds to the mean; features that it does not tell, or of which nothing was learnt, add
        nothing."""
        return sum([w * (x - c) for w, x, c in zip(self.weights, features, self.centre, strict=False)])


UNKNOWN_KIND: Final = Times(mean=log(3200), spread=0.6)
"""Of decisions of which there are no records and no estimate."""


class PaceClass(BaseModel):
    """People of a like pace: per kind of decision, quantiles of the logarithm beside their own pace and what the
    situation adds, at SHAPE_AT."""

    model_config = ConfigDict(frozen=True)
    kinds: Mapping[str, Sequence[float]]


class Thinking(BaseModel):
    """The model of human times that a match uses, stored with it."""

    model_config = ConfigDict(frozen=True)
    kinds: Mapping[str, Times] = {
        "roll": Times(mean=log(1900), spread=0.55),
        "single": Times(mean=log(2100), spread=0.5),
        "choice": UNKNOWN_KIND,
    }
    other: Times = UNKNOWN_KIND
    """Of kinds that are not among them."""
    between: float = 0.3
    """Standard deviation between seats, on the same logarithmic scale."""
    paces: Sequence[float] | None = None
    """Quantiles of the recorded paces at SHAPE_AT; None is the normal curve with the deviation `between`."""
    classes: Sequence[PaceClass] = ()
    """From the quickest to the slowest, each as many people; none before there are enough records."""
    shape: Sequence[float] | None = None
    """Quantiles of chance in units of the spread at SHAPE_AT, where classes have none; None is the normal curve."""
    lasting: float = 0.0
    """Share of chance that lasts from one decision of a seat to its next."""
    echo: float = 0.0
    """How much of that is still there one decision later."""
    pace: float = 1.0
    """Everything is multiplied by this; 1 except in rehearsals."""
    observations: int = 0


def uniform(secret: bytes, label: str) -> float:
    """A number strictly between 0 and 1 that only the holder of the secret can foresee."""
    digest = hmac.digest(secret, b"think:" + label.encode(), "sha256")
    return (int.from_bytes(digest[:7], "big") + 0.5) / (1 << 56)


def thinking_ms(model: Thinking, secret: bytes, seat: int, situation: Situation) -> float:
    """How long the program on `seat` seems to think about a decision."""
    kind, number, features = situation
    who, what = uniform(secret, f"seat{seat}"), chance(model, secret, seat, number)
    own_pace = model.between * NORMAL.inv_cdf(who) if model.paces is None else quantile(model.paces, who)
    recorded = model.classes[int(who * len(model.classes))].kinds.get(kind) if model.classes else None
    times = model.kinds.get(kind, model.other)
    if recorded is not None:
        deviation = quantile(recorded, what)
    else:
        standard = NORMAL.inv_cdf(what) if model.shape is None else quantile(model.shape, what)
        deviation = times.mean + times.spread * standard
    return max(SHORTEST_MS, exp(own_pace + times.added(features) + deviation)) * model.pace


def chance(model: Thinking, secret: bytes, seat: int, number: int) -> float:
    """A number between 0 and 1 for the n-th decision of a seat: even, and like that of the decision before."""
    if not model.lasting:
        return uniform(secret, f"decision{seat}:{number}")
    first = max(0, number - LONGEST_MEMORY)
    lasts = NORMAL.inv_cdf(uniform(secret, f"lasting{seat}:{first}"))
    fresh = sqrt(1 - model.echo**2)
    for earlier in range(first + 1, number + 1):
        lasts = model.echo * lasts + fresh * NORMAL.inv_cdf(uniform(secret, f"lasting{seat}:{earlier}"))
    passing = NORMAL.inv_cdf(uniform(secret, f"decision{seat}:{number}"))
    return NORMAL.cdf(sqrt(model.lasting) * lasts + sqrt(1 - model.lasting) * passing)


def pass_ms(model: Thinking, secret: bytes, ply: int) -> float:
    """How long it is shown that there is no choice, whoever has none."""
    low, high = PASS_MS
    return (low + (high - low) * uniform(secret, f"pass{ply}")) * model.pace


def quantile(shape: Sequence[float], at: float) -> float:
    """The value at a probability, between the kept quantiles on a straight line."""
    above = min(bisect_right(SHAPE_AT, at), len(SHAPE_AT) - 1)
    low, high = SHAPE_AT[above - 1], SHAPE_AT[above]
    return shape[above - 1] + (at - low) / (high - low) * (shape[above] - shape[above - 1])
