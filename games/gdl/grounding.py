"""From rules with variables to a boolean network: what can be the case at all, and what depends on what.

First everything that could ever hold is found, by letting facts follow from facts until nothing new comes: relations
that no position decides are computed exactly, and for the others a negation counts as possible. What may be done is
what may be legal, and what may be true is what is so at first or may be next; so `base` and `input` are not needed.
Then each rule is joined once more over what is possible, and each row carries the wire that tells in which positions it
holds. Rows that nobody tells apart any more become one, so a rule with many conditions grows step by step and not as
the product of all its possibilities.

Some descriptions cannot be grounded: their facts are too many for any memory. A budget of time, facts and gates ends
the attempt with `GroundingError`, and such games are played by the reasoner.
"""

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, product
from typing import Final, NamedTuple, cast

from games.gdl.relations import ReasoningError, shallow
from games.gdl.tables import Distinct, Join, Keep, Plan, Relations, Step, Values, View, Without, maker, plan
from games.gdl.terms import Literal, Rule, Signature, Term, arguments, text, variables
from games.gdl.wiring import Wiring
from kernels.network import FALSE, TRUE, Network, NetworkError, Untied, Wire, needed, untied

ROLE: Final = ("role", 1)
INIT: Final = ("init", 1)
TRUE_NOW: Final = ("true", 1)
DOES: Final = ("does", 2)
LEGAL: Final = ("legal", 2)
NEXT: Final = ("next", 1)
GOAL: Final = ("goal", 2)
TERMINAL: Final = ("terminal", 0)
RANDOM: Final = ("random", 3)
ASKED: Final = (ROLE, INIT, LEGAL, NEXT, GOAL, TERMINAL, RANDOM)
"""All other relations are of interest only if one of these needs them."""


class GroundingError(ValueError):
    """A description that cannot be grounded within the budget, or that has no meaning as a network."""


class Budget(NamedTuple):
    """What grounding may cost."""

    seconds: float = 60.0
    facts: int = 500_000
    rows: int = 1_000_000
    """Rows of a join at the same time."""
    gates: int = 2_000_000


class Draw(NamedTuple):
    """What a move leaves to chance: the event of a chance variable."""

    name: str
    event: Term


class Deed(NamedTuple):
    """Something that a role may have done: one of its moves, by number, with what chance added to it."""

    term: Term
    move: int
    draws: tuple[Draw, ...] = ()


class Grounded(NamedTuple):
    """A game as a network. Inputs are the facts that are true and what is done; everything else is computed."""

    network: Network
    roles: tuple[str, ...]
    facts: tuple[Term, ...]
    start: tuple[bool, ...]
    """Which facts are true at first."""
    true: tuple[Wire, ...]
    following: tuple[Wire, ...]
    """Which facts are true next."""
    moves: tuple[tuple[Term, ...], ...]
    """By role: what may be legal."""
    legal: tuple[tuple[Wire, ...], ...]
    deeds: tuple[tuple[Deed, ...], ...]
    """By role: what may be done; the same as the moves in games without chance variables."""
    does: tuple[tuple[Wire, ...], ...]
    goals: tuple[tuple[tuple[int | None, Wire], ...], ...]
    """By role: points and where they are given."""
    terminal: Wire
    chances: Mapping[str, tuple[tuple[Term, int, Wire], ...]]
    """By chance variable: events, weights, and where they count."""
    circles: int


def ground(rules: Sequence[Rule], budget: Budget | None = None) -> Grounded:
    """Raises GroundingError."""
    grounder = _Grounder(rules, budget or Budget())
    try:
        grounder.find_what_is_possible()
        grounder.wire_up()
        return grounder.result()
    except NetworkError as error:
        raise GroundingError(str(error)) from None


class _Carried(NamedTuple):
    """How many facts of a relation have been carried over to what they make possible."""

    following: int = 0
    moves: int = 0
    events: int = 0


