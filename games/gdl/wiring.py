"""The body of a rule as wires: for every way in which its variables can stand for something, where it holds.

A factor is a table of rows of values, each with a wire; literals are factors, and a body is the product of its
literals, with the variables that the head does not need summed out (any of the rows that become the same). The order
decides between a thousand gates and a million, so a body is taken apart first:

- parts that share only variables which stay are computed apart from each other;
- a role does exactly one thing in a turn. So "there is a move of the role for which this and that holds" is "there is
  one for which this holds, and there is one for which that holds", and conditions about a move are computed apart;
- a variable whose value holds parts together is kept until the parts are done.

What is left is joined literal by literal; a variable is summed out as soon as no other literal needs it.
"""

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any, Final

from games.gdl.tables import Relations, Values, maker
from games.gdl.terms import Literal, Signature, Variable, arguments, variables
from kernels.network import FALSE, TRUE, Network, Wire

DOES: Final = ("does", 2)

Names = frozenset[Variable]


class Factor:
    """Rows of what some variables stand for, each with where it holds."""

    __slots__ = ("_indexes", "names", "rows")

    def __init__(self, names: tuple[Variable, ...], rows: dict[Values, Wire]) -> None:
        self.names = names
        self.rows = rows
        self._indexes: dict[tuple[Variable, ...], dict[Any, list[tuple[Values, Wire]]]] = {}

    def index(self, shared: tuple[Variable, ...]) -> dict[Any, list[tuple[Values, Wire]]]:
        """Rows by the values of some variables; each row without those values."""
        index = self._indexes.get(shared)
        if index is None:
            index = self._indexes[shared] = {}
            key = picker(self.names, shared)
            rest = picker(self.names, [name for name in self.names if name not in shared])
            for row, wire in self.rows.items():
                index.setdefault(key(row), []).append((rest(row), wire))
        return index


def picker(names: Sequence[Variable], wanted: Sequence[Variable]) -> Callable[[Values], Values]:
    """Takes the values of some variables from a row, always as a tuple."""
    places = [names.index(name) for name in wanted]
    if len(places) > 1:
        return itemgetter(*places)
    if places:
        place = places[0]
        return lambda row: (row[place],)
    return lambda _: ()


