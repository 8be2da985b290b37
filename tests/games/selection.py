"""Games that differ in what they need of everything around them, for tests that need not see the whole library."""

from __future__ import annotations

from typing import Final

from games.registry import KINDS

VARIED: Final = (
    "jostle:standard",
    "tic-tac-toe:standard",
    "ten:standard",
    "tricks:standard",
    "tourality:garden",
    "evolved:second",
    "gdl:connect-four",
    "gdl:dice-race",
    "gdl:one-card",
)
"""Three seats with dice; squares; cards; seats at once with secrets; a drawn world; an invented game; and described: a
board, dice, cards in hands."""

assert {reference.partition(":")[0] for reference in VARIED} == set(KINDS), "a new kind has a game here"
