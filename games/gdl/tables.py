"""Facts in tables, and plans for finding everything that makes the body of a rule true.

A view is what a statement with variables sees of a relation: a row of values for each fact that matches. Views keep
indexes by whatever is bound when they are asked, so a join looks only at what fits. A plan takes the literals of a body
in a good order: what filters first, then what is expected to fit least often; and it forgets each variable as soon as
nobody needs it any more, which keeps the work small where a naive join explodes.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from games.gdl.terms import Literal, Signature, Term, Variable, arguments, signature, variables

Values = tuple[Any, ...]
"""Ground terms: the arguments of a fact, or what the variables of a rule stand for."""
Key = Callable[[Values], Any]
Index = dict[Any, list[tuple[Values, int]]]


class View:
    """The facts of a relation that match a statement: for each, what the statement's variables stand for."""

    def __init__(self, pattern: tuple[Term, ...]) -> None:
        self.names = tuple(dict.fromkeys(variables(pattern)))
        self.rows: list[tuple[Values, int]] = []
        """Values of the variables, and the fact's number."""
        self.seen = 0
        """How many rows have been worked on in earlier rounds."""
        self._match = matcher(pattern)
        self._indexes: dict[tuple[int, ...], Index] = {}
        self._different: list[set[Any]] = [set() for _ in self.names]

    def add(self, fact: Values, number: int) -> None:
        values = self._match(fact)
        if values is None:
            return
        self.rows.append((values, number))
        for value, different in zip(values, self._different, strict=True):
            different.add(value)
        for places, index in self._indexes.items():
            _file(index, places, values, number)

    def index(self, places: tuple[int, ...]) -> Index:
        """Rows by the values at some places; each row without those values."""
        index = self._indexes.get(places)
        if index is None:
            index = self._indexes[places] = {}
            for values, number in self.rows:
                _file(index, places, values, number)
        return index

    def expected(self, bound: Iterable[int]) -> float:
        """How many rows fit on average when the values at some places are known."""
        return len(self.rows) / math.prod([max(len(self._different[place]), 1) for place in bound])


def _file(index: Index, places: tuple[int, ...], values: Values, number: int) -> None:
    key = values[places[0]] if len(places) == 1 else tuple([values[place] for place in places])
    rest = tuple([value for place, value in enumerate(values) if place not in places])
    index.setdefault(key, []).append((rest, number))


class Relation:
    """The facts of one relation, numbered in the order in which they were found."""

    def __init__(self) -> None:
        self.numbers: dict[Values, int] = {}
        self._views: dict[tuple[Term, ...], View] = {}

    def __len__(self) -> int:
        return len(self.numbers)

    def add(self, fact: Values) -> bool:
        """Whether the fact is new."""
        if fact in self.numbers:
            return False
        number = self.numbers[fact] = len(self.numbers)
        for view in self._views.values():
            view.add(fact, number)
        return True

    def view(self, pattern: tuple[Term, ...]) -> View:
        view = self._views.get(pattern)
        if view is None:
            view = self._views[pattern] = View(pattern)
            for fact, number in self.numbers.items():
                view.add(fact, number)
        return view

    def views(self) -> Iterable[View]:
        return self._views.values()


class Relations(dict[Signature, Relation]):
    """All relations by signature; one that nobody has asked for is empty."""

    def __missing__(self, key: Signature) -> Relation:
        relation = self[key] = Relation()
        return relation

    def view(self, statement: Term) -> View:
        return self[signature(statement)].view(arguments(statement))


# ------------------------------------------------------------------------------------------------------- plans


class Join(NamedTuple):
    """Every row is continued by each fact of a view that fits it."""

    signature: Signature
    view: View
    places: tuple[int, ...]
    key: Key


class Distinct(NamedTuple):
    """Rows stay for which two terms differ."""

    one: Key
    other: Key


class Without(NamedTuple):
    """Rows stay for which a statement does not hold."""

    signature: Signature
    fact: Key


class Keep(NamedTuple):
    """Of each row only what is still needed stays."""

    values: Key


Step = Join | Distinct | Without | Keep