class Wiring:
    """Computes the factors of bodies over possible facts. `spend` is told the size of every table that is made."""

    def __init__(
        self,
        network: Network,
        relations: Relations,
        wires: dict[Signature, list[Wire]],
        spend: Callable[[int], None],
    ) -> None:
        self._network = network
        self._relations = relations
        self._wires = wires
        self._spend = spend

    def body(self, literals: Sequence[Literal], keep: Names) -> Factor:
        """Where the body of a rule holds, for the values of the variables that the head needs."""
        return self._taken_apart(tuple(dict.fromkeys(literals)), keep, frozenset())

    # ----------------------------------------------------------------------------------------- taking apart

    def _taken_apart(self, literals: tuple[Literal, ...], keep: Names, split: frozenset[Literal]) -> Factor:
        """`split` are the `does` whose conditions have been separated already."""
        for literal in literals:
            if literal.is_positive and literal.signature == DOES and literal not in split:
                return self._by_move(literal, literals, keep, split | {literal})
        parts = _parts(literals, lambda literal: names_of(literal) - keep)
        if len(parts) > 1:
            return self._product([self._part(part, (), literals, keep, split) for part in parts], keep)
        if len(literals) > 2 and (name := _holding_together(literals, keep)):
            return self._summed(self._taken_apart(literals, keep | {name}, split), keep)
        return self._joined(literals, keep)

    def _by_move(self, does: Literal, literals: tuple[Literal, ...], keep: Names, split: frozenset[Literal]) -> Factor:
        """Conditions about what a role does, apart from each other. Which role it is has to be told in each."""
        role = frozenset(variables(arguments(does.statement)[0]))
        if not role <= keep:
            return self._summed(self._by_move(does, literals, keep | role, split), keep)
        others = tuple([literal for literal in literals if literal != does])
        own = names_of(does)
        done = self._joined((does,), own & keep)
        if name := self._told_by_the_move(does, others, keep, len(done.rows)):
            return self._summed(self._by_move(does, literals, keep | {name}, split), keep)
        factors = [done]
        for part in _parts(others, lambda literal: names_of(literal) - keep - own):
            about_move = (does,) if _names(part) & (own - keep) else ()
            factors.append(self._part(part, about_move, literals, (_names(part) | role) & keep, split))
        return self._product(factors, keep)

    def _told_by_the_move(self, does: Literal, others: tuple[Literal, ...], keep: Names, done: int) -> Variable | None:
        """A variable that the position tells of the move, and without which conditions about the move fall into parts:
        the piece that stands where it starts, and becomes another where it ends. Only if a table of its values beside
        what is kept of the move, so many rows, is no larger than that of all moves."""
        own = names_of(does)
        moves = len(self._relations.view(does.statement).rows)
        for part in _parts(others, lambda literal: names_of(literal) - keep - own):
            if any(one.signature == DOES for one in part):
                continue
            true = [one for one in part if one.is_positive and one.signature in self._wires]
            told = _names(one for one in true if names_of(one) & (own - keep))
            for name in sorted(told - keep - own, key=str):
                apart = _parts(part, lambda literal, name=name: names_of(literal) - keep - own - {name})  # type: ignore[misc]  # bound now
                if len(apart) > 1 and done * self._values(name, true) <= moves:
                    return name
        return None

    def _values(self, name: Variable, literals: Iterable[Literal]) -> int:
        """How many values a variable can have at most, by the positive literals that name it."""
        naming = [literal for literal in literals if name in names_of(literal)]
        return min(len(self._domain(literal, frozenset({name})).rows) for literal in naming)

    def _part(
        self,
        part: tuple[Literal, ...],
        besides: tuple[Literal, ...],
        literals: tuple[Literal, ...],
        keep: Names,
        split: frozenset[Literal],
    ) -> Factor:
        """One part of a body. Filters in it may need other literals of the body to know what their variables can be."""
        whole = (*besides, *part)
        missing = _names(whole) - _names(literal for literal in whole if literal.is_positive)
        if not missing:
            return self._taken_apart(whole, _names(whole) & keep, split)
        domains = []
        for literal in literals:
            if literal.is_positive and literal not in whole and (found := names_of(literal) & missing):
                domains.append(self._domain(literal, found))
                missing -= found
        return self._joined(whole, (_names(whole)) & keep, domains)

    # ---------------------------------------------------------------------------------------------- joining

    def _product(self, factors: list[Factor], keep: Names) -> Factor:
        return self._multiplied(factors, [], keep)

    def _joined(self, literals: tuple[Literal, ...], keep: Names, domains: Sequence[Factor] = ()) -> Factor:
        filters = [literal for literal in literals if not literal.is_positive]
        return self._multiplied([*domains, *[self._literal(one) for one in literals if one.is_positive]], filters, keep)

    def _domain(self, literal: Literal, names: Names) -> Factor:
        """What some variables of a literal can stand for, wherever it holds."""
        view = self._relations.view(literal.statement)
        wanted = [name for name in view.names if name in names]
        pick = picker(view.names, wanted)
        return Factor(tuple(wanted), {pick(values): TRUE for values, _ in view.rows})

    def _literal(self, literal: Literal) -> Factor:
        view = self._relations.view(literal.statement)
        wires = self._wires.get(literal.signature)
        rows = {values: TRUE if wires is None else wires[number] for values, number in view.rows}
        return Factor(view.names, {row: wire for row, wire in rows.items() if wire != FALSE})

    def _multiplied(self, factors: list[Factor], filters: list[Literal], keep: Names) -> Factor:
        result = Factor((), {(): TRUE})
        outside = keep | _names(filters)
        factors = [
            self._summed(one, outside.union(*[other.names for other in factors if other is not one])) for one in factors
        ]
        while True:
            for literal in [one for one in filters if names_of(one) <= frozenset(result.names)]:
                filters.remove(literal)
                result = self._filtered(result, literal)
            wanted = keep | _names(filters) | {name for factor in factors for name in factor.names}
            result = self._summed(result, wanted)
            if not factors:
                return result
            factor = min(factors, key=lambda one: _expected(one, result.names))
            factors = [one for one in factors if one is not factor]
            result = self._times(result, factor)

    def _times(self, left: Factor, right: Factor) -> Factor:
        shared = tuple([name for name in right.names if name in left.names])
        key, index = picker(left.names, shared), right.index(shared)
        names = left.names + tuple([name for name in right.names if name not in shared])
        both = self._network.both
        rows: dict[Values, Wire] = {}
        for number, (row, wire) in enumerate(left.rows.items()):
            for rest, other in index.get(key(row), ()):
                together = both(wire, other)
                if together != FALSE:
                    rows[row + rest] = together
            if not number & 255:
                self._spend(len(rows))
        return Factor(names, rows)

    def _filtered(self, factor: Factor, literal: Literal) -> Factor:
        if literal.is_distinct:
            one, other = (maker(term, factor.names) for term in arguments(literal.statement))
            return Factor(factor.names, {row: wire for row, wire in factor.rows.items() if one(row) != other(row)})
        fact = maker(arguments(literal.statement), factor.names)
        numbers = self._relations[literal.signature].numbers
        wires = self._wires.get(literal.signature)
        kept: dict[Values, Wire] = {}
        for row, wire in factor.rows.items():
            number = numbers.get(fact(row))
            if number is not None:
                wire = FALSE if wires is None else self._network.both(wire, wires[number] ^ 1)
            if wire != FALSE:
                kept[row] = wire
        return Factor(factor.names, kept)

    def _summed(self, factor: Factor, wanted: Names) -> Factor:
        names = tuple([name for name in factor.names if name in wanted])
        if len(names) == len(factor.names):
            return factor
        pick = picker(factor.names, names)
        return Factor(names, self.merged([(pick(row), wire) for row, wire in factor.rows.items()]))

    def merged(self, rows: Iterable[tuple[Values, Wire]]) -> dict[Values, Wire]:
        """Rows that are the same become one, which holds where any of them does."""
        grouped: dict[Values, list[Wire]] = {}
        for row, wire in rows:
            grouped.setdefault(row, []).append(wire)
        self._spend(len(grouped))
        any_of = self._network.any_of
        return {row: wires[0] if len(wires) == 1 else any_of(wires) for row, wires in grouped.items()}


