"""Reads a description into plain rules: a strict eye for the language, a lenient one for what is meant.

Whatever has one possible meaning is read with it, and told as a warning if the language forbids it. Bodies may nest
`or`, `and` and `not` in any way; they become plain rules. A negation whose variable stands nowhere else asks whether
there is none at all, which a helping relation says; a player's name that is left open in the head of `legal` or `goal`
means every player.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, product
from typing import Final, NamedTuple

from games.gdl.findings import DescriptionError, Finding, Level
from games.gdl.syntax import Node, is_variable, parse, term_of
from games.gdl.terms import DISTINCT, Literal, Place, Rule, Term, Variable, arguments, substitute, unified, variables

CAPITAL_LETTERS: Final = "capital letters"
"""The rule that words which differ in them only are the same."""
IMPLIES: Final = "<="
CONNECTIVES: Final = frozenset({"and", "or", "not", DISTINCT})
MOST_ALTERNATIVES: Final = 2_000
"""Plain rules that one written rule may become."""
MOST_RULES: Final = 100_000
ABOUT_PLAYERS: Final = frozenset({("legal", 2), ("goal", 2), ("sees", 2), ("input", 2)})
"""Relations whose first argument is a role."""


class Rulesheet(NamedTuple):
    """A description that was read: its plain rules in the order of the file, what was noticed, and the comments."""

    rules: tuple[Rule, ...]
    findings: tuple[Finding, ...] = ()
    comments: tuple[str, ...] = ()


def read(source: str, *, exact: bool = False) -> Rulesheet:
    """Raises DescriptionError, with everything that was found, if something has no meaning.

    With `exact`, capital letters make a difference, which the language forbids.
    """
    sheet = parse(source, exact=exact)
    reader = _Reader()
    for place, written, before in sheet.spellings:
        message = f"{written} is the same word as {before}: capital letters make no difference"
        reader.findings.append(Finding(place, Level.WARNING, CAPITAL_LETTERS, message, "spell it in one way"))
    for node in sheet.nodes:
        reader.take(node)
    if any(finding.level is Level.ERROR for finding in reader.findings):
        raise DescriptionError(tuple(reader.findings))
    return Rulesheet(tuple(reader.rules), tuple(reader.findings), sheet.comments)


class _MeaninglessError(Exception):
    """Ends the reading of one rule; its finding has been written down."""


class _Reader:
    def __init__(self) -> None:
        self.rules: list[Rule] = []
        self.findings: list[Finding] = []
        self._helpers = 0
        self._occurring: Counter[str] = Counter()

    def take(self, node: Node) -> None:
        """Read what stands at the top of the file: a fact or an implication."""
        try:
            if node.first == IMPLIES and node.is_list:
                self._implication(node)
            else:
                self._occurring = Counter(_variable_names(node))
                self._add(self._head(node), (), node.place)
        except _MeaninglessError:
            return
        if len(self.rules) > MOST_RULES:
            refusal = Finding(
                node.place,
                Level.ERROR,
                "size",
                f"more than {MOST_RULES} rules",
                "let variables say what rules have in common",
            )
            raise DescriptionError((refusal,))

    # ------------------------------------------------------------------------------------------- implications

    def _implication(self, node: Node) -> None:
        if len(node.parts) == 1:
            raise self._meaningless(node, "implications", "a <= without a head", "write (<= head condition …)")
        if len(node.parts) == 2:
            self._warn(node, "implications", "an implication without conditions", "write the head alone: it is a fact")
        self._occurring = Counter(_variable_names(node))
        head = self._head(node.parts[1])
        for body in self._conjunction(node.parts[2:], node):
            self._add(head, body, node.place)

    def _head(self, node: Node) -> Term:
        if node.first in CONNECTIVES or node.first == IMPLIES:
            raise self._meaningless(node, "heads", f"{node.first} cannot be concluded", "conclude a relation")
        return self._statement(node)

    def _statement(self, node: Node) -> Term:
        if is_variable(node):
            raise self._meaningless(
                node, "statements", f"the variable {node.word} stands in a relation's place", "name the relation"
            )
        if len(node.parts) == 1 and node.first:
            self._warn(node, "parentheses", f"({node.first}) has no arguments", f"write {node.first}")
        return self._term(node)

    def _term(self, node: Node) -> Term:
        term = term_of(node)
        if term is None:
            raise self._meaningless(
                node, "terms", "a list has to begin with a name", "no empty (), no ((…) …), no (?variable …)"
            )
        return term

    # ------------------------------------------------------------------------------------------------- bodies

    def _conjunction(self, nodes: tuple[Node, ...], whole: Node) -> tuple[tuple[Literal, ...], ...]:
        return self._product([self._alternatives(node, negated=False) for node in nodes], whole)

    def _alternatives(self, node: Node, *, negated: bool) -> tuple[tuple[Literal, ...], ...]:
        """The ways in which a condition, or its opposite, can hold: each is a row of literals."""
        if node.is_list and node.first == "not":
            if len(node.parts) != 2:
                raise self._meaningless(node, "not", f"not has {len(node.parts) - 1} conditions", "not has exactly one")
            return self._alternatives(node.parts[1], negated=not negated)
        if node.is_list and node.first in ("and", "or"):
            return self._connected(node, negated=negated)
        if node.first == DISTINCT:
            if len(node.parts) != 3:
                raise self._meaningless(node, DISTINCT, f"{max(len(node.parts) - 1, 0)} terms", "distinct has two")
            if negated:
                self._warn(node, DISTINCT, "not distinct means equality", "write the same variable in both places")
        if node.first == IMPLIES:
            raise self._meaningless(node, "implications", "a rule within a rule", "is a ) missing before it?")
        return ((Literal(self._statement(node), negated),),)

    def _connected(self, node: Node, *, negated: bool) -> tuple[tuple[Literal, ...], ...]:
        parts = node.parts[1:]
        everything = (node.first == "and") != negated
        if negated and node.first == "and" and len(parts) > 1 and self._has_own_variables(node):
            return ((Literal(self._helper(node), negated=True),),)
        alternatives = [self._alternatives(part, negated=negated) for part in parts]
        if everything:
            return self._product(alternatives, node)
        return tuple(chain.from_iterable(alternatives))

    def _product(self, choices: list[tuple[tuple[Literal, ...], ...]], node: Node) -> tuple[tuple[Literal, ...], ...]:
        number = 1
        for choice in choices:
            number *= len(choice)
            if number > MOST_ALTERNATIVES:
                raise self._meaningless(
                    node,
                    "size",
                    f"its or's make more than {MOST_ALTERNATIVES} rules",
                    "name a part by its own relation",
                )
        return tuple([tuple(chain.from_iterable(row)) for row in product(*choices)])

    # ------------------------------------------------------------------------------------------------ helpers

    def _has_own_variables(self, node: Node) -> bool:
        inside = Counter(_variable_names(node))
        return any(self._occurring[name] == number for name, number in inside.items())

    def _helper(self, node: Node) -> Term:
        """A relation that holds where the node holds, of the variables that stand outside of it, too."""
        inside = Counter(_variable_names(node))
        shared = [Variable(name) for name, number in inside.items() if self._occurring[name] > number]
        head = self._new_helper(shared)
        for body in self._conjunction(node.parts[1:], node):
            self._add(head, body, node.place)
        return head

    def _new_helper(self, shared: list[Variable]) -> Term:
        self._helpers += 1
        name = f"helper {self._helpers}"
        return (name, *shared) if shared else name

    def _add(self, head: Term, body: tuple[Literal, ...], place: Place) -> None:
        equal = _equalities_carried_out(head, body)
        if equal is None:
            return
        head, body = equal
        bound = {name for literal in body if literal.is_positive for name in variables(literal.statement)}
        player = _player_of(head)
        if player is not None and player not in bound:
            self._notice(
                place,
                f"?{player.name} is in the head but in no positive condition; it is read as every role",
                f"add (role ?{player.name})",
            )
            bound.add(player)
            body = (Literal(("role", player)), *body)
        elsewhere = bound | set(variables(head))
        body = tuple([self._closed(literal, elsewhere, place) for literal in body])
        self.rules.append(Rule(head, body, place))

    def _closed(self, literal: Literal, elsewhere: set[Variable], place: Place) -> Literal:
        """A negated literal whose own variables have gone into a helping relation."""
        if not literal.negated:
            return literal
        own = [name for name in variables(literal.statement) if name not in elsewhere]
        if not own:
            return literal
        shared = list(dict.fromkeys(name for name in variables(literal.statement) if name in elsewhere))
        helper = self._new_helper(shared)
        self.rules.append(Rule(helper, (Literal(literal.statement),), place))
        names = ", ".join(f"?{name.name}" for name in dict.fromkeys(own))
        self._notice(
            place,
            f"{names} is in a negation but in no positive condition; it is read as: there is none",
            "bind it by a positive condition",
        )
        return Literal(helper, negated=True)

    # ----------------------------------------------------------------------------------------------- findings

    def _meaningless(self, node: Node, rule: str, message: str, hint: str) -> _MeaninglessError:
        self.findings.append(Finding(node.place, Level.ERROR, rule, message, hint))
        return _MeaninglessError()

    def _warn(self, node: Node, rule: str, message: str, hint: str) -> None:
        self.findings.append(Finding(node.place, Level.WARNING, rule, message, hint))

    def _notice(self, place: Place, message: str, hint: str) -> None:
        """Warn of what is unsafe but means something; once, however many rules a written one became."""
        finding = Finding(place, Level.WARNING, "safety", message, hint)
        if finding not in self.findings[-8:]:
            self.findings.append(finding)


def _player_of(head: Term) -> Variable | None:
    """The variable in a head's place for a role, if there is one."""
    if isinstance(head, tuple) and (head[0], len(head) - 1) in ABOUT_PLAYERS and isinstance(head[1], Variable):
        return head[1]
    return None


def _equalities_carried_out(head: Term, body: tuple[Literal, ...]) -> tuple[Term, tuple[Literal, ...]] | None:
    """Without negated `distinct`: what is equal stands in each other's place. None if nothing can be equal."""
    waiting = [literal.statement for literal in body if literal.negated and literal.is_distinct]
    kept = [literal for literal in body if not (literal.negated and literal.is_distinct)]
    while waiting:
        one, other = arguments(waiting.pop())
        same = unified(one, other)
        if same is None:
            return None
        head = substitute(head, same)
        waiting = [substitute(statement, same) for statement in waiting]
        kept = [Literal(substitute(literal.statement, same), literal.negated) for literal in kept]
    return head, tuple(kept)


def _variable_names(node: Node) -> Iterator[str]:
    if is_variable(node):
        yield node.word[1:]
    for part in node.parts:
        yield from _variable_names(part)
