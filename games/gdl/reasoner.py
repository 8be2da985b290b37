"""The reference reasoner: what a description says about a state. Right before fast; everything else is held to it.

Consequences are computed from the facts upwards, component by component (see `dependencies`): what depends on no state
once, the rest for each state, and only as far as somebody asks. A component that negates itself is computed by
alternation of too little and too much (the well-founded model), and refused if the two do not meet.

A state is a frozen set of ground terms, what `true` holds of. All randomness is outside.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from threading import Lock
from typing import Final

from games.gdl.dependencies import Component, Layer, components, needs, reachable
from games.gdl.joins import Found, compiled
from games.gdl.relations import Budget, Demanded, Known, OutOfStepsError, ReasoningError, Relation, Row, shallow
from games.gdl.terms import Literal, Rule, Signature, Term, Variable, arguments, is_ground, signature, text

State = frozenset[Term]
Joint = Sequence[Term]
"""A move for every role, in the order of the roles."""

STEPS_AT_FIRST: Final = 30_000_000
"""What may be spent on all that depends on no state."""
STEPS_PER_STATE: Final = 10_000_000
STEPS_PER_RELATION: Final = {Layer.ALWAYS: 3_000_000, Layer.STATE: 100_000, Layer.MOVE: 100_000}
"""What a relation may cost as a whole. One that costs more is computed only where it is asked, from then on."""
STATES_KEPT: Final = 256
WORDS_KEPT: Final = 50_000

ROLE: Final[Signature] = ("role", 1)
INIT: Final[Signature] = ("init", 1)
LEGAL: Final[Signature] = ("legal", 2)
NEXT: Final[Signature] = ("next", 1)
GOAL: Final[Signature] = ("goal", 2)
TERMINAL: Final[Signature] = ("terminal", 0)
SEES: Final[Signature] = ("sees", 2)
RANDOM: Final[Signature] = ("random", 3)
DOES: Final[Signature] = ("does", 2)
TRUE: Final[Signature] = ("true", 1)
ASKED: Final = (ROLE, INIT, LEGAL, NEXT, GOAL, TERMINAL, SEES, RANDOM)

_Relations = list[Known]


class Reasoner:
    """Answers questions about states of one description, whose rules have to be safe."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        program = _Program(tuple(rules))
        self._program = program
        self._always: _Relations = program.empty()
        program.run(self._always, Layer.ALWAYS, ASKED, STEPS_AT_FIRST)
        self.roles: tuple[str, ...] = tuple(map(str, program.in_order(ROLE, self._rows(self._always, ROLE))))
        self._states: OrderedDict[State, _Moment] = OrderedDict()
        self._lock = Lock()

    def initial(self) -> State:
        return frozenset([fact for (fact,) in self._rows(self._always, INIT)])

    def is_terminal(self, state: State) -> bool:
        return bool(self._asked(state, TERMINAL))

    def legal(self, state: State) -> tuple[tuple[Term, ...], ...]:
        """The moves of every role, each in alphabetical order."""
        known = self._known(state)
        if known.legal is None:
            moves: dict[Term, list[Term]] = {role: [] for role in self.roles}
            for role, move in self._asked(state, LEGAL):
                moves.setdefault(role, []).append(move)
            known.legal = tuple([tuple(sorted(moves[role], key=written)) for role in self.roles])
        return known.legal

    def goals(self, state: State) -> tuple[int | None, ...]:
        """The points of every role; None where the rules say none, several, or no number."""
        said: dict[Term, list[Term]] = {}
        for role, points in self._asked(state, GOAL):
            said.setdefault(role, []).append(points)
        return tuple([_number(said.get(role, [])) for role in self.roles])

    def chances(self, state: State) -> Mapping[str, tuple[tuple[Term, int], ...]]:
        """By the name of each chance variable, its events and their weights, in alphabetical order."""
        found: dict[str, dict[Term, int]] = {}
        for name, weight, event in self._asked(state, RANDOM):
            number = _number([weight])
            if number is None or number < 0:
                raise ReasoningError(f"the weight of {text(event)} for {text(name)} is {text(weight)}, no whole number")
            events = found.setdefault(str(name), {})
            if events.setdefault(event, number) != number:
                raise ReasoningError(f"{text(event)} has two weights for {text(name)}: {events[event]} and {number}")
        return {name: tuple(sorted(found[name].items(), key=lambda each: text(each[0]))) for name in sorted(found)}

    def after(self, state: State, joint: Joint) -> State:
        """The state that follows when every role makes its move of the joint move."""
        following = self._known(state).following
        moves = tuple(joint)
        if moves not in following:
            following[moves] = frozenset([fact for (fact,) in self._with_moves(state, moves, NEXT)])
        return following[moves]

    def seen(self, state: State, joint: Joint) -> tuple[tuple[Term, ...], ...]:
        """What every role perceives of a joint move, in alphabetical order (`sees` of GDL-II)."""
        seen: dict[Term, list[Term]] = {role: [] for role in self.roles}
        for role, percept in self._with_moves(state, joint, SEES):
            seen.setdefault(role, []).append(percept)
        return tuple([tuple(sorted(seen[role], key=written)) for role in self.roles])

    def told(self, relation: Signature, state: State, joint: Joint) -> frozenset[Row]:
        """All rows of a relation that may need moves, when every role makes its move of the joint move."""
        return frozenset(self._with_moves(state, joint, relation))

    def holds(self, relation: Signature, state: State | None = None) -> frozenset[Row]:
        """All rows of a relation that needs no moves."""
        if state is None:
            relations = list(self._always)
            self._program.run(relations, Layer.ALWAYS, (relation,), STEPS_AT_FIRST)
            return frozenset(self._rows(relations, relation))
        return frozenset(self._asked(state, relation))

    # ------------------------------------------------------------------------------------------------- inside

    def _rows(self, relations: _Relations, relation: Signature) -> list[Row]:
        number = self._program.numbers.get(relation)
        return [] if number is None else relations[number].items

    def _known(self, state: State) -> "_Moment":
        with self._lock:
            known = self._states.get(state)
            if known is None:
                known = self._states[state] = _Moment(self._program.with_state(self._always, state))
                if len(self._states) > STATES_KEPT:
                    self._states.popitem(last=False)
            else:
                self._states.move_to_end(state)
        return known

    def _asked(self, state: State, relation: Signature) -> list[Row]:
        known = self._known(state)
        with known.lock:
            if relation not in known.asked:
                if relation not in ASKED:
                    self._program.run(known.relations, Layer.ALWAYS, (relation,), STEPS_AT_FIRST)
                self._program.run(known.relations, Layer.STATE, (relation,), STEPS_PER_STATE)
                known.asked.add(relation)
        return self._rows(known.relations, relation)

    def _with_moves(self, state: State, joint: Joint, relation: Signature) -> list[Row]:
        self._asked(state, relation)
        relations = list(self._known(state).relations)
        self._program.give(relations, DOES, list(zip(self.roles, joint, strict=True)))
        self._program.run(relations, Layer.MOVE, (relation,), STEPS_PER_STATE)
        return self._rows(relations, relation)


