"""Writes a composed strategy as a Prolog rule base that makes the same choices, for researchers to start from."""

from npc.composition import Strategy, explain_in_words
from npc.elements import Element


def rule_base(strategy: Strategy) -> str:
    """The script. It relies on nothing but the helpers that are loaded before every script."""
    calm = [element for element, _ in strategy.line_up]
    panic = [element for element, _ in strategy.panic_line_up] if strategy.lingers else None
    rules: dict[str, str] = {}
    clauses = []
    if panic is not None:
        clauses.append(_clause(panic, rules, "opponentOnGoal(Owner), !"))
    clauses.append(_clause(calm, rules))
    comment = "".join(f"% {line}\n" for line in [strategy.name, *explain_in_words(strategy).splitlines()])
    return comment + "\n" + "\n".join(clauses) + "\n" + "\n".join(rules.values())


def _clause(elements: list[Element], rules: dict[str, str], condition: str | None = None) -> str:
    host = next(element for element in elements if element.is_basic)
    goals = [condition] if condition else []
    goals.append("movablePieces(Owner, Kept0)")
    ordering = [element for element in elements if element.name != "Lingering"]
    for number, element in enumerate(ordering):
        name, text = element.rules(host)
        rules[name] = text
        goals.append(f"keepBest({name}, Kept{number}, Kept{number + 1})")
    goals.append(f"Kept{len(ordering)} = [Best|_]")
    return "move(Owner, Best) :-\n    " + ",\n    ".join(goals) + ".\n"
