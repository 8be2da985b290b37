"""How a description with weights of chance reads in GDL-II, the later standard: a role `random`, and `sees`.

The role draws in every turn, for every role and every chance variable that the role's moves may name, whether it is
needed or not. What is drawn uniformly there stands as often among its moves as its weight says; where a rule asked what
is `done`, the event stands in the variable's place as before. Everybody sees everything.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.gdl.checks import CHANCE_ROLE, chance_variables
from games.gdl.reasoner import DOES, LEGAL, RANDOM, ROLE
from games.gdl.terms import (
    DISTINCT,
    Literal,
    Rule,
    Term,
    Variable,
    arguments,
    atoms,
    rule_text,
    substitute_words,
)
from games.protocol import GameError

MOST_COPIES: Final = 5_000
"""Lines that may say how often an event of some weight stands among the moves of chance."""


class Rewritten(NamedTuple):
    """A description in GDL-II, in the order in which it is written."""

    chance: tuple[Rule, ...]
    """What is new: the role of chance, what it may do, what is done with what it drew, what is seen."""
    rest: tuple[Rule, ...]
    """The rules as they were, about other relations where chance would be in the way."""

    def text(self) -> str:
        return "\n".join([*map(rule_text, self.chance), "", *map(rule_text, self.rest), ""])


def rewritten(rules: Sequence[Rule], roles: Sequence[str]) -> Rewritten:
    """Raises GameError if there are no weights, or ones that would take too many lines."""
    return _Writer(rules, roles).rewritten()


class _Writer:
    def __init__(self, rules: Sequence[Rule], roles: Sequence[str]) -> None:
        self._rules = [_plainly_named(rule) for rule in rules]
        self._roles = roles
        self._variables = chance_variables(rules)
        if not self._variables:
            raise GameError("this description has no weights of chance")
        self._taken = {word for rule in self._rules for each in _statements(rule) for word in atoms(each)}
        names = ("player", "chance", "copy", "possible", "drawn", "draw", "event", "none", "done", "drawing", "did")
        self._name = {name: self._fresh(name) for name in names}
        self._draws = [(role, name) for role in roles for name in sorted(self._variables) if self._may_need(role, name)]

    def rewritten(self) -> Rewritten:
        return Rewritten(tuple(self._chance()), tuple(map(self._changed, self._rest())))

    def _fresh(self, name: str) -> str:
        while name in self._taken:
            name += "-"
        return name

    def _may_need(self, role: str, name: str) -> bool:
        return any(
            arguments(rule.head)[0] == role or isinstance(arguments(rule.head)[0], Variable)
            for rule in self._moves_that_draw()
            if name in self._named_in(rule)
        )

    def _moves_that_draw(self) -> list[Rule]:
        return [rule for rule in self._rules if rule.signature == LEGAL and self._named_in(rule)]

    def _named_in(self, rule: Rule) -> list[str]:
        """The chance variables in the move of a legal head."""
        return sorted(self._variables & set(atoms(arguments(rule.head)[1])))

    # ---------------------------------------------------------------------------------------------- what is new

    def _chance(self) -> Iterator[Rule]:
        of, who, what, weight, event, number = self._name, *map(Variable, ("r", "m", "w", "e", "n"))
        for role in self._roles:
            yield Rule(("role", role))
        yield Rule(("role", CHANCE_ROLE))
        yield Rule(("goal", CHANCE_ROLE, "0"))
        for role in self._roles:
            yield Rule((of["player"], role))
        for name in sorted(self._variables):
            events = (Literal((of["chance"], name, weight, event)), Literal((of["copy"], weight, number)))
            yield Rule((of["possible"], name), events)
            yield Rule((of["drawn"], name, (of["event"], event, number)), events)
            yield Rule((of["drawn"], name, of["none"]), (Literal((of["possible"], name), negated=True),))
        lots = [Variable(f"lot{at}") for at in range(len(self._draws))]
        drawn = [Literal((of["drawn"], name, lot)) for (_, name), lot in zip(self._draws, lots, strict=True)]
        yield Rule(("legal", CHANCE_ROLE, (of["draw"], *lots) if lots else of["draw"]), tuple(drawn))
        yield from self._deeds()
        plain = (
            Literal(("does", who, what)),
            Literal((DISTINCT, who, CHANCE_ROLE)),
            Literal((of["drawing"], who, what), negated=True),
        )
        yield Rule((of["done"], who, what), plain)
        seer = Variable("seer")
        yield Rule(
            ("sees", seer, (of["did"], who, what)), (Literal((of["player"], seer)), Literal((of["done"], who, what)))
        )
        yield from self._copies()

    def _deeds(self) -> Iterator[Rule]:
        """What was done, with the events that were drawn."""
        of = self._name
        for rule in self._moves_that_draw():
            who, move = arguments(rule.head)
            for role in self._roles if isinstance(who, Variable) else [who]:
                does = Literal(("does", role, move))
                lots: list[Term] = [Variable(f"lot{at}") for at in range(len(self._draws))]
                events: dict[str, Term] = {}
                for at, (drawer, name) in enumerate(self._draws):
                    if drawer == role and name in self._named_in(rule):
                        events[name] = Variable(f"event{at}")
                        lots[at] = (of["event"], events[name], Variable(f"number{at}"))
                draws = Literal(("does", CHANCE_ROLE, (of["draw"], *lots)))
                yield Rule((of["done"], role, substitute_words(move, events)), (does, draws))
                yield Rule((of["drawing"], role, move), (does,))

    def _copies(self) -> Iterator[Rule]:
        """An event of weight 3 stands three times among the moves of chance."""
        weights = {arguments(rule.head)[1] for rule in self._rules if rule.signature == RANDOM}
        if any(isinstance(weight, Variable) for weight in weights):
            weights = {*weights, *self._taken}
        numbers = sorted({int(word) for word in weights if isinstance(word, str) and word.isdigit()})
        if sum(numbers) > MOST_COPIES:
            raise GameError(f"weights up to {numbers[-1]} would take more than {MOST_COPIES} lines")
        for weight in numbers:
            for copy in range(1, weight + 1):
                yield Rule((self._name["copy"], str(weight), str(copy)))

    # ----------------------------------------------------------------------------------------------- what stays

    def _rest(self) -> Iterator[Rule]:
        for rule in self._rules:
            if rule.signature == ROLE:
                continue
            if rule.signature == RANDOM:
                yield rule._replace(head=(self._name["chance"], *arguments(rule.head)))
            elif rule.signature == LEGAL:
                possible = [Literal((self._name["possible"], name)) for name in self._named_in(rule)]
                yield rule._replace(body=(*rule.body, *possible))
            else:
                yield rule

    def _changed(self, rule: Rule) -> Rule:
        asked = {DOES: self._name["done"], ROLE: self._name["player"]}
        body = [
            literal._replace(statement=(asked[literal.signature], *arguments(literal.statement)))
            if literal.signature in asked
            else literal
            for literal in rule.body
        ]
        return rule._replace(body=tuple(body))


def _statements(rule: Rule) -> tuple[Term, ...]:
    return rule.head, *(literal.statement for literal in rule.body)


def _plainly_named(rule: Rule) -> Rule:
    """Without blanks in the names of helping relations: nobody could read them again."""
    body = [literal._replace(statement=_without_blanks(literal.statement)) for literal in rule.body]
    return Rule(_without_blanks(rule.head), tuple(body), rule.place)


def _without_blanks(statement: Term) -> Term:
    if isinstance(statement, tuple):
        return (_without_blanks(statement[0]), *statement[1:])
    return statement.replace(" ", "-") if isinstance(statement, str) else statement
