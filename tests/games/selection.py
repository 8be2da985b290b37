"""Games that differ in what they need of everything around them, for tests that need not see the whole library."""

from __future__ import annotations

from typing import Final

from games.registry import KINDS, shelf

_CHOSEN: Final = (
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

VARIED: Final = (
    *_CHOSEN,
    *(
        next(reference for reference in shelf() if reference.startswith(f"{kind}:"))
        for kind in KINDS
        if not any(reference.startswith(f"{kind}:") for reference in _CHOSEN)
    ),
)
"""With a game of every other kind that there is: whoever adds one need not know this file."""

if __name__ == "__main__":
    print(VARIED)
