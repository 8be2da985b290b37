"""What every game among players shows: a number for each seat."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

Value = Callable[[Any], float | None]
"""The number that a seat's record gives; None if that game says nothing about it."""


class Measure(NamedTuple):
    """A number that every game gives for every seat."""

    name: str
    meaning: str
    value: Value
    share: bool = False


MEASURES: Final[Mapping[str, Measure]] = {
    measure.name: measure
    for measure in (
        Measure("wins", "share of games won, shared wins in parts", lambda record: record.win, share=True),
        Measure("score", "points at the end", lambda record: record.score),
        Measure("turns", "own turns per game", lambda record: record.turns),
        Measure("faults", "decisions lost by a rule base per game", lambda record: record.faults),
    )
}
