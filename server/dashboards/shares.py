"""Shares and means with what they were counted from, as the science in lab/ wants them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lab.arrays import Floats
from lab.intervals import wilson
from lab.turing.shares import share_of_sums
from server.dashboards.schemas import Share


def share(yes: int, of: int) -> Share:
    """A share of things that do not depend on each other."""
    interval = wilson(yes, of)
    return Share(share=yes / of if of else None, low=interval.low, high=interval.high, of=of)


# One row per person, whose answers resemble each other, then arrays of them: Postgres sums, lab/ computes the interval.
BY_PERSON = """
SELECT period, array_agg(trials) AS trials, array_agg(yes) AS yes,
       sum(fun) / nullif(sum(funs), 0) AS fun, sum(challenge) / nullif(sum(challenges), 0) AS challenge
FROM (
    SELECT {period} AS period, count(*) AS trials, count(*) FILTER (WHERE verdict = 'artificial') AS yes,
           sum((enjoyment - 1) / 4.0)::float8 AS fun, count(enjoyment) AS funs,
           sum(CASE challenge WHEN 'not' THEN 0 WHEN 'somewhat' THEN 0.5 WHEN 'overstraining' THEN 1 END)::float8
               AS challenge,
           count(*) FILTER (WHERE challenge <> 'unsure') AS challenges
    FROM judgements j WHERE {where} GROUP BY 1, person_id
) AS person GROUP BY 1 ORDER BY 1
"""


def by_person(where: str, period: str = "0") -> str:
    """What was said per period about the seats of the judgements that `where` chooses."""
    return BY_PERSON.format(where=where, period=period)


def clustered(trials: Sequence[int] | Floats, yes: Sequence[int] | Floats) -> Share:
    """The share of `yes` in `trials` with its interval; each place is one person."""
    if len(trials) == 0:
        return share(0, 0)
    counted = share_of_sums(np.asarray(trials, dtype=np.float64), np.asarray(yes, dtype=np.float64))
    return Share(share=counted.share, low=counted.interval.low, high=counted.interval.high, of=counted.judgements)