class Plan(NamedTuple):
    steps: tuple[Step, ...]
    head: Key
    """The arguments of the rule's head, from a row at the end."""


def plan(head: Term, body: Sequence[Literal], relations: Relations, first: Literal | None = None) -> Plan:
    """The steps from the empty row, or from the rows of the view of the `first` literal, to all rows of a body."""
    waiting = [literal for literal in body if literal is not first]
    slots: list[Variable] = list(relations.view(first.statement).names) if first else []
    steps: list[Step] = []
    while True:
        for literal in [literal for literal in waiting if _is_filter(literal, slots)]:
            waiting.remove(literal)
            steps.append(_filter(literal, slots))
        needed = {name for term in (head, *[literal.statement for literal in waiting]) for name in variables(term)}
        if not needed.issuperset(slots):
            kept = [name for name in slots if name in needed]
            steps.append(Keep(maker(tuple(kept), slots)))
            slots = kept
        if not waiting:
            return Plan(tuple(steps), maker(arguments(head), slots))
        chosen = min([literal for literal in waiting if literal.is_positive], key=_cost(relations, slots))
        waiting.remove(chosen)
        view = relations.view(chosen.statement)
        bound = [(place, name) for place, name in enumerate(view.names) if name in slots]
        key = itemgetter(*[slots.index(name) for _, name in bound]) if bound else _nothing
        steps.append(Join(chosen.signature, view, tuple([place for place, _ in bound]), key))
        slots = slots + [name for name in view.names if name not in slots]


def _cost(relations: Relations, slots: Sequence[Variable]) -> Callable[[Literal], tuple[float, int]]:
    def cost(literal: Literal) -> tuple[float, int]:
        view = relations.view(literal.statement)
        bound = [place for place, name in enumerate(view.names) if name in slots]
        return view.expected(bound), len(view.names) - len(bound)

    return cost


def _is_filter(literal: Literal, slots: Sequence[Variable]) -> bool:
    return not literal.is_positive and all(name in slots for name in variables(literal.statement))


def _filter(literal: Literal, slots: Sequence[Variable]) -> Step:
    if literal.is_distinct:
        one, other = arguments(literal.statement)
        return Distinct(maker(one, slots), maker(other, slots))
    return Without(literal.signature, maker(arguments(literal.statement), slots))


def _nothing(_: Values) -> Values:
    return ()


# ----------------------------------------------------------------------------------------- terms and patterns


def maker(term: Term, slots: Sequence[Variable]) -> Key:
    """Makes the ground term from a row of values."""
    if isinstance(term, Variable):
        return itemgetter(slots.index(term))
    if isinstance(term, str) or not term:
        return lambda _: term
    constants = tuple([part for part in term if isinstance(part, str)])
    if len(term) > 1 and all(isinstance(part, str | Variable) for part in term):
        order = iter(range(len(slots), len(slots) + len(constants)))
        pick = itemgetter(*[slots.index(part) if isinstance(part, Variable) else next(order) for part in term])
        return (lambda row: pick(row + constants)) if constants else pick
    parts = [maker(part, slots) for part in term]
    if len(parts) == 1:
        only = parts[0]
        return lambda row: (only(row),)
    return lambda row: tuple([part(row) for part in parts])


def matcher(pattern: tuple[Term, ...]) -> Callable[[Values], Values | None]:
    """Takes the values of a pattern's variables, in the order of their first occurrence, from what matches it."""
    names = list(dict.fromkeys(variables(pattern)))
    if len(names) == len(pattern) and all(isinstance(part, Variable) for part in pattern):
        return lambda fact: fact

    def match(fact: Values) -> Values | None:
        found: dict[Variable, Any] = {}
        return tuple([found[name] for name in names]) if _matches(pattern, fact, found) else None

    return match


def _matches(pattern: tuple[Term, ...], fact: Values, found: dict[Variable, Any]) -> bool:
    for part, value in zip(pattern, fact, strict=True):
        if isinstance(part, str):
            if part != value:
                return False
        elif isinstance(part, Variable):
            if found.setdefault(part, value) != value:
                return False
        elif not isinstance(value, tuple) or len(value) != len(part) or not _matches(part, value, found):
            return False
    return True
