"""Is a series flat? A line through it, with an interval that knows that neighbouring samples are alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

NORMAL_95: Final = 1.96


@dataclass(frozen=True, slots=True)
class Trend:
    mean: float
    slope: float
    """Per unit of time."""
    low: float
    high: float
    """The 95 % interval of the slope."""

    def verdict(self, tolerance: float) -> str:
        """Flat if the whole interval is within the tolerance; else rising or falling if zero is not in it."""
        if -tolerance <= self.low and self.high <= tolerance:
            return "flat"
        if self.low > 0:
            return "rises"
        return "falls" if self.high < 0 else "no trend"


def trend(times: Sequence[float], values: Sequence[float]) -> Trend:
    """Least squares; the error of the slope after Newey and West, with their usual window (Bartlett weights)."""
    t, y = np.asarray(times, float), np.asarray(values, float)
    if len(t) < 3:
        raise ValueError(f"a trend needs at least three samples, got {len(t)}")
    away = t - t.mean()
    spread = float((away**2).sum())
    slope = float((away * y).sum() / spread)
    scores = away * (y - y.mean() - slope * away)
    lags = max(1, round(4 * (len(t) / 100) ** 0.25))
    variance = float((scores**2).sum())
    for lag in range(1, lags + 1):
        variance += 2 * (1 - lag / (lags + 1)) * float((scores[lag:] * scores[:-lag]).sum())
    error = NORMAL_95 * np.sqrt(max(variance, 0.0) * len(t) / (len(t) - 2)) / spread
    return Trend(float(y.mean()), slope, slope - float(error), slope + float(error))
