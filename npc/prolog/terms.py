"""Texts as Prolog terms: what is written like one stays one, anything else becomes a quoted atom."""

import re
from typing import Final

_TOKEN: Final = re.compile(
    r"\s*(?:(?P<name>[a-z][A-Za-z0-9_]*)|(?P<number>-?(?:0|[1-9]\d{0,14}))|(?P<sign>[(),]))", re.ASCII
)


def term(text: str) -> str:
    """A ground term of small-letter names and whole numbers, e.g. `cell(a, 1, x)`, or else the text as an atom."""
    tokens = _tokens(text)
    if tokens is not None and _is_term(tokens):
        return "".join(tokens)
    return quoted(text)


def quoted(name: str) -> str:
    """A quoted Prolog atom."""
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def string(text: str) -> str:
    """A double-quoted Prolog string."""
    escaped = (
        text.replace("\\", "\\\\").replace('"', '\\"').replace("\r\n", "\n").replace("\n", "\\n").replace("\t", "\\t")
    )
    return f'"{escaped}"'


def _tokens(text: str) -> list[str] | None:
    """The names, numbers and signs of a text; None if there is anything else in it."""
    found: list[str] = []
    at, whole = 0, text.strip()
    while at < len(whole):
        token = _TOKEN.match(whole, at)
        if token is None or _runs_together(found, token):
            return None
        found.append(token[0].strip())
        at = token.end()
    return found


def _runs_together(found: list[str], token: re.Match[str]) -> bool:
    """Whether a name or number follows another one without a sign between them, as in `1a` or `a b`; or a parenthesis
    follows its name at a distance, which Prolog does not read as a term."""
    if not found:
        return False
    if token["sign"]:
        return token["sign"] == "(" and token[0] != "("
    return found[-1] not in ("(", ",")


def _is_term(tokens: list[str]) -> bool:
    """Whether they are one term, from the first to the last."""
    depth, begins, named = 0, True, False
    for part in tokens:
        if part == "(":
            if begins or not named:
                return False
            depth, begins = depth + 1, True
        elif part in (",", ")"):
            if begins or not depth:
                return False
            begins = part == ","
            depth -= part == ")"
        else:
            begins = False
        named = part[0].islower()
    return not depth and not begins