class _Moment:
    """What has been computed about a state."""

    __slots__ = ("asked", "following", "legal", "lock", "relations")

    def __init__(self, relations: _Relations) -> None:
        self.relations = relations
        self.asked: set[Signature] = set()
        self.legal: tuple[tuple[Term, ...], ...] | None = None
        self.following: dict[tuple[Term, ...], State] = {}
        self.lock = Lock()


class _Program:
    """The rules in an order in which they can be computed, and the numbers under which relations are kept."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self._rules = tuple([_flattened(rule) for rule in rules])
        self._budget = Budget(STEPS_AT_FIRST)
        graph = needs(self._rules)
        self._given = {
            relation: Layer.MOVE if relation == DOES else Layer.STATE
            for relation in graph
            if relation == DOES or _is_of_state(relation)
        }
        self.numbers: dict[Signature, int] = {relation: number for number, relation in enumerate(sorted(graph))}
        for relation in sorted(graph):
            self.numbers[_assumed(relation)] = len(self.numbers)
        self._steps = [
            _Step(component, self.numbers) for component in components(self._rules, self._given, sorted(graph))
        ]
        self._needed = {relation: frozenset(reachable(graph, [relation])) for relation in graph if relation in ASKED}
        self._graph = graph
        self._whole_state = TRUE in graph
        self._deep = any(
            isinstance(part, tuple)
            for rule in self._rules
            if rule.signature == NEXT
            for fact in arguments(rule.head)
            for part in arguments(fact)
        )
        self._state_numbers = {
            relation: self.numbers[relation] for relation in self._given if self._given[relation] is Layer.STATE
        }

    def empty(self) -> _Relations:
        return [Relation() for _ in self.numbers]

    def in_order(self, relation: Signature, rows: list[Row]) -> list[Term]:
        """The rows of a relation with one column in the order of the file, computed ones after them."""
        said = [arguments(rule.head)[0] for rule in self._rules if rule.signature == relation and not rule.body]
        computed = sorted([term for (term,) in rows if term not in said], key=text)
        return list(dict.fromkeys([*said, *computed]))

    def give(self, relations: _Relations, relation: Signature, rows: list[Row]) -> None:
        if relation in self.numbers:
            relations[self.numbers[relation]] = Relation(rows)

    def with_state(self, always: _Relations, state: State) -> _Relations:
        """All relations, with those that a state consists of. Raises ReasoningError if its terms are too deep."""
        relations = list(always)
        rows: dict[Signature, list[Row]] = {}
        for fact in state:
            kind, row = _kept(fact)
            rows.setdefault(kind, []).append(row)
            if self._deep:
                shallow(fact)
        if self._whole_state:
            rows[TRUE] = [(fact,) for fact in state]
        for kind, number in self._state_numbers.items():
            relations[number] = Relation(rows.get(kind, ()))
        return relations

    def run(self, relations: _Relations, layer: Layer, asked: Iterable[Signature], steps: int) -> None:
        """Compute everything of a layer that the asked relations need."""
        budget = self._budget
        budget.steps = budget.left = steps
        needed: set[Signature] = set()
        for relation in asked:
            needed |= self._needed.get(relation) or reachable(self._graph, [relation])
        for step in self._steps:
            if step.layer == layer and step.relations[0] in needed and not step.run(relations, budget):
                for each in self._steps:
                    each.forget_orders()


class _Step:
    """One component: computes its relations from those that it needs."""

    def __init__(self, component: Component, numbers: Mapping[Signature, int]) -> None:
        self.relations = component.relations
        self.layer = component.layer
        self._numbers = numbers
        self._own = tuple([numbers[relation] for relation in component.relations])
        self._recursive = component.recursive
        self._denies_itself = bool(component.denied)
        rules = [_with_assumptions(rule, component.relations) for rule in component.rules]
        self._rules = rules
        self._facts = [(numbers[rule.signature], arguments(rule.head)) for rule in rules if not rule.body]
        self._implications = [rule for rule in rules if rule.body]
        self._first: list[tuple[int, Found]] | None = None
        self._again: list[tuple[int, int, Found]] = []
        self._demanded = False
        self._by_columns: dict[tuple[int, ...], list[Found]] = {}

    def run(self, relations: _Relations, budget: Budget) -> bool:
        """Compute the component. False if that has turned out to be too much, for the first time."""
        if self._denies_itself:
            self._alternate(relations, budget)
        elif self._recursive:
            self._compute(relations, budget)
        elif self._demanded:
            self._demand(relations, budget)
        elif self.relations[0] in ASKED:
            self._compute(relations, budget)
        else:
            return self._try(relations, budget)
        return True

    def forget_orders(self) -> None:
        """A relation that others need is too large from now on: find new orders for everything."""
        self._first = None
        self._by_columns.clear()

    def _try(self, relations: _Relations, budget: Budget) -> bool:
        most = min(STEPS_PER_RELATION[self.layer], budget.left)
        left, budget.left = budget.left, most
        try:
            self._compute(relations, budget)
        except OutOfStepsError:
            budget.left = left - most
            self._demanded = True
            self._demand(relations, budget)
            return False
        budget.left += left - most
        return True

    def _demand(self, relations: _Relations, budget: Budget) -> None:
        (number,), ((_, width),) = self._own, self.relations

        def rows(columns: tuple[int, ...], terms: Row) -> list[Row]:
            functions = self._by_columns.get(columns)
            if functions is None:
                functions = self._by_columns[columns] = [
                    compiled(rule, self._numbers, relations, asked=columns) for rule in self._rules
                ]
            known: set[Row] = set()
            found: list[Row] = []
            for function in functions:
                function(relations, terms, known, found, budget)
            return found

        relations[number] = Demanded(width, rows)

    def _compute(self, relations: _Relations, budget: Budget) -> list[Relation]:
        """The least model of the component's rules, given everything else."""
        own = {number: Relation([row for of, row in self._facts if of == number]) for number in self._own}
        for number, relation in own.items():
            relations[number] = relation
        if self._first is None:
            self._compile(relations)
        fresh: dict[int, list[Row]] = {number: [] for number in self._own}
        for number, found in self._first or ():
            found(relations, None, own[number].known, fresh[number], budget)
        while any(fresh.values()):
            for number, rows in fresh.items():
                own[number].extend(rows)
            newest = {number: Relation(rows) for number, rows in fresh.items()}
            fresh = {number: [] for number in self._own}
            for asked, number, found in self._again:
                if newest[asked].items:
                    found(relations, newest[asked], own[number].known, fresh[number], budget)
        return list(own.values())

    def _alternate(self, relations: _Relations, budget: Budget) -> None:
        """The well-founded model: what holds if too much is assumed, then if too little is, until both agree."""
        too_little = [Relation() for _ in self._own]
        while True:
            too_much = self._assuming(relations, too_little, budget)
            certain = self._assuming(relations, too_much, budget)
            if all(one.known == other.known for one, other in zip(certain, too_little, strict=True)):
                break
            too_little = certain
        for relation, certain_rows, possible in zip(self.relations, certain, too_much, strict=True):
            open_rows = possible.known - certain_rows.known
            if open_rows:
                row = min(open_rows, key=text)
                raise ReasoningError(f"{text((relation[0], *row))} holds exactly if it does not hold")

    def _assuming(self, relations: _Relations, assumed: Sequence[Relation], budget: Budget) -> list[Relation]:
        for relation, rows in zip(self.relations, assumed, strict=True):
            relations[self._numbers[_assumed(relation)]] = rows
        return self._compute(relations, budget)

    def _compile(self, relations: _Relations) -> None:
        """Write the functions of the rules, now that what they need is known for a first state."""
        first, again = [], []
        for rule in self._implications:
            number = self._numbers[rule.signature]
            nests = any(isinstance(term, tuple) and not is_ground(term) for term in arguments(rule.head))
            grows = nests and self._recursive
            first.append((number, compiled(rule, self._numbers, relations, grows=grows)))
            for place, literal in enumerate(rule.body):
                if literal.is_positive and literal.signature in self.relations:
                    function = compiled(rule, self._numbers, relations, place, grows=grows)
                    again.append((self._numbers[literal.signature], number, function))
        self._again, self._first = again, first


