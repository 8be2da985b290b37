"""Shares and means with what they were counted from, as the science in lab/ wants them."""

from __future__ import annotations

from collections.abc import Sequence

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import numpy as np

from lab.intervals import wilson
from lab.turing.shares import Answers, clustered_share
from server.dashboards.schemas import Share


def share(yes: int, of: int) -> Share:
    """A share of things that do not depend on each other."""
    interval = wilson(yes, of)
    return Share(share=yes / of if of else None, low=interval.low, high=interval.high, of=of)


def clustered(rows: Sequence[asyncpg.Record]) -> Share:
    """The share of `yes` in `trials` with its interval, each row being one person."""
    if not rows:
        return share(0, 0)
    counted = clustered_share(
        Answers(
            judges=tuple(str(row["person_id"]) for row in rows),
            trials=np.array([row["trials"] for row in rows], dtype=np.float64),
            yes=np.array([row["yes"] for row in rows], dtype=np.float64),
        )
    )
    return Share(share=counted.share, low=counted.interval.low, high=counted.interval.high, of=counted.judgements)


def mean(rows: Sequence[asyncpg.Record], sums: str, counts: str) -> float | None:
    """The mean of what was summed and counted by row; None where nothing was."""
    count = sum(row[counts] for row in rows)
    return sum(row[sums] or 0.0 for row in rows) / count if count else None