def _expected(factor: Factor, known: Sequence[Variable]) -> float:
    """How many rows of a factor fit on average to a row that knows some variables."""
    shared = tuple([name for name in factor.names if name in known])
    return len(factor.rows) / max(len(factor.index(shared)), 1)


def names_of(literal: Literal) -> Names:
    return frozenset(variables(literal.statement))


def _names(literals: Iterable[Literal]) -> Names:
    return frozenset().union(*[names_of(literal) for literal in literals])


def _parts(literals: Sequence[Literal], joints: Callable[[Literal], Names]) -> list[tuple[Literal, ...]]:
    """Groups of literals that share a variable among those that `joints` gives, directly or by way of others."""
    parts: list[tuple[set[Variable], list[Literal]]] = []
    for literal in literals:
        names, members = set(joints(literal)), [literal]
        apart = []
        for other in parts:
            if other[0] & names:
                names |= other[0]
                members = other[1] + members
            else:
                apart.append(other)
        parts = [*apart, (names, members)]
    return [tuple(members) for _, members in parts]


def _holding_together(literals: tuple[Literal, ...], keep: Names) -> Variable | None:
    """A variable without which the literals fall into parts, the smallest of them as large as possible."""
    best: tuple[int, Variable] | None = None
    for name in sorted(_names(literals) - keep, key=str):
        wider = keep | {name}
        parts = _parts(literals, lambda literal, wider=wider: names_of(literal) - wider)  # type: ignore[misc]  # bound now
        inner = [part for part in parts if _names(part) - wider]
        if len(parts) > 1 and inner:
            smallest = min(len(part) for part in parts)
            if best is None or smallest > best[0]:
                best = smallest, name
    return best[1] if best else None