def _with_assumptions(rule: Rule, inside: Sequence[Signature]) -> Rule:
    """The rule with what it denies of its own component as something that is assumed."""
    body = [
        Literal(_renamed(literal.statement, _assumed(literal.signature)[0]), negated=True)
        if literal.negated and literal.signature in inside
        else literal
        for literal in rule.body
    ]
    return rule._replace(body=tuple(body))


def _assumed(relation: Signature) -> Signature:
    return f"assumed {relation[0]}", relation[1]


def _renamed(statement: Term, name: str) -> Term:
    return (name, *arguments(statement)) if isinstance(statement, tuple) else name


# A state's facts are kept by their own relation, as if there were a relation `true cell` of three columns: found by any
# of them. No description can write such a name.


def _flattened(rule: Rule) -> Rule:
    body = [
        Literal(_of_true(arguments(literal.statement)[0]), literal.negated) if literal.signature == TRUE else literal
        for literal in rule.body
    ]
    return rule._replace(body=tuple(body))


def _of_true(fact: Term) -> Term:
    return ("true", fact) if isinstance(fact, Variable) else _renamed(fact, f"true {signature(fact)[0]}")


@lru_cache(maxsize=WORDS_KEPT)
def _kept(fact: Term) -> tuple[Signature, Row]:
    """The relation under which a fact of a state is kept, and its row there."""
    return signature(_of_true(fact)), arguments(fact)


written = lru_cache(maxsize=WORDS_KEPT)(text)
"""The text of a term that is asked for often."""


def _is_of_state(relation: Signature) -> bool:
    return relation == TRUE or relation[0].startswith("true ")


def _number(said: list[Term]) -> int | None:
    """The one whole number that was said."""
    if len(said) != 1 or not isinstance(said[0], str):
        return None
    try:
        return int(said[0])
    except ValueError:
        return None
