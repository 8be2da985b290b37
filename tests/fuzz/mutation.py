"""Accidents that happen to inputs: characters lost, doubled, changed; pieces of others; values of JSON exchanged."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

MOST_ACCIDENTS: Final = 4
LONGEST: Final = 20_000

TRICKY: Final = (
    "",
    " ",
    "\x00",
    "\n",
    "\r\n",
    "\t",
    "\x1b[31m",
    "\u2028",
    "\u202e",
    "\ufeff",
    "ü",
    "\U0001f600",
    "٣",
    "²",
    "-",
    "--1",
    "-1",
    "0",
    "1e999",
    "9" * 30,
    "9" * 5000,
    "NaN",
    "Infinity",
    "%s%(x)s%",
    "{{7*7}}",
    "${jndi:x}",
    "<script>alert(1)</script>",
    "'\"><svg onload=alert(1)>",
    "' OR 1=1 --",
    "=HYPERLINK(1)",
    "../../../../etc/passwd",
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "[" * 2000,
    '{"a":' * 500,
    "\\ud800",
    "\\u0000",
)
"""What has broken programs before."""

VALUES: Final[tuple[Any, ...]] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2**31,
    2**63,
    10**400,
    0.5,
    1e308,
    "",
    "\x00",
    "\ud800",
    "x" * 3000,
    "<b>",
    "%(x)s",
    [],
    [[]],
    {},
    {"": ""},
    [None] * 100,
)
"""What JSON may hold where something else is expected."""


def mutate(rng: Random, text: str, others: Sequence[str], words: Sequence[str] = ()) -> str:
    """`text` after a few accidents. `words` are pieces of the language that the text is written in."""
    for _ in range(rng.randint(1, MOST_ACCIDENTS)):
        text = rng.choice(ACCIDENTS)(rng, text, others, words)
    return text[:LONGEST]


def _cut(rng: Random, text: str) -> tuple[int, int]:
    start = rng.randrange(len(text) + 1)
    return start, min(len(text), start + rng.choice((0, 1, 1, 2, 4, 16, 64)))


def lose(rng: Random, text: str, _others: Sequence[str], _words: Sequence[str]) -> str:
    start, end = _cut(rng, text)
    return text[:start] + text[end:]


def double(rng: Random, text: str, _others: Sequence[str], _words: Sequence[str]) -> str:
    start, end = _cut(rng, text)
    return text[:end] + text[start:end] * rng.choice((1, 1, 2, 40)) + text[end:]


def trick(rng: Random, text: str, _others: Sequence[str], _words: Sequence[str]) -> str:
    start, end = _cut(rng, text)
    return text[:start] + rng.choice(TRICKY) + text[end:]


def word(rng: Random, text: str, _others: Sequence[str], words: Sequence[str]) -> str:
    start, end = _cut(rng, text)
    return text[:start] + (rng.choice(words) if words else chr(rng.randrange(32, 127))) + text[end:]


def swap_lines(rng: Random, text: str, _others: Sequence[str], _words: Sequence[str]) -> str:
    rows = text.split("\n")
    i, j = rng.randrange(len(rows)), rng.randrange(len(rows))
    rows[i], rows[j] = rows[j], rows[i]
    return "\n".join(rows)


def splice(rng: Random, text: str, others: Sequence[str], _words: Sequence[str]) -> str:
    other = rng.choice(others) if others else text
    return text[: rng.randrange(len(text) + 1)] + other[rng.randrange(len(other) + 1) :]


def exchange(rng: Random, text: str, _others: Sequence[str], _words: Sequence[str]) -> str:
    """Another value somewhere in a JSON text; what is no JSON gets a trick instead."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return trick(rng, text, (), ())
    places = list(_places(data, 0))
    if not places:
        return json.dumps(rng.choice(VALUES))
    holder, key = rng.choice(places)
    if rng.random() < 0.2:
        del holder[key]
    elif rng.random() < 0.3:
        other_holder, other_key = rng.choice(places)
        if not _within(other_holder[other_key], holder):
            holder[key] = other_holder[other_key]
    else:
        holder[key] = rng.choice(VALUES)
    return json.dumps(data)


def _places(data: Any, depth: int) -> Sequence[tuple[Any, Any]]:
    if depth > 30:
        return []
    keys: list[Any] = list(data) if isinstance(data, dict) else list(range(len(data))) if isinstance(data, list) else []
    return [(data, key) for key in keys] + [place for key in keys for place in _places(data[key], depth + 1)]


def _within(data: Any, wanted: Any) -> bool:
    """Whether `wanted` is `data` or lies in it: put into itself, it would have no end."""
    return data is wanted or any(holder is wanted for holder, _ in _places(data, 0))


Accident = Callable[[Random, str, Sequence[str], Sequence[str]], str]
ACCIDENTS: Final[tuple[Accident, ...]] = (lose, double, trick, word, word, swap_lines, splice, exchange, exchange)
