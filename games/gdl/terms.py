"""What a description is made of: terms, literals and rules, as plain values.

A term is an atom (an interned string in small letters), a `Variable`, or a tuple of a functor and its arguments. A
relation without arguments is the atom alone, however it was written; so a tuple has at least two entries. A statement
is a term, too: `("cell", "1", "1", "x")` or `"terminal"`.

A rule is plain: `or` and `and` were expanded into several rules, and equality (`not distinct`) was carried out. What
is left in a body are literals: a statement, a negated statement, or `("distinct", a, b)`.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

Signature = tuple[str, int]
"""A relation: its name and how many arguments it has. The same name with more arguments is another relation."""

DISTINCT: Final = "distinct"


class Variable:
    """A variable of a rule. Two with one name are equal, and mean the same within a rule."""

    __slots__ = ("_hash", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self._hash = hash(("?", name))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Variable) and other.name == self.name

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"?{self.name}"


Term = str | Variable | tuple["Term", ...]
Bindings = Mapping[Variable, Term]


class Place(NamedTuple):
    """Where something stands in a file, both counted from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


class Literal(NamedTuple):
    """One condition of a rule. `distinct` is never negated."""

    statement: Term
    negated: bool = False

    @property
    def signature(self) -> Signature:
        return signature(self.statement)

    @property
    def is_distinct(self) -> bool:
        return isinstance(self.statement, tuple) and self.statement[0] == DISTINCT

    @property
    def is_positive(self) -> bool:
        """Whether it can bind variables."""
        return not self.negated and not self.is_distinct


class Rule(NamedTuple):
    """The head holds where all literals of the body hold; a fact has no body."""

    head: Term
    body: tuple[Literal, ...] = ()
    place: Place = Place(1, 1)

    @property
    def signature(self) -> Signature:
        return signature(self.head)


def signature(statement: Term) -> Signature:
    """The relation that a statement is about."""
    if isinstance(statement, str):
        return statement, 0
    if isinstance(statement, tuple) and isinstance(statement[0], str):
        return statement[0], len(statement) - 1
    raise TypeError(f"{statement!r} is not a statement")


def arguments(statement: Term) -> tuple[Term, ...]:
    return statement[1:] if isinstance(statement, tuple) else ()


def variables(term: Term) -> Iterator[Variable]:
    """All variables of a term, from left to right, as often as they occur."""
    if isinstance(term, Variable):
        yield term
    elif isinstance(term, tuple):
        for part in term:
            yield from variables(part)


def atoms(term: Term) -> Iterator[str]:
    """All words of a term, functors included, as often as they occur."""
    if isinstance(term, str):
        yield term
    elif isinstance(term, tuple):
        for part in term:
            yield from atoms(part)


def is_ground(term: Term) -> bool:
    return next(variables(term), None) is None


def substitute(term: Term, bindings: Bindings) -> Term:
    """The term with its variables replaced, as far as they are bound."""
    if isinstance(term, Variable):
        return bindings.get(term, term)
    if isinstance(term, tuple):
        return tuple([substitute(part, bindings) for part in term])
    return term


def substitute_words(term: Term, words: Mapping[str, Term]) -> Term:
    """The term with some of the atoms that are arguments in it replaced."""
    if not isinstance(term, tuple):
        return term
    return (
        term[0],
        *(words.get(part, part) if isinstance(part, str) else substitute_words(part, words) for part in term[1:]),
    )


def unified(left: Term, right: Term) -> dict[Variable, Term] | None:
    """What variables have to stand for so that both terms are the same; None if nothing makes them so."""
    bindings: dict[Variable, Term] = {}
    pairs = [(left, right)]
    while pairs:
        one, other = (substitute(term, bindings) for term in pairs.pop())
        if one == other:
            continue
        if not isinstance(one, Variable):
            one, other = other, one
        if isinstance(one, Variable):
            if one in variables(other):
                return None
            bindings = {name: substitute(term, {one: other}) for name, term in bindings.items()}
            bindings[one] = other
        elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
            pairs += zip(one, other, strict=True)
        else:
            return None
    return bindings


def text(term: Term) -> str:
    """The term as descriptions write it: `(cell 1 1 ?x)`."""
    if isinstance(term, tuple):
        return f"({' '.join(text(part) for part in term)})"
    return term if isinstance(term, str) else f"?{term.name}"


def literal_text(literal: Literal) -> str:
    return f"(not {text(literal.statement)})" if literal.negated else text(literal.statement)


def rule_text(rule: Rule) -> str:
    if not rule.body:
        return text(rule.head)
    return f"(<= {' '.join([text(rule.head), *map(literal_text, rule.body)])})"
