"""The board as data: how long the track is, where the goals, switches and MINUS THREE fields lie.

A `Layout` is checked when it is made, so that every layout that exists can be played to an end; one that makes no sense
is refused with the reason. Tables that the referee needs are computed once. They are indexed by field, and because
Python counts -1 from the end, their last entry is the stack.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from games.protocol import GameError

STACK: Final = -1
START: Final = 0
SEATS: Final = ("r", "g", "b")
PIECES_PER_SEAT: Final = 3
PIECES: Final = PIECES_PER_SEAT * len(SEATS)
STEPS_BACK: Final = 3
MOST_POINTS: Final = 12
MOST_FIELDS: Final = 200


class LayoutError(GameError):
    """A board on which Jostle cannot be played. The message says why."""


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """A track of `fields` fields, numbered from 0 (START); `goals` are the points of the last ones, in track order."""

    name: str
    fields: int
    goals: tuple[int, ...]
    switches: tuple[tuple[int, int], ...] = ()
    minus_three: tuple[int, ...] = ()

    last: int = field(init=False, repr=False)
    first_goal: int = field(init=False, repr=False)
    goal_fields: frozenset[int] = field(init=False, repr=False)
    special: frozenset[int] = field(init=False, repr=False)
    worth: tuple[int, ...] = field(init=False, repr=False)
    """By field: the points of a goal, else 0."""
    reach: tuple[int, ...] = field(init=False, repr=False)
    """By field: with how many points at most a piece may leave it; 0 on a goal."""
    carry: tuple[int, ...] = field(init=False, repr=False)
    """By field: where its special effect carries a piece; the field itself if it has none."""
    key: tuple[object, ...] = field(init=False, repr=False)
    code: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check(self)
        last = self.fields - 1
        first_goal = self.fields - len(self.goals)
        carry = [*range(self.fields), STACK]
        for low, high in self.switches:
            carry[low], carry[high] = high, low
        for source in self.minus_three:
            carry[source] = source - STEPS_BACK
        derived: dict[str, object] = {
            "last": last,
            "first_goal": first_goal,
            "goal_fields": frozenset(range(first_goal, self.fields)),
            "special": frozenset(f for f in range(self.fields) if carry[f] != f),
            "worth": (*(0 for _ in range(first_goal)), *self.goals, 0),
            "reach": (*(last - f for f in range(first_goal)), *(0 for _ in self.goals), last - STACK),
            "carry": tuple(carry),
            "key": (self.name, self.fields, self.goals, self.switches, self.minus_three),
            # Numbers only: the hash of a text differs from process to process, and layouts travel between processes.
            "code": hash((self.fields, self.goals, self.switches, self.minus_three)),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Layout) and self.key == other.key)

    def __hash__(self) -> int:
        return self.code

    @property
    def tiles(self) -> Mapping[int, str]:
        """What each field is called, from the stack (-1) to the last goal: n, start, switch@k, back@3, goal@k."""
        names = dict.fromkeys(range(STACK, self.fields), "n")
        names[START] = "start"
        for number, pair in enumerate(self.switches, start=1):
            for end in pair:
                names[end] = f"switch@{number}"
        for source in self.minus_three:
            names[source] = f"back@{STEPS_BACK}"
        for offset, points in enumerate(self.goals):
            names[self.first_goal + offset] = f"goal@{points}"
        return names


def check(layout: Layout) -> None:
    """Raises LayoutError if the board makes no sense.

    Goals are the end of the track by construction: one that pieces could pass might stay empty, and the game never end.
    """
    fields, goals = layout.fields, len(layout.goals)
    if not layout.name or any(c in layout.name for c in '"\\:') or not layout.name.isprintable():
        raise LayoutError(f"a layout needs a printable name without quotes and colons, not {layout.name!r}")
    if not 2 <= fields <= MOST_FIELDS:
        raise LayoutError(f"a track has 2 to {MOST_FIELDS} fields, not {fields}")
    if not 1 <= goals <= min(PIECES, fields - 1):
        raise LayoutError(f"a track of {fields} fields has 1 to {min(PIECES, fields - 1)} goals, not {goals}")
    for points in layout.goals:
        if points < 1:
            raise LayoutError(f"a goal is worth at least one point, not {points}")
    taken: dict[int, str] = {START: "START"}
    taken.update((f, "a goal") for f in range(fields - goals, fields))
    for low, high in layout.switches:
        if low >= high:
            raise LayoutError(f"a switch pair names its lower field first, not {low} and {high}")
        _take(low, "a switch", taken, fields)
        _take(high, "a switch", taken, fields)
    for source in layout.minus_three:
        _take(source, "MINUS THREE", taken, fields)
        if source < STEPS_BACK:
            raise LayoutError(f"MINUS THREE on field {source} would lead beyond START")


def _take(number: int, what: str, taken: dict[int, str], fields: int) -> None:
    if not 0 <= number < fields:
        raise LayoutError(f"{what} on field {number} lies outside the track 0 to {fields - 1}")
    if number in taken:
        raise LayoutError(f"field {number} cannot be {what}: it is already {taken[number]}")
    taken[number] = what


STANDARD: Final = Layout(
    name="standard",
    fields=31,
    goals=(1, 2, 3, 4, 5),
    switches=((6, 14), (13, 18)),
    minus_three=(10, 22, 23),
)
