"""Writes a composed strategy as a Prolog rule base that makes the same choices, for researchers to start from."""

from typing import cast

from npc.composed.composition import Strategy, explain_in_words
from npc.composed.jostle.elements import JostleElement


def script_of(strategy: Strategy) -> str:
    """The script. It relies on nothing but the helpers that are loaded before every script."""
    rules: dict[str, str] = {}
    clauses = []
    if strategy.panicker is not None:
        clauses.append(_clause(_elements(strategy.panic_line_up), rules, "opponentOnGoal(Owner), !"))
    clauses.append(_clause(_elements(strategy.line_up), rules))
    comment = "".join(f"% {line}\n" for line in [strategy.name, *explain_in_words(strategy).splitlines()])
    return comment + "\n" + "\n".join(clauses) + "\n" + "\n".join(rules.values())


def _elements(line_up: tuple[tuple[object, int], ...]) -> list[JostleElement]:
    return [cast("JostleElement", element) for element, _ in line_up]


def _clause(elements: list[JostleElement], rules: dict[str, str], condition: str | None = None) -> str:
    host = next(element for element in elements if element.is_basic)
    goals = [condition] if condition else []
    goals.append("movablePieces(Owner, Kept0)")
    ordering = [element for element in elements if element.panics_to is None]
    for number, element in enumerate(ordering):
        name, text = element.rules(host)
        rules[name] = text
        goals.append(f"keepBest({name}, Kept{number}, Kept{number + 1})")
    goals.append(f"Kept{len(ordering)} = [Best|_]")
    return "move(Owner, Best) :-\n    " + ",\n    ".join(goals) + ".\n"
