"""The numbers of a minimax player of Tourality: their names, their ranges, and the text that holds them.

A text names what differs from the reference setting: `depth=13 plan=3`. All are whole numbers, so that every machine
computes the same.
"""

import re
from dataclasses import dataclass, fields
from typing import Final, NamedTuple

from npc.player import PlayerError

_NUMBER: Final = re.compile(r"-?\d{1,4}", re.ASCII)
DEEPEST_WITHOUT_TABLE: Final = 15


class Range(NamedTuple):
    """From where to where a number may go, both included, and what it is."""

    least: int
    most: int
    meaning: str


def _weight(meaning: str) -> Range:
    return Range(-1000, 1000, f"weight of {meaning}")


RANGES: Final[dict[str, Range]] = {
    "depth": Range(1, 21, "steps that it looks ahead, its own and the other's; an odd number"),
    "reward": Range(0, 1000, "what a leaf is worth on a path"),
    "decay": Range(0, 1000, "by how much less for each earlier step of whoever gathers it; never below 0"),
    "cost": Range(0, 1000, "what a step costs on a path"),
    "bonus": Range(0, 1000, "what a step that leads nearer to the nearest leaf earns on a path"),
    "plan": Range(1, 11, "own steps that are made before it looks ahead again"),
    "range": Range(-1, 100, "how far it looks for the nearest leaf, in steps; -1: everywhere"),
    "near": Range(0, 20, "how far the surroundings reach, in steps"),
    "table": Range(0, 20, "remembers 2 to this power of positions; the moves stay the same. 0: none"),
    "path": _weight("its path: rewards and bonuses less costs"),
    "other_path": _weight("the other's path"),
    "own": _weight("leaves that it gathers"),
    "other": _weight("leaves that the other gathers"),
    "surroundings": _weight("leaves around it, nearer ones more"),
    "other_surroundings": _weight("leaves around the other"),
    "nearest": _weight("steps to its nearest leaf"),
    "other_nearest": _weight("steps to the other's nearest leaf"),
    "distance": _weight("the straight distance to the other"),
    "territory": _weight("leaves that it is nearer to, less those that the other is nearer to"),
}


@dataclass(frozen=True, slots=True)
class Parameters:
    """The reference setting, unless told otherwise. Raises PlayerError if a number is out of its range."""

    depth: int = 11
    reward: int = 18
    decay: int = 3
    cost: int = 0
    bonus: int = 2
    plan: int = 1
    range: int = -1
    near: int = 3
    table: int = 16
    path: int = 6
    other_path: int = 0
    own: int = 1
    other: int = 0
    surroundings: int = 1
    other_surroundings: int = 0
    nearest: int = -4
    other_nearest: int = 0
    distance: int = 0
    territory: int = 0

    def __post_init__(self) -> None:
        for name, limits in RANGES.items():
            value = getattr(self, name)
            if not limits.least <= value <= limits.most:
                raise PlayerError(f"{name} takes whole numbers from {limits.least} to {limits.most}, not {value}")
        if self.depth % 2 == 0:
            raise PlayerError(f"depth is odd, so that the last step is its own, not {self.depth}")
        if self.plan > (own := (self.depth + 1) // 2):
            raise PlayerError(f"depth {self.depth} has {own} own steps, too few for plan={self.plan}")
        if self.table == 0 and self.depth > DEEPEST_WITHOUT_TABLE:
            raise PlayerError(f"without a table depth is at most {DEEPEST_WITHOUT_TABLE}, not {self.depth}")

    def __str__(self) -> str:
        """What differs from the reference, in the order of the names; `read_parameters` gives the same again."""
        return " ".join(
            f"{each.name}={getattr(self, each.name)}"
            for each in fields(self)
            if getattr(self, each.name) != getattr(REFERENCE, each.name)
        )


REFERENCE: Final = Parameters()


def read_parameters(text: str) -> Parameters:
    """The setting that a text names. Raises PlayerError: which parameter, what it takes, and what came."""
    found: dict[str, int] = {}
    for word in text.split():
        name, equals, written = word.partition("=")
        if name not in RANGES or not equals:
            raise PlayerError(f"a parameter is written name=number with one of {', '.join(RANGES)}, not {word[:40]!r}")
        if name in found:
            raise PlayerError(f"{name} is named twice")
        if not _NUMBER.fullmatch(written):
            limits = RANGES[name]
            raise PlayerError(f"{name} takes whole numbers from {limits.least} to {limits.most}, not {written[:40]!r}")
        found[name] = int(written)
    return Parameters(**found)
