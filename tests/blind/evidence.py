"""What can be counted about a seat: its times given the situations, its frames, and how well programs foretell it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from server.live.thinking.situations import FEATURES, Situation

Floats = NDArray[np.float64]
Numbers = Mapping[str, float]

SLOPE_RIDGE = 2.0
LONGEST_LAG = 3


@dataclass(frozen=True, slots=True)
class Evidence:
    """About one seat in one match, as one observer saw it: numbers by where they come from."""

    match: int
    person: bool
    frames: Numbers
    """Fields, sizes, clocks and order of the frames about this seat."""
    times: Numbers
    """How long the seat took, as it was seen."""
    meant: Numbers
    """The same as it was meant, before a server and a network came between; nobody sees it."""
    computed: Numbers
    """What somebody finds out who has our source, and computes what programs would do with all that is known."""

    def honest(self) -> Numbers:
        return {**self.frames, **self.times}

    def hostile(self) -> Numbers:
        return {**self.frames, **self.times, **self.computed}


def evidence_of_times(seen: Sequence[tuple[Situation, float]]) -> dict[str, float]:
    """How long a seat took, on the whole and given what stood before it."""
    numbers: dict[str, float] = {"decisions": len(seen)}
    if not seen:
        return numbers
    logs = np.log([max(ms, 0.1) for _, ms in seen])
    kinds = np.array([situation.kind for situation, _ in seen])
    rest = logs.copy()
    for kind in np.unique(kinds):
        own = logs[kinds == kind]
        rest[kinds == kind] -= own.mean()
        numbers |= {f"{kind} {name}": value for name, value in shape(own).items()}
    features = np.array([situation.features for situation, _ in seen])
    centred = features - features.mean(axis=0)
    slopes = np.linalg.solve(centred.T @ centred + SLOPE_RIDGE * np.eye(len(FEATURES)), centred.T @ rest)
    numbers |= {f"slope of {name}": float(slope) for name, slope in zip(FEATURES, slopes, strict=True)}
    left = rest - centred @ slopes
    numbers |= {f"left {name}": value for name, value in shape(left).items()}
    for lag in range(1, LONGEST_LAG + 1):
        numbers[f"alike {lag}"] = likeness(rest, lag)
        numbers[f"left alike {lag}"] = likeness(left, lag)
    return numbers


def shape(values: Floats) -> dict[str, float]:
    if len(values) < 3:
        return {"mean": float(values.mean())} if len(values) else {}
    low, high = np.quantile(values, [0.1, 0.9])
    middle = np.median(values)
    return {
        "mean": float(values.mean()),
        "spread": float(values.std()),
        "low": float(middle - low),
        "high": float(high - middle),
        "least": float(values.min()),
        "most": float(values.max()),
    }


def likeness(values: Floats, lag: int) -> float:
    """The correlation of decisions so far apart."""
    if len(values) < lag + 3 or values.std() < 1e-9:
        return 0.0
    about = values - values.mean()
    return float((about[lag:] @ about[:-lag]) / (about @ about))
