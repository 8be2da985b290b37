"""What a seat has to reckon with where it knows only what it perceives: all courses that fit its memories.

All of them are followed turn by turn from the start. Where they become too many, nobody can tell.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from games.gdl.position import GdlPosition, Memory
from games.protocol import CHANCE, OVER, Seat

MOST_WORLDS: Final = 500


@lru_cache(maxsize=32)
def fitting(view: GdlPosition, seat: Seat) -> tuple[GdlPosition, ...]:
    """The positions that look like this view to its seat; none if there are too many to follow."""
    courses: list[GdlPosition] = [view.game.start()]
    for memory in view.memories[seat]:
        found: dict[GdlPosition, None] = {}
        for position in courses:
            for following in _turn(position, seat, memory):
                found[following] = None
                if len(found) > MOST_WORLDS:
                    return ()
        courses = list(found)
    return tuple([position for position in courses if position.view(seat) == view])


def _turn(position: GdlPosition, seat: Seat, memory: Memory) -> Iterator[GdlPosition]:
    """Every way through a turn in which the seat does and perceives what it remembers."""
    turns = len(position.memories[seat])
    waiting = [position]
    while waiting:
        now = waiting.pop()
        if len(now.memories[seat]) > turns:
            if now.memories[seat][-1] == memory:
                yield now
            continue
        acts = now.to_act
        if acts == OVER:
            continue
        moves = [move for move, _ in now.outcomes()] if acts == CHANCE else list(now.moves())
        waiting.extend([now.play(move) for move in moves if acts != seat or move.term == memory.did])