class _Grounder:
    def __init__(self, rules: Sequence[Rule], budget: Budget) -> None:
        self._budget = budget
        self._ends = time.monotonic() + budget.seconds
        self._facts = 0
        self._rules = _relevant(rules)
        self._layers = _layers(self._rules)
        self._static = _static(self._rules, self._layers)
        self._relations = Relations()
        self._network = Network(budget.gates)
        self._wires: dict[Signature, list[Wire]] = {}
        self._deeds: dict[Values, tuple[int, tuple[Draw, ...]]] = {}
        """Role and deed → the number of the legal fact that it is a case of, and what was drawn."""
        self._carried = _Carried()

    # ------------------------------------------------------------------------------------- what is possible

    def find_what_is_possible(self) -> None:
        for layer in self._layers:
            if self._static.issuperset(layer):
                self._saturate([rule for rule in self._rules if rule.signature in layer], layer)
        for fact in self._relations[INIT].numbers:
            self._add(TRUE_NOW, fact)
        dynamic = [rule for rule in self._rules if rule.signature not in self._static]
        self._saturate(
            [rule for rule in dynamic if not _is_frame(rule)], {rule.signature for rule in dynamic} | {TRUE_NOW, DOES}
        )
        # What only stays true is possible next as well; it was left out because it brings no news.
        for fact in self._relations[TRUE_NOW].numbers:
            self._relations[NEXT].add(fact)

    def _saturate(self, rules: Sequence[Rule], growing: Iterable[Signature]) -> None:
        """Adds all that follows by the rules; `growing` are the relations that may have news for them."""
        growing = set(growing)
        triggers: list[tuple[Rule, tuple[Literal, ...], Literal, View]] = []
        for rule in rules:
            # A negation of what is not settled may always hold.
            body = tuple([one for one in rule.body if not (one.negated and one.signature not in self._static)])
            causes = [literal for literal in body if literal.is_positive and literal.signature in growing]
            triggers += [(rule, body, cause, self._relations.view(cause.statement)) for cause in causes]
            if not causes:
                self._conclude(rule, plan(rule.head, body, self._relations), [()])
        plans: dict[int, tuple[int, Plan]] = {}
        while True:
            self._carry_over()
            news = [(cause, view.rows[view.seen :]) for cause, (*_, view) in enumerate(triggers)]
            for view in {id(view): view for *_, view in triggers}.values():
                view.seen = len(view.rows)
            if not any(rows for _, rows in news):
                return
            for number, rows in news:
                if rows:
                    rule, body, cause, _ = triggers[number]
                    size = sum([len(self._relations.view(one.statement).rows) for one in body if one.is_positive])
                    if number not in plans or size > 2 * plans[number][0]:
                        plans[number] = size, plan(rule.head, body, self._relations, cause)
                    self._conclude(rule, plans[number][1], [values for values, _ in rows])

    def _conclude(self, rule: Rule, way: Plan, rows: list[Values]) -> None:
        for step in way.steps:
            rows = self._stepped(step, rows, rule)
            if not rows:
                return
        self._spend(len(rows), rule)
        for fact in dict.fromkeys([way.head(row) for row in rows]):
            self._add(rule.signature, fact)

    def _stepped(self, step: Step, rows: list[Values], rule: Rule) -> list[Values]:
        match step:
            case Join(_, view, places, key):
                index = view.index(places)
                joined = (row + rest for row in rows for rest, _ in index.get(key(row), ()))
                rows = list(islice(joined, self._budget.rows))
            case Distinct(one, other):
                rows = [row for row in rows if one(row) != other(row)]
            case Without(name, fact):
                known = self._relations[name].numbers
                rows = [row for row in rows if fact(row) not in known]
            case Keep(values):
                rows = list(dict.fromkeys([values(row) for row in rows]))
        self._spend(len(rows), rule)
        return rows

    def _add(self, name: Signature, fact: Values) -> None:
        if self._relations[name].add(fact):
            for part in fact:
                if isinstance(part, tuple):
                    _check_depth(part)
            self._facts += 1
            if self._facts > self._budget.facts:
                raise GroundingError(f"more than {self._budget.facts} facts are possible, most of them of {name[0]}")

    def _spend(self, rows: int, rule: Rule) -> None:
        if rows >= self._budget.rows:
            raise GroundingError(f"the rule at {rule.place} fits in more than {self._budget.rows} ways at a time")
        if time.monotonic() > self._ends:
            raise GroundingError(
                f"grounding took longer than {self._budget.seconds:g} s; the rule at {rule.place} came last"
            )

    def _carry_over(self) -> None:
        """What may be next may be true, and what is legal may be done.

        Where a move names chance variables, it may be done with any event in their place.
        """
        for fact in islice(list(self._relations[NEXT].numbers), self._carried.following, None):
            self._add(TRUE_NOW, fact)
        if len(self._relations[RANDOM]) > self._carried.events:
            self._carried = self._carried._replace(moves=0)
        events: dict[Term, set[Term]] = defaultdict(set)
        for name, weight, event in self._relations[RANDOM].numbers:
            if weight != "0":
                events[name].add(event)
        for number, (role, move) in islice(enumerate(list(self._relations[LEGAL].numbers)), self._carried.moves, None):
            if (role,) not in self._relations[ROLE].numbers:
                continue
            names = [name for name in events if _occurs(name, move)]
            for drawn in product(*[sorted(events[name], key=str) for name in names]):
                deed = (role, _replaced(move, dict(zip(names, drawn, strict=True))))
                draws = tuple([Draw(str(name), event) for name, event in zip(names, drawn, strict=True)])
                self._deeds.setdefault(deed, (number, draws))
                self._add(DOES, deed)
        self._carried = _Carried(len(self._relations[NEXT]), len(self._relations[LEGAL]), len(self._relations[RANDOM]))

    # ------------------------------------------------------------------------------------- what depends on what

    def wire_up(self) -> None:
        for name in (TRUE_NOW, DOES):
            self._wires[name] = [self._network.input() for _ in range(len(self._relations[name]))]
        by_role: dict[Term, list[Wire]] = defaultdict(list)
        for (role, _), wire in zip(self._relations[DOES].numbers, self._wires[DOES], strict=True):
            by_role[role].append(wire)
        for wires in by_role.values():
            self._network.exactly_one(wires)
        for layer in self._layers:
            if not self._static.issuperset(layer):
                self._wire_layer([rule for rule in self._rules if rule.signature in layer], layer)

    def _wire_layer(self, rules: Sequence[Rule], layer: tuple[Signature, ...]) -> None:
        recursive = any(literal.signature in layer for rule in rules for literal in rule.body)
        knots: dict[Signature, list[Wire]] = {}
        if recursive:
            for name in layer:
                knots[name] = [self._network.knot() for _ in range(len(self._relations[name]))]
                self._wires[name] = knots[name]
        reasons: dict[Signature, list[list[Wire]]] = {
            name: [[] for _ in range(len(self._relations[name]))] for name in layer
        }
        for rule in rules:
            numbers = self._relations[rule.signature].numbers
            found = reasons[rule.signature]
            for fact, wire in self._wired(rule).items():
                # Conditions that were computed apart may each be possible where all together are not.
                if fact in numbers:
                    found[numbers[fact]].append(wire)
        for name in layer:
            meanings = [self._network.any_of(wires) for wires in reasons[name]]
            if recursive:
                for knot, meaning in zip(knots[name], meanings, strict=True):
                    self._network.tie(knot, meaning)
            else:
                self._wires[name] = meanings

    def _wired(self, rule: Rule) -> dict[Values, Wire]:
        """The heads of a rule, each with where it follows."""
        wiring = Wiring(self._network, self._relations, self._wires, lambda rows: self._spend(rows, rule))
        factor = wiring.body(rule.body, frozenset(variables(rule.head)))
        head = maker(arguments(rule.head), factor.names)
        return wiring.merged([(head(row), wire) for row, wire in factor.rows.items()])

    # ----------------------------------------------------------------------------------------------- the result

    def result(self) -> Grounded:
        relations = self._relations
        roles = _in_order(self._rules, [role for (role,) in relations[ROLE].numbers])
        facts = list(relations[TRUE_NOW].numbers)
        legal = list(zip(relations[LEGAL].numbers, self._all_wires(LEGAL), strict=True))
        does = list(zip(relations[DOES].numbers, self._all_wires(DOES), strict=True))
        following = dict(zip(relations[NEXT].numbers, self._all_wires(NEXT), strict=True))
        goals = list(zip(relations[GOAL].numbers, self._all_wires(GOAL), strict=True))
        chances = list(zip(relations[RANDOM].numbers, self._all_wires(RANDOM), strict=True))
        terminal = self._all_wires(TERMINAL)
        outputs = [
            *[following.get(fact, FALSE) for fact in facts],
            *[wire for _, wire in legal],
            *[wire for _, wire in goals],
            *[wire for _, wire in chances],
            terminal[0] if terminal else FALSE,
        ]
        plain = untied(self._network, outputs, self._budget.gates)
        self._refuse_foresight(plain, len(facts))
        network = plain.network
        wires = iter(plain.roots)

        def input_of(wire: Wire) -> Wire:
            return plain.inputs[wire] if wire in plain.inputs else network.input()

        true = tuple([input_of(wire) for wire in self._wires[TRUE_NOW]])
        following_wires = tuple([next(wires) for _ in facts])
        legal_wires = [next(wires) for _ in legal]
        goal_wires = [next(wires) for _ in goals]
        chance_wires = [next(wires) for _ in chances]
        moves = [[number for number, ((role, _), _) in enumerate(legal) if role == name] for name in roles]
        place = {number: index for numbers in moves for index, number in enumerate(numbers)}
        deeds = [
            [
                (Deed(deed, place[self._deeds[role, deed][0]], self._deeds[role, deed][1]), input_of(wire))
                for (role, deed), wire in does
                if role == name
            ]
            for name in roles
        ]
        by_name: dict[str, list[tuple[Term, int, Wire]]] = defaultdict(list)
        for ((name, weight, event), _), wire in zip(chances, chance_wires, strict=True):
            by_name[str(name)].append((event, _weight(weight), wire))
        return Grounded(
            network=network,
            roles=roles,
            facts=tuple([cast("Term", fact) for (fact,) in facts]),
            start=tuple([fact in relations[INIT].numbers for fact in facts]),
            true=true,
            following=following_wires,
            moves=tuple([tuple([legal[number][0][1] for number in numbers]) for numbers in moves]),
            legal=tuple([tuple([legal_wires[number] for number in numbers]) for numbers in moves]),
            deeds=tuple([tuple([deed for deed, _ in row]) for row in deeds]),
            does=tuple([tuple([wire for _, wire in row]) for row in deeds]),
            goals=tuple(
                [
                    tuple(
                        [
                            (_points(points), wire)
                            for ((role, points), _), wire in zip(goals, goal_wires, strict=True)
                            if role == name
                        ]
                    )
                    for name in roles
                ]
            ),
            terminal=next(wires),
            chances={name: tuple(events) for name, events in by_name.items()},
            circles=plain.circles,
        )

    def _refuse_foresight(self, plain: Untied, facts: int) -> None:
        """What is legal, and what a position is worth, must not depend on what will be done in it."""
        done = {plain.inputs[wire] >> 1 for wire in self._wires[DOES] if wire in plain.inputs}
        if not done.isdisjoint(needed(plain.network, plain.roots[facts:])):
            raise GroundingError("legal, goal, terminal or random depends on what is done in the same turn")

    def _all_wires(self, name: Signature) -> list[Wire]:
        return self._wires.get(name) or [TRUE] * len(self._relations[name])


