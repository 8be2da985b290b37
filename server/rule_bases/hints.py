"""What a fault of a rule base means in plain words, where its author would have to know Prolog's own words for it."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Final

from npc.prolog import Vocabulary
from npc.prolog.helpers import indicator
from server.base.errors import N_

MISSING: Final = re.compile(r"existence_error\(procedure,(\w+/\d+)\)")
CLAUSE: Final = re.compile(r"^([a-z]\w*)", re.MULTILINE)
LIKE_ENOUGH: Final = 0.7

Hint = tuple[str, dict[str, str]]
"""A text to be translated, and what stands in it."""

HINTS: Final[tuple[tuple[str, str], ...]] = (
    ("type_error(evaluable,", N_("A name stands in a calculation where a number is needed.")),
    ("instantiation_error", N_("A variable had no value yet where one is needed.")),
    ("failed: ", N_("Your rules found nothing to play: at least one rule must hold in every position.")),
    ("wrong answer: ", N_("The answer must be something that can be played now: %(answer)s.")),
    ("limit: ", N_("It thought too long: most often a rule that calls itself without an end.")),
    ("syntax error", N_("A clause ends with a full stop. The mistake is in the last line named or shortly before it.")),
)


def hint_for(fault: str, script: str, vocabulary: Vocabulary) -> Hint | None:
    missing = MISSING.search(fault)
    if missing:
        return _missing(missing[1], script, vocabulary)
    return next(((text, {"answer": vocabulary.answer}) for sign, text in HINTS if sign in fault), None)


def _missing(called: str, script: str, vocabulary: Vocabulary) -> Hint:
    if called == "worth/2":
        return N_("A rule base needs %(asked)s or worth(Choices, Choice)."), {"asked": vocabulary.asked}
    known = {name.partition("/")[0]: name for name in (*vocabulary.exported, *map(indicator, vocabulary.facts))}
    known |= {name: name for name in CLAUSE.findall(script) if name not in known}
    name = called.partition("/")[0]
    near = [name] if name in known else get_close_matches(name, known, n=1, cutoff=LIKE_ENOUGH)
    if near:
        return N_("There is no %(called)s. Did you mean %(near)s?"), {"called": called, "near": known[near[0]]}
    return N_("There is no %(called)s: neither in your script nor among the helpers."), {"called": called}
