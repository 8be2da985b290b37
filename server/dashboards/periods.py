"""Cutting a span of time into hours, days or weeks, none of them left out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import StrEnum


class Unit(StrEnum):
    """What Postgres calls them."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"


# Postgres' date_trunc knows calendars and is ten times slower than counting lengths from a Monday on.
SQL = "date_bin('1 {unit}', {time}, '2001-01-01 00:00+00')"

LENGTHS = {Unit.HOUR: timedelta(hours=1), Unit.DAY: timedelta(days=1), Unit.WEEK: timedelta(weeks=1)}
LONGEST = {Unit.HOUR: timedelta(days=3), Unit.DAY: timedelta(days=120)}
"""Up to which span a unit is used; a plot then has at most about 120 periods."""


def unit_for(span: timedelta) -> Unit:
    return next((unit for unit, longest in LONGEST.items() if span <= longest), Unit.WEEK)


def sql(time: str, unit: Unit) -> str:
    """The beginning of the period that a column is in, as SQL."""
    return SQL.format(unit=unit.value, time=time)


def start_of(moment: datetime, unit: Unit) -> datetime:
    """The beginning of the period that `moment` (UTC) is in; weeks begin on Monday."""
    if unit is Unit.HOUR:
        return moment.replace(minute=0, second=0, microsecond=0)
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight if unit is Unit.DAY else midnight - timedelta(days=midnight.weekday())


def periods(since: datetime, until: datetime, unit: Unit) -> Iterator[datetime]:
    """The beginnings of all periods that touch the span."""
    at = start_of(since, unit)
    while at < until:
        yield at
        at += LENGTHS[unit]