def _in_order(rules: Sequence[Rule], roles: Sequence[Term]) -> tuple[str, ...]:
    """The roles in the order of the file, those that rules give after them."""
    said = [arguments(rule.head)[0] for rule in rules if rule.signature == ROLE and not rule.body]
    return tuple([str(role) for role in dict.fromkeys([*said, *sorted(roles, key=text)])])


def _is_frame(rule: Rule) -> bool:
    """Whether a rule only says that something stays true."""
    if rule.signature != NEXT:
        return False
    return Literal((TRUE_NOW[0], *arguments(rule.head))) in rule.body


def _points(term: Term) -> int | None:
    """The number that a term writes; None if it writes none."""
    try:
        return int(term) if isinstance(term, str) else None
    except ValueError:
        return None


def _weight(term: Term) -> int:
    number = _points(term)
    if number is None or number < 0:
        raise GroundingError(f"a weight has to be a whole number, not {text(term)}")
    return number


def _occurs(name: Term, term: Term) -> bool:
    return term == name or (isinstance(term, tuple) and any(_occurs(name, part) for part in term))


def _replaced(term: Term, values: Mapping[Term, Term]) -> Term:
    if isinstance(term, tuple):
        return tuple([_replaced(part, values) for part in term]) if values else term
    return values.get(term, term)


