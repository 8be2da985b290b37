"""What the language demands of a description beyond its notation, checked without playing it.

Each check yields findings. An error means that nobody can say what the description means; everything else is a warning,
because it can be played all the same. What only playing shows is in `playouts`.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from games.gdl.dependencies import Layer, components
from games.gdl.findings import DescriptionError, Finding, Level
from games.gdl.reader import Rulesheet, read
from games.gdl.reasoner import DOES, GOAL, INIT, LEGAL, NEXT, RANDOM, ROLE, SEES, TERMINAL, TRUE
from games.gdl.terms import Place, Rule, Signature, Term, Variable, arguments, rule_text, text, variables

BASE: Final[Signature] = ("base", 1)
INPUT: Final[Signature] = ("input", 2)
RESERVED: Final[Mapping[str, int]] = dict(
    (ROLE, INIT, TRUE, DOES, NEXT, LEGAL, GOAL, TERMINAL, BASE, INPUT, SEES, RANDOM)
)
_LATER: Final = frozenset({"base", "input", "sees", "random"})
"""Words that were reserved later; older descriptions may use them for something of their own."""
_FORMS: Final[Mapping[str, str]] = {
    "role": "(role ROLE)",
    "init": "(init FACT)",
    "true": "(true FACT)",
    "does": "(does ROLE MOVE)",
    "next": "(next FACT)",
    "legal": "(legal ROLE MOVE)",
    "goal": "(goal ROLE POINTS)",
    "terminal": "terminal, alone",
    "base": "(base FACT)",
    "input": "(input ROLE MOVE)",
    "sees": "(sees ROLE PERCEPT)",
    "random": "(random NAME WEIGHT EVENT)",
}
"""How the words of the language are written."""
CHANCE_ROLE: Final = "random"
"""The role that GDL-II gives to chance."""

_LATEST: Final[Mapping[Signature, tuple[Layer, str]]] = {
    ROLE: (Layer.ALWAYS, "roles are the same in every state"),
    INIT: (Layer.ALWAYS, "the first state depends on no other"),
    BASE: (Layer.ALWAYS, "what can be true is the same in every state"),
    INPUT: (Layer.ALWAYS, "what can be done is the same in every state"),
    LEGAL: (Layer.STATE, "what is legal cannot depend on what is done"),
    GOAL: (Layer.STATE, "a goal depends on the state alone"),
    TERMINAL: (Layer.STATE, "the end depends on the state alone"),
    RANDOM: (Layer.STATE, "weights depend on the state alone"),
}


def checked(source: str, *, exact: bool = False) -> Rulesheet:
    """Read and check a description. Raises DescriptionError, with everything that was found, if it has an error."""
    sheet = read(source, exact=exact)
    findings = tuple(sorted((*sheet.findings, *static_findings(sheet.rules)), key=lambda finding: finding.place))
    if any(finding.level is Level.ERROR for finding in findings):
        raise DescriptionError(findings)
    return sheet._replace(findings=findings)


def static_findings(rules: tuple[Rule, ...]) -> tuple[Finding, ...]:
    """Everything that can be seen in the rules themselves, in the order of the file."""
    every = (_unsafe, _missing, _arities, _reserved, _layers, _stratification, _recursion, _chance, _mixture)
    found = [finding for check in every for finding in check(rules)]
    return tuple(sorted(dict.fromkeys(found), key=lambda finding: finding.place))


def chance_variables(rules: Iterable[Rule]) -> frozenset[str]:
    """The names of chance variables: what stands first in the heads of `random`."""
    names = [arguments(rule.head)[0] for rule in rules if rule.signature == RANDOM]
    return frozenset([name for name in names if isinstance(name, str)])


def _unsafe(rules: tuple[Rule, ...]) -> Iterator[Finding]:
    for rule in rules:
        bound = {name for literal in rule.body if literal.is_positive for name in variables(literal.statement)}
        tests = [literal.statement for literal in rule.body if not literal.is_positive]
        for where, statements in (("the head", [rule.head]), ("a negation or distinct", tests)):
            free = dict.fromkeys(name for each in statements for name in variables(each) if name not in bound)
            if free:
                names = ", ".join(f"?{name.name}" for name in free)
                yield Finding(
                    rule.place,
                    Level.ERROR,
                    "safety",
                    f"{names} is in {where} but in no positive condition of {_shortened(rule_text(rule))}",
                    "add a positive condition that says which values it may have",
                )


def _missing(rules: tuple[Rule, ...]) -> Iterator[Finding]:
    concluded = {rule.signature for rule in rules}
    for relation, level, message, hint in (
        (ROLE, Level.ERROR, "nobody plays: there is no (role …)", "name everybody who plays, such as (role white)"),
        (LEGAL, Level.ERROR, "nobody can do anything: there is no (legal …)", "conclude (legal ROLE MOVE)"),
        (
            INIT,
            Level.WARNING,
            "nothing is true at first: there is no (init …)",
            "say what is true: (init (cell 1 1 b))",
        ),
        (
            NEXT,
            Level.WARNING,
            "nothing is ever true later: there is no (next …)",
            "conclude (next FACT), also what stays",
        ),
        (TERMINAL, Level.WARNING, "the game never ends: there is no terminal", "conclude terminal"),
        (GOAL, Level.WARNING, "nobody gets any points: there is no (goal …)", "conclude (goal ROLE POINTS), 0 to 100"),
    ):
        if relation not in concluded:
            yield Finding(Place(1, 1), level, "reserved relations", message, hint)
    asked = {literal.signature: rule.place for rule in reversed(rules) for literal in rule.body if literal.is_positive}
    for relation, place in asked.items():
        if relation not in concluded and relation not in (TRUE, DOES):
            message, hint = (
                f"nothing concludes {_named(relation)}: it never holds",
                "is it spelt in another way elsewhere?",
            )
            yield Finding(place, Level.WARNING, "unknown relations", message, hint)


def _arities(rules: tuple[Rule, ...]) -> Iterator[Finding]:
    first: dict[str, Signature] = {}
    for rule in rules:
        for relation in (rule.signature, *(each.signature for each in rule.body if not each.is_distinct)):
            name, width = relation
            if RESERVED.get(name, width) != width:
                level = Level.WARNING if name in _LATER else Level.ERROR
                message = f"{name} has {width} arguments here and {RESERVED[name]} in the language"
                yield Finding(rule.place, level, "arity", message, _FORMS[name])
            elif first.setdefault(name, relation) != relation and name not in RESERVED:
                message = f"{name} has {width} arguments here and {first[name][1]} elsewhere"
                yield Finding(
                    rule.place, Level.WARNING, "arity", message, "they are different relations; is one meant?"
                )


def _reserved(rules: tuple[Rule, ...]) -> Iterator[Finding]:
    for rule in rules:
        if rule.signature in (TRUE, DOES):
            yield Finding(
                rule.place,
                Level.ERROR,
                "reserved relations",
                f"{rule.signature[0]} cannot be concluded",
                "conclude init or next for what is true, legal for what can be done",
            )
        for literal in rule.body:
            if literal.signature in (NEXT, SEES) or (literal.signature == INIT and rule.signature != BASE):
                message = f"{literal.signature[0]} is a condition here; it can only be concluded"
                hint = "ask with true what is true now; name by a relation of its own what both need"
                yield Finding(rule.place, Level.WARNING, "reserved relations", message, hint)
        points = arguments(rule.head)[1] if rule.signature == GOAL else "0"
        if not isinstance(points, Variable) and not (_is_number(points) and int(str(points)) <= 100):
            message = f"the goal {text(points)} is no number from 0 to 100"
            yield Finding(rule.place, Level.WARNING, "goals", message, "100 is a win, 50 a draw, 0 a loss")


def _layers(rules: tuple[Rule, ...]) -> Iterator[Finding]:
    found = {relation: each.layer for each in components(rules) for relation in each.relations}
    layers = {TRUE: Layer.STATE, DOES: Layer.MOVE} | found
    for rule in rules:
        latest, why = _LATEST.get(rule.signature, (Layer.MOVE, ""))
        needed = max([layers.get(literal.signature, Layer.ALWAYS) for literal in rule.body], default=Layer.ALWAYS)
        if needed > latest:
            word = "does" if needed is Layer.MOVE else "true"
            message = f"{rule.signature[0]} needs {word}, directly or by other relations; {why}"
            hint = f"leave {word} out of its conditions, and of those of the relations that they name"
            yield Finding(rule.place, Level.ERROR, "reserved relations", message, hint)


def _stratification(rules: tuple[Rule, ...]) -> Iterator[Finding]:
    for component in components(rules):
        for rule in component.denied:
            yield Finding(
                rule.place,
                Level.WARNING,
                "stratification",
                f"{_named(rule.signature)} depends on its own negation; it is played while no statement does",
                "give the negated part a relation of its own",
            )


def _recursion(rules: tuple[Rule, ...]) -> Iterator[Finding]:
    """In a recursive call an argument is ground, or one of the head's, or bound by a relation outside the recursion."""
    for component in components(rules):
        if not component.recursive:
            continue
        inside = frozenset(component.relations)
        for rule in component.rules:
            calls = [each for each in rule.body if not each.is_distinct and each.signature in inside]
            outside = [each.statement for each in rule.body if each.is_positive and each.signature not in inside]
            bound = {name for statement in outside for name in variables(statement)}
            fine = (arguments(rule.head), bound)
            if any(not _is_restricted(argument, *fine) for call in calls for argument in arguments(call.statement)):
                yield Finding(
                    rule.place,
                    Level.WARNING,
                    "recursion",
                    f"an argument of the recursion of {_named(rule.signature)} is bound by nothing else",
                    "it may have no end; a budget stops it",
                )


