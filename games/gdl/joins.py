"""Turns a rule into a Python function that finds its consequences.

The function is a nest of loops, one per condition that binds variables, each over those rows that fit what is bound
already. The order of the conditions is chosen when the function is written, by how many rows each would give in what is
known then: tests come as soon as they can, and a condition without variables of its own ends the search. When the head
is complete before the last condition, it is looked up first, and one way of fulfilling the rest is enough.

Only the shape of a rule becomes program text; its names are handed over as values.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from games.gdl.relations import STEPS_OF_A_ROW, Budget, Demanded, Known, Row, shallow
from games.gdl.terms import Literal, Rule, Signature, Term, Variable, arguments, is_ground, variables

Found = Callable[[Sequence[Known], Any, set[Row], list[Row], Budget], None]
"""Given all relations by number, the newest rows of one of them (or what stands in the asked columns), the known rows
of the head, a list for the new ones and a budget: adds what follows."""

MOST_LOOPS: Final = 15
"""Loops within one function; Python allows 20."""
NEVER: Final = 1_000
"""More loops than there can be."""
HANDED: Final = ("relations", "newest", "known", "fresh", "budget")
LARGE: Final = 1e6
"""How many rows are expected of a relation that is computed only where it is asked."""
UNKNOWN_SIZE: Final = 8
"""How many rows are expected of a relation that had none when the order was chosen."""


def compiled(
    rule: Rule,
    numbers: Mapping[Signature, int],
    relations: Sequence[Known],
    newest: int | None = None,
    *,
    asked: tuple[int, ...] = (),
    grows: bool = False,
) -> Found:
    """The function of a rule.

    `newest` is the condition that takes only the newest rows, for recursion. `asked` are the columns of the head that
    whoever calls knows already. `grows` says that the head may nest terms deeper and deeper.
    """
    writer = _Writer(rule, numbers, relations, newest, asked, grows=grows)
    program = writer.program()
    scope = writer.constants
    exec(program, scope)  # noqa: S102  # written below from numbers alone, see the module's first lines
    found: Found = scope["rule"]
    return found


class _Writer:
    def __init__(
        self,
        rule: Rule,
        numbers: Mapping[Signature, int],
        relations: Sequence[Known],
        newest: int | None,
        asked: tuple[int, ...],
        *,
        grows: bool,
    ) -> None:
        self.constants: dict[str, Any] = {"shallow": shallow}
        self._names: dict[Term, str] = {}
        self._head = arguments(rule.head)
        self._head_variables = set(variables(rule.head))
        self._numbers, self._relations = numbers, relations
        self._newest = newest
        self._asked = asked
        self._grows = grows
        self._order = self._ordered(rule.body)
        self._bound: set[Variable] = set()
        self._variables: dict[Variable, str] = {}
        self._functions: list[list[str]] = []
        self._title = ""
        self._lines: list[str] = []
        self._sources: dict[str, str] = {}
        self._loops = 0
        self._settled_at = NEVER
        """Within how many loops the head became complete: one way of fulfilling the rest is enough."""

    # ---------------------------------------------------------------------------------------------- the order

    def _ordered(self, body: tuple[Literal, ...]) -> list[tuple[Literal, bool]]:
        """The conditions in the order of their evaluation, each with whether it takes the newest rows alone."""
        waiting = list(enumerate(body))
        bound = {name for column in self._asked for name in variables(self._head[column])}
        order = []
        while waiting:
            place = min(range(len(waiting)), key=lambda each: (self._cost(*waiting[each], bound), each))
            number, literal = waiting.pop(place)
            bound.update(variables(literal.statement))
            order.append((literal, number == self._newest))
        return order

    def _cost(self, number: int, literal: Literal, bound: set[Variable]) -> float:
        """How many rows a condition gives to those who know the bound variables; tests give less than one."""
        free = [name for name in variables(literal.statement) if name not in bound]
        if not literal.is_positive:
            return float("inf") if free else -2
        if not free:
            return -1
        if number == self._newest:
            return 0
        relation = self._relations[self._numbers[literal.signature]]
        terms = arguments(literal.statement)
        columns = tuple([place for place, term in enumerate(terms) if set(variables(term)) <= bound])
        if isinstance(relation, Demanded):
            return LARGE * (len(terms) - len(columns))
        if not relation.items:
            return UNKNOWN_SIZE / (1 + len(columns))
        if not columns:
            return len(relation.items)
        return len(relation.items) / len(relation.index(columns))

    # ------------------------------------------------------------------------------------------- the program

    def program(self) -> str:
        self._begin("rule", ())
        for place, column in enumerate(self._asked):
            self._match(self._head[column], f"newest[{place}]")
        for literal, newest in self._order:
            self._settle()
            if literal.is_distinct:
                left, right = arguments(literal.statement)
                self._unless(f"{self._value(left)} == {self._value(right)}")
            elif literal.negated:
                self._unless(f"{self._row(arguments(literal.statement))} in {self._source(literal, 'known')}")
            elif not newest and all(name in self._bound for name in variables(literal.statement)):
                self._unless(f"{self._row(arguments(literal.statement))} not in {self._source(literal, 'known')}")
            else:
                self._loop(literal, newest=newest)
        self._settle()
        self._say("known.add(h)")
        self._say("fresh.append(h)")
        self._say(f"budget.left -= {STEPS_OF_A_ROW}")
        if self._loops > self._settled_at:
            self._say("break")
            self._leave_loop()
        self._end()
        return "\n".join([line for function in self._functions for line in function])

    def _settle(self) -> None:
        """Look the head up as soon as it is complete."""
        if self._settled_at == NEVER and self._head_variables <= self._bound:
            row = self._row(self._head)
            self._say(f"h = shallow({row})" if self._grows else f"h = {row}")
            self._unless("h in known")
            self._settled_at = self._loops

    def _loop(self, literal: Literal, *, newest: bool) -> None:
        if self._loops == MOST_LOOPS:
            self._go_on_in_another_function()
        terms = arguments(literal.statement)
        columns = tuple([place for place, term in enumerate(terms) if set(variables(term)) <= self._bound])
        number = len(self._lines)
        if columns:
            key = self._value(terms[columns[0]]) if len(columns) == 1 else self._row([terms[each] for each in columns])
            self._say(f"rows{number} = {self._source(literal, f'index({columns!r}).get', newest=newest)}({key}, ())")
        else:
            self._say(f"rows{number} = {self._source(literal, 'items', newest=newest)}")
        self._say(f"budget.left -= len(rows{number})")
        self._say("if budget.left < 0: raise budget.exceeded()")
        self._say(f"for row{number} in rows{number}:")
        self._loops += 1
        for place, term in enumerate(terms):
            if place not in columns:
                self._match(term, f"row{number}[{place}]")

    def _match(self, term: Term, value: str) -> None:
        """Go on only with values that fit the term, and bind its variables."""
        if isinstance(term, Variable) and term not in self._bound:
            self._bound.add(term)
            self._variables[term] = f"v{len(self._variables)}"
            self._say(f"{self._variables[term]} = {value}")
        elif not isinstance(term, tuple) or set(variables(term)) <= self._bound:
            self._unless(f"{value} != {self._value(term)}")
        else:
            part = f"part{len(self._lines)}"
            self._say(f"{part} = {value}")
            self._unless(f"type({part}) is not tuple or len({part}) != {len(term)}")
            for place, inner in enumerate(term):
                self._match(inner, f"{part}[{place}]")

    # --------------------------------------------------------------------------------------------- sentences

    def _begin(self, name: str, parameters: tuple[str, ...]) -> None:
        self._title = f"def {name}({', '.join([*HANDED, *parameters])}):"
        self._lines = []
        self._sources = {}
        self._loops = 0

    def _say(self, sentence: str) -> None:
        self._lines.append("    " * (self._loops + 1) + sentence)

    def _unless(self, condition: str) -> None:
        """Give this row up if the condition holds."""
        self._say(f"if {condition}: {'continue' if self._loops else 'return'}")

    def _leave_loop(self) -> None:
        """After a loop, leave those around it, too, if the head was complete before them and is known by now."""
        self._loops -= 1
        while self._loops > self._settled_at:
            self._say("if h in known: break")
            self._loops -= 1

    def _end(self) -> None:
        sources = [f"    {name} = {source}" for source, name in self._sources.items()]
        self._functions.append([self._title, *sources, *self._lines])

    def _go_on_in_another_function(self) -> None:
        name = f"rest{len(self._functions)}"
        known = list(self._variables.values()) + ["h"] * (self._settled_at != NEVER)
        self._say(f"{name}({', '.join([*HANDED, *known])})")
        self._loops += 1
        self._leave_loop()
        self._end()
        self._begin(name, tuple(known))
        if self._settled_at != NEVER:
            self._settled_at = 0

    # ------------------------------------------------------------------------------------------------ values

    def _source(self, literal: Literal, part: str, *, newest: bool = False) -> str:
        """A name for a part of a relation, looked up once per call."""
        relation = "newest" if newest else f"relations[{self._numbers[literal.signature]}]"
        return self._sources.setdefault(f"{relation}.{part}", f"s{len(self._sources)}")

    def _value(self, term: Term) -> str:
        if isinstance(term, Variable):
            return self._variables[term]
        if is_ground(term):
            name = self._names.setdefault(term, f"c{len(self._names)}")
            self.constants[name] = term
            return name
        return self._row(term)

    def _row(self, terms: Sequence[Term]) -> str:
        return f"({''.join([f'{self._value(term)}, ' for term in terms])})"
