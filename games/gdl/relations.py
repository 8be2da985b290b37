"""What is known of a relation: its rows, found by any of their columns, and what finding them may cost."""

from collections.abc import Callable, Hashable
from typing import Any, Final

from games.gdl.terms import Term
from games.protocol import GameError

Row = tuple[Any, ...]
"""The arguments of a statement that holds; ground terms."""

STEPS_OF_A_ROW: Final = 20
"""What a new row costs of the budget: it takes memory as well as time."""
DEEPEST_TERM: Final = 60
ANSWERS_KEPT: Final = 50_000

Compute = Callable[[tuple[int, ...], Row], list[Row]]


class ReasoningError(GameError):
    """A description whose consequences cannot be computed: too many of them, or contradictory ones."""


class OutOfStepsError(ReasoningError):
    """More consequences than the budget allows to compute."""


class Budget:
    """How many steps are left. Counted, not timed: the same on every machine."""

    __slots__ = ("left", "steps")

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.left = steps

    def exceeded(self) -> OutOfStepsError:
        return OutOfStepsError(f"the consequences of the rules take more than {self.steps} steps to compute")


class Relation:
    """The rows of a relation. New ones may come while others are walked over: they wait in a list of their own."""

    __slots__ = ("_indexes", "items", "known")

    def __init__(self, rows: tuple[Row, ...] | list[Row] = ()) -> None:
        self.known: set[Row] = set(rows)
        self.items: list[Row] = list(rows)
        self._indexes: dict[tuple[int, ...], dict[Hashable, list[Row]]] = {}

    def index(self, columns: tuple[int, ...]) -> dict[Hashable, list[Row]]:
        """The rows by what stands in some columns: a term for one column, else a tuple of terms."""
        found = self._indexes.get(columns)
        if found is None:
            found = self._indexes[columns] = {}
            _file(self.items, columns, found)
        return found

    def extend(self, rows: list[Row]) -> None:
        """Take in rows that are known already, but not yet walked over."""
        self.items += rows
        for columns, index in self._indexes.items():
            _file(rows, columns, index)


class Demanded:
    """A relation that is too large to be computed as a whole: its rows are computed where somebody asks for them.

    `compute` gives the rows that have certain terms in certain columns. Generated functions use it like a `Relation`.
    """

    __slots__ = ("_asked", "_compute", "known")

    def __init__(self, width: int, compute: Compute) -> None:
        self._compute = compute
        self.known = Asked(tuple(range(width)), compute)
        self._asked: dict[tuple[int, ...], Asked] = {}

    def index(self, columns: tuple[int, ...]) -> "Asked":
        found = self._asked.get(columns)
        if found is None:
            found = self._asked[columns] = Asked(columns, self._compute)
        return found

    @property
    def items(self) -> list[Row]:
        """All rows: whoever needs them pays for them."""
        return self._compute((), ())


class Asked:
    """What was asked of some columns, in the words of an index (`get`) and of a set (`in`)."""

    __slots__ = ("_answers", "_columns", "_compute")

    def __init__(self, columns: tuple[int, ...], compute: Compute) -> None:
        self._columns = columns
        self._compute = compute
        self._answers: dict[Hashable, list[Row]] = {}

    def get(self, key: Any, _default: object = ()) -> list[Row]:
        found = self._answers.get(key)
        if found is None:
            if len(self._answers) == ANSWERS_KEPT:
                self._answers.clear()
            terms = (key,) if len(self._columns) == 1 else key
            found = self._answers[key] = self._compute(self._columns, terms)
        return found

    def __contains__(self, row: Row) -> bool:
        return bool(self.get(row[0] if len(row) == 1 else row))


Known = Relation | Demanded


def _file(rows: list[Row], columns: tuple[int, ...], index: dict[Hashable, list[Row]]) -> None:
    if len(columns) == 1:
        (column,) = columns
        for row in rows:
            index.setdefault(row[column], []).append(row)
    else:
        for row in rows:
            index.setdefault(tuple([row[column] for column in columns]), []).append(row)


def shallow(term: Term) -> Term:
    """The same term. Raises ReasoningError if it is nested too deeply: rules that nest terms would never end."""
    level = [term]
    for _ in range(DEEPEST_TERM):
        level = [part for each in level if isinstance(each, tuple) for part in each]
        if not level:
            return term
    raise ReasoningError(f"the rules build terms that are nested more than {DEEPEST_TERM} times")
