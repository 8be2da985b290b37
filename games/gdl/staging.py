"""How a game of the library is staged, where its facts do not say it: a small file `NAME.board.json` beside it.

`board` names the view that draws it, `setup` is what that view has to know once, and `events` names a relation of the
description: `(happens 2 switch 4 6 14)` says that the second thing a move does is to switch piece 4 from 6 to 14.
"""

import json
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

from games.gdl.terms import Signature, Term, text
from games.protocol import Event

EVENT_ARGUMENTS: Final = 5
"""Which step it is, and the four texts of an event."""


class Staging(NamedTuple):
    """What is left out follows from the facts: a grid if there are cells, else the facts themselves."""

    board: str | None = None
    setup: dict[str, Any] | None = None
    events: Signature | None = None


@cache
def staging_of(name: str | None) -> Staging:
    """The staging of a game of the library; of all others, what their facts say."""
    file = resources.files(__package__).joinpath("library", f"{name}.board.json")
    if name is None or not file.is_file():
        return Staging()
    data = json.loads(file.read_text(encoding="utf-8"))
    events = data.get("events")
    return Staging(data.get("board"), data.get("setup"), None if events is None else (events, EVENT_ARGUMENTS))


def in_order(rows: frozenset[tuple[Term, ...]]) -> tuple[Event, ...]:
    """Events from the rows of a relation that tells them."""
    steps = sorted([tuple(map(text, row)) for row in rows], key=lambda row: int(row[0]))
    return tuple([Event(*step[1:]) for step in steps])
