"""The seventeen numbers of a search with a personality: their names, their ranges, and the text that holds them.

A text names what differs from the default: `simulations=300 rave=100 aggressiveness=1.5/2`. Pairs have a number for the
seat that searches and one for all others; one number alone counts for both.
"""

import re
from dataclasses import dataclass, fields
from typing import Final, NamedTuple

from npc.player import PlayerError

_NUMBER: Final = re.compile(r"\d{1,6}(\.\d{1,30})?(e-\d{1,3})?", re.ASCII)
PAIR: Final = "/"

Pair = tuple[float, float]
Value = int | float | Pair


class Range(NamedTuple):
    """From where to where a number may go, both included, and what it is."""

    least: float
    most: float
    meaning: str
    whole: bool = False
    pair: bool = False

    def __str__(self) -> str:
        sort = "whole numbers" if self.whole else "numbers"
        return f"{'one or two ' if self.pair else ''}{sort} from {self.least:g} to {self.most:g}"


RANGES: Final[dict[str, Range]] = {
    "simulations": Range(1, 100_000, "games that are played out for a decision", whole=True),
    "rave": Range(0, 5000, "how long moves are also judged by what they did later in a game", whole=True),
    "grave": Range(0, 120, "games below which a place in the tree asks an earlier one for that", whole=True),
    "charge_depth": Range(0, 100, "moves after which a play-out is cut off", whole=True),
    "horizon": Range(1, 20, "how many moves deep the tree may grow", whole=True),
    "exploration_factor": Range(1, 140, "how much it tries what it knows little of", whole=True),
    "tree_discount": Range(0.9, 1, "what is left of a result per move within the tree"),
    "charge_discount": Range(0.9, 1, "what is left of a result per move of a play-out"),
    "epsilon": Range(0, 1, "how often a play-out prefers moves that did well, instead of any move"),
    "charge_defaults": Range(35, 45, "what a play-out that was cut off counts", pair=True),
    "defensiveness": Range(0, 3, "by what bad results are multiplied", pair=True),
    "aggressiveness": Range(0, 3, "by what good results are multiplied", pair=True),
    "random_error": Range(0, 1, "how often it plays any move instead of its best"),
    "nice_threshold": Range(0, 100, "by how much its best move must be better than the second, or that is played"),
}


@dataclass(frozen=True, slots=True)
class Parameters:
    """A personality. Raises PlayerError if a number is out of its range."""

    simulations: int = 1000
    rave: int = 0
    grave: int = 0
    charge_depth: int = 100
    horizon: int = 20
    exploration_factor: int = 50
    tree_discount: float = 0.99
    charge_discount: float = 0.998
    epsilon: float = 0.0
    charge_defaults: Pair = (40.0, 40.0)
    defensiveness: Pair = (1.0, 1.0)
    aggressiveness: Pair = (1.0, 1.0)
    random_error: float = 0.0
    nice_threshold: float = 0.0

    def __post_init__(self) -> None:
        for name, limits in RANGES.items():
            value = getattr(self, name)
            numbers = value if limits.pair else (value,)
            if not all(limits.least <= number <= limits.most for number in numbers):
                raise PlayerError(f"{name} takes {limits}, not {_written(value)}")

    def __str__(self) -> str:
        """What differs from the default, in the order of the names; `read_parameters` gives the same again."""
        differing = ((each.name, getattr(self, each.name)) for each in fields(self))
        return " ".join(f"{name}={_written(value)}" for name, value in differing if value != getattr(DEFAULT, name))


DEFAULT: Final = Parameters()


def read_parameters(text: str) -> Parameters:
    """The personality that a text names. Raises PlayerError: which parameter, its range, and what came."""
    found: dict[str, Value] = {}
    for word in text.split():
        name, equals, written = word.partition("=")
        limits = RANGES.get(name)
        if limits is None or not equals:
            raise PlayerError(f"a parameter is written name=number with one of {', '.join(RANGES)}, not {word[:40]!r}")
        if name in found:
            raise PlayerError(f"{name} is named twice")
        found[name] = _read(name, limits, written)
    return Parameters(**found)  # type: ignore[arg-type]  # each has the type of its range


def _read(name: str, limits: Range, written: str) -> Value:
    numbers = written.split(PAIR)
    if len(numbers) > 1 + limits.pair or not all(map(_NUMBER.fullmatch, numbers)):
        raise PlayerError(f"{name} takes {limits}, not {written[:40]!r}")
    if limits.whole:
        if not written.isdigit():
            raise PlayerError(f"{name} takes {limits}, not {written[:40]!r}")
        return int(written)
    return (float(numbers[0]), float(numbers[-1])) if limits.pair else float(written)


def _written(value: Value) -> str:
    if isinstance(value, tuple):
        first, second = map(_written, value)
        return first if first == second else f"{first}{PAIR}{second}"
    whole = int(value)
    return str(whole) if value == whole else repr(value)
