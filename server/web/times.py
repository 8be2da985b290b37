"""Days, moments and durations as every page and mail writes them: one way, in the reader's language, times in UTC.

On pages a moment is a `<time>` that the browser writes again in the reader's own time zone (client_web/src/times.ts);
where no script runs it stays as it is and says that it is UTC.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from babel.dates import format_date
from babel.units import format_unit
from markupsafe import Markup

from server.web.translations import locale

UNITS: Final = {
    "week": timedelta(weeks=1),
    "day": timedelta(days=1),
    "hour": timedelta(hours=1),
    "minute": timedelta(minutes=1),
    "second": timedelta(seconds=1),
}

DURATION: Final = re.compile(rf"(?P<number>\d{{1,9}}(?:\.\d{{1,6}})?)(?: (?P<unit>{'|'.join(UNITS)})s?)?")


def instant(written: str) -> datetime:
    """A moment as data have it, such as "2026-11-16 14:05:00+00:00"."""
    return datetime.fromisoformat(written)


def day(at: datetime, language: str) -> str:
    return format_date(at.astimezone(UTC), "medium", locale=locale(language))


def moment(at: datetime, language: str) -> str:
    """To the minute, and with 24 hours: whoever needs seconds has the exports."""
    return f"{day(at, language)}, {at.astimezone(UTC):%H:%M} UTC"


def shown_moment(at: datetime, language: str) -> Markup:
    """The same for a page."""
    exact = at.astimezone(UTC).isoformat(timespec="seconds")
    return Markup('<time datetime="{}" data-local>{}</time>').format(exact, moment(at, language))


def shown_clock(at: datetime, language: str) -> Markup:  # noqa: ARG001 - all filters have the language
    """The time of day, for a page."""
    exact = at.astimezone(UTC)
    return Markup('<time datetime="{}" data-local="clock">{:%H:%M} UTC</time>').format(
        exact.isoformat(timespec="seconds"), exact
    )


def read_duration(written: str) -> timedelta | None:
    """What "45.5" (seconds), "90 minutes" or "4 weeks" say; nothing if it is written in another way."""
    found = DURATION.fullmatch(written.strip())
    try:
        return float(found["number"]) * UNITS[found["unit"] or "second"] if found else None
    except OverflowError:
        return None


def unit_of(span: timedelta) -> str:
    """The largest unit in which the span is a whole number: six weeks are no 3628800 seconds."""
    return next((unit for unit, length in UNITS.items() if span and not span % length), "second")


def amount(span: timedelta, unit: str) -> float | int:
    """How many of the units the span has, 20 rather than 20.0."""
    number = span / UNITS[unit]
    return int(number) if number.is_integer() else number


def duration(span: timedelta, language: str) -> str:
    """Exact, such as "4 weeks" or "45.5 seconds"."""
    unit = unit_of(span)
    return format_unit(amount(span, unit), f"duration-{unit}", locale=locale(language))