# --------------------------------------------------------------------------------------- the order of relations


def _check_depth(term: Term) -> None:
    try:
        shallow(term)
    except ReasoningError as error:
        raise GroundingError(str(error)) from None


def _relevant(rules: Sequence[Rule]) -> list[Rule]:
    """The rules on which anything depends that is asked for."""
    by_head: dict[Signature, list[Rule]] = defaultdict(list)
    for rule in rules:
        by_head[rule.signature].append(rule)
    wanted = set(ASKED)
    waiting = list(ASKED)
    while waiting:
        for rule in by_head.get(waiting.pop(), ()):
            for literal in rule.body:
                if not literal.is_distinct and literal.signature not in wanted:
                    wanted.add(literal.signature)
                    waiting.append(literal.signature)
    return [rule for rule in rules if rule.signature in wanted]


def _layers(rules: Sequence[Rule]) -> list[tuple[Signature, ...]]:
    """Relations that need each other together, each group after all that it needs."""
    needs: dict[Signature, dict[Signature, None]] = {}
    for rule in rules:
        row = needs.setdefault(rule.signature, {})
        row.update({literal.signature: None for literal in rule.body if not literal.is_distinct})
    order: dict[Signature, int] = {}
    low: dict[Signature, int] = {}
    open_: list[Signature] = []
    layers: list[tuple[Signature, ...]] = []
    for start in needs:
        if start in order:
            continue
        work = [(start, iter(needs[start]))]
        order[start] = low[start] = len(order)
        open_.append(start)
        while work:
            name, following = work[-1]
            for other in following:
                if other in needs and other not in order:
                    order[other] = low[other] = len(order)
                    open_.append(other)
                    work.append((other, iter(needs[other])))
                    break
                if other in open_:
                    low[name] = min(low[name], order[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == order[name]:
                    place = open_.index(name)
                    layers.append(tuple(open_[place:]))
                    del open_[place:]
    return layers


def _static(rules: Sequence[Rule], layers: Sequence[tuple[Signature, ...]]) -> set[Signature]:
    """The relations that are the same in every position; not those that depend on their own opposite."""
    dynamic: set[Signature] = {TRUE_NOW, DOES}
    for layer in layers:
        bodies = [literal for rule in rules if rule.signature in layer for literal in rule.body]
        if any(one.signature in dynamic or (one.negated and one.signature in layer) for one in bodies):
            dynamic.update(layer)
    heads = {rule.signature for rule in rules}
    used = {literal.signature for rule in rules for literal in rule.body if not literal.is_distinct}
    return (heads | used) - dynamic