def _is_restricted(argument: Term, head: tuple[Term, ...], bound: set[Variable]) -> bool:
    return argument in head or all(name in bound for name in variables(argument))


def _chance(rules: tuple[Rule, ...]) -> Iterator[Finding]:
    names = chance_variables(rules)
    for rule in rules:
        if rule.signature == RANDOM:
            name, weight, _ = arguments(rule.head)
            if not isinstance(name, str):
                yield _chance_error(
                    rule, f"a chance variable has a name, not {text(name)}", "(random NAME WEIGHT EVENT)"
                )
            if not isinstance(weight, Variable) and not _is_number(weight):
                yield _chance_error(rule, f"the weight {text(weight)} is no whole number", "use 0, 1, 2, …")
        elsewhere = _outside_of_moves(rule)
        for name in sorted(names & {word for statement in elsewhere for word in _words(statement)}):
            yield _chance_error(
                rule,
                f"the chance variable {name} stands outside of its definition and of the move of a legal head",
                "in does, the event that was drawn stands in its place",
            )
        if any(literal.signature == RANDOM for literal in rule.body):
            yield _chance_error(rule, "random is a condition here", "define weights and events by another relation")


def _mixture(rules: tuple[Rule, ...]) -> Iterator[Finding]:
    weights = next((rule for rule in rules if rule.signature == RANDOM), None)
    if weights is None:
        return
    for rule in rules:
        if rule.head == ("role", CHANCE_ROLE) or rule.signature == SEES:
            other = "a role random" if rule.signature == ROLE else "sees"
            yield Finding(
                rule.place,
                Level.ERROR,
                "chance",
                f"{other} and weights of random ({weights.place}) are two styles of chance; a description has one",
                "use (random NAME WEIGHT EVENT), or the role random with sees (GDL-II)",
            )


def _chance_error(rule: Rule, message: str, hint: str) -> Finding:
    return Finding(rule.place, Level.ERROR, "chance", message, hint)


def _outside_of_moves(rule: Rule) -> tuple[Term, ...]:
    """All statements of a rule in which no chance variable may stand."""
    bodies = tuple([literal.statement for literal in rule.body])
    if rule.signature == RANDOM:
        return (*arguments(rule.head)[1:], *bodies)
    return (arguments(rule.head)[0], *bodies) if rule.signature in (LEGAL, INPUT) else (rule.head, *bodies)


def _words(term: Term) -> Iterator[str]:
    if isinstance(term, str):
        yield term
    elif isinstance(term, tuple):
        for part in term[1:]:
            yield from _words(part)


def _is_number(term: Term) -> bool:
    return isinstance(term, str) and term.isascii() and term.isdigit() and len(term) <= 9


def _named(relation: Signature) -> str:
    name, width = relation
    return name if width == 0 else f"({name}{' …' * width})"


def _shortened(words: str) -> str:
    return words if len(words) <= 80 else f"{words[:79]}…"
