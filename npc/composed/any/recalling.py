"""What elements know that look at what was played last."""

from typing import Any, NamedTuple

from games.protocol import CHANCE, Move, Position, Seat
from npc.composed.any.base import AnyElement
from npc.composed.any.cells import Way, ways
from npc.follower import mover


class Last(NamedTuple):
    """What a seat played last: the text of the move, and its way on a grid if the game has one."""

    seat: Seat
    text: str
    way: Way | None


Latest = tuple[Last, ...]
"""One for each seat that has moved, the latest at the end."""


class Recalling(AnyElement):
    """Knows what every seat played last."""

    remembers = True

    def start_memory(self) -> Latest:
        return ()

    def remember(self, memory: Any, before: Position, move: Move) -> Latest:
        seat = mover(before, move)
        if seat == CHANCE:
            known: Latest = memory
            return known
        text = str(move)
        return (*(each for each in memory if each.seat != seat), Last(seat, text, ways(before, seat).get(text)))


def last_of_others(memory: Any, seat: Seat) -> Last | None:
    """What was last played by anybody else."""
    return next((each for each in reversed(memory) if each.seat != seat), None)
