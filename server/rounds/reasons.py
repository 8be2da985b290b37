"""Why a round decided as it did, in the reader's language.

Reasons are kept in English as the science wrote them, in old rounds as in new ones. Here every sentence that it can
write stands as a text with places; a reason is recognised by its sentence and said again with the same values. What
is not recognised is shown as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from server.base.errors import N_

Say = Callable[..., str]
"""A text in the reader's language, with values to be put in."""

AND: Final = N_("%(first)s and %(second)s")
# The longer of two sentences that begin alike comes first.
SENTENCES: Final = (
    N_("has %(seen)s of %(needed)s judgements and %(experts)s of %(wanted)s judgements by super experts"),
    N_("has %(seen)s of %(needed)s judgements by super experts"),
    N_("has %(seen)s of %(needed)s judgements"),
    N_("judged %(least)s times, another %(most)s times, more than %(ratio)s times that"),
    N_("%(number)s of %(all)s are believable, %(share)s needed, and population %(last)s was the last one allowed"),
    N_("%(number)s of %(all)s are believable, %(share)s needed"),
    N_("ρ = %(rho)s, among the best"),
    N_("ρ = %(rho)s, not among the best"),
    N_("of %(parents)s, promising ρ = %(rho)s"),
    N_("%(strategy)s, stripped from it, fell"),
    N_("%(strategy)s fell"),
    N_("nothing is left to remove"),
    N_("what %(parents)s kept"),
    N_("P_opt is empty; P_final has %(number)s members"),
    N_("%(seen)s judgements by super experts, %(needed)s needed"),
    N_("detected in %(detected)s of %(seen)s judgements by super experts, none allowed"),
    N_(
        "super experts detect %(rate)s of %(seen)s, and take %(alarms)s of %(humans)s humans for artificial; "
        "the excess is below %(bound)s (%(sure)s sure), %(allowed)s allowed"
    ),
    N_(
        "super experts detect %(rate)s of %(seen)s, its predecessor %(before)s of %(earlier)s; "
        "p = %(p)s, level %(level)s"
    ),
)
FRACTION: Final = re.compile(r"(?<=\d\d)\.\d+$")
"""Counts are corrected for judges who judged repeatedly and so have fractions; beyond ten nobody reads them."""
PLACE: Final = re.compile(r"%\((\w+)\)s")


def told(reason: str, say: Say) -> str:
    """The reason in the language of `say`."""
    for sentence in SENTENCES:
        if found := _pattern(sentence).fullmatch(reason):
            values = {name: FRACTION.sub("", value) for name, value in found.groupdict().items()}
            if "parents" in values:
                values["parents"] = _and(values["parents"], say)
            return say(sentence, **values)
    return reason


def known(reason: str) -> bool:
    return any(_pattern(sentence).fullmatch(reason) for sentence in SENTENCES)


@cache
def _pattern(sentence: str) -> re.Pattern[str]:
    pieces = PLACE.split(sentence)
    return re.compile("".join(f"(?P<{one}>.+?)" if place % 2 else re.escape(one) for place, one in enumerate(pieces)))


def _and(names: str, say: Say) -> str:
    first, _, second = names.partition(" and ")
    return say(AND, first=first, second=second) if second else first
