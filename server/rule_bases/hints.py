"""What a fault of a rule base means in plain words, where its author would have to know Prolog's own words for it."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Final

from npc.prolog.prelude import EXPORTED, FACTS, indicator
from server.errors import N_

MISSING: Final = re.compile(r"existence_error\(procedure,(\w+/\d+)\)")
CLAUSE: Final = re.compile(r"^([a-z]\w*)", re.MULTILINE)
LIKE_ENOUGH: Final = 0.7

Hint = tuple[str, dict[str, str]]
"""A text to be translated, and what stands in it."""

HINTS: Final[tuple[tuple[str, str], ...]] = (
    ("type_error(evaluable,", N_("A name stands in a calculation where a number is needed.")),
    ("instantiation_error", N_("A variable had no value yet where one is needed.")),
    ("failed: move/2", N_("Your rules found no piece: at least one rule must hold in every position.")),
    ("is none of its pieces", N_("The answer must be one of the pieces that can move: [Field, Piece, Owner].")),
    ("limit: ", N_("It thought too long: most often a rule that calls itself without an end.")),
    ("syntax error", N_("A clause ends with a full stop. The mistake is in the last line named or shortly before it.")),
)


def hint_for(fault: str, script: str) -> Hint | None:
    missing = MISSING.search(fault)
    if missing:
        return _missing(missing[1], script)
    return next(((text, {}) for sign, text in HINTS if sign in fault), None)


def _missing(called: str, script: str) -> Hint:
    if called == "worth/2":
        return N_("A rule base needs move(Owner, Choice) or worth(Choices, Choice)."), {}
    known: dict[str, str] = {name.partition("/")[0]: name for name in (*EXPORTED, *map(indicator, FACTS))}
    known |= {name: name for name in CLAUSE.findall(script) if name not in known}
    name = called.partition("/")[0]
    near = [name] if name in known else get_close_matches(name, known, n=1, cutoff=LIKE_ENOUGH)
    if near:
        return N_("There is no %(called)s. Did you mean %(near)s?"), {"called": called, "near": known[near[0]]}
    return N_("There is no %(called)s: neither in your script nor among the helpers."), {"called": called}
