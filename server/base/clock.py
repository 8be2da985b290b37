"""The one source of the present time; tests put another clock in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    return datetime.now(UTC)


_clock: Clock = system_clock


def now() -> datetime:
    """The present time, always with the zone UTC."""
    return _clock()


@contextmanager
def use_clock(clock: Clock) -> Iterator[None]:
    """Let `now()` ask another clock for a while."""
    global _clock
    before, _clock = _clock, clock
    try:
        yield
    finally:
        _clock = before


class ManualClock:
    """A clock that only moves when told to."""

    def __init__(self, start: datetime | None = None):
        self.time = start or system_clock()

    def __call__(self) -> datetime:
        return self.time

    def advance(self, by: timedelta) -> None:
        self.time += by
