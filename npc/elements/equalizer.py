"""EQUALIZER: one own piece after the other, in a fixed cycle."""

from typing import Final, cast

from games.jostle import PIECES_PER_SEAT, SEATS, JostleMove, JostlePosition, Piece
from npc.elements.base import Element, Kind, Memory
from npc.situation import Situation

LastMoved = tuple[int | None, ...]
"""By seat: the piece that it moved last."""

_NOBODY_MOVED: Final[LastMoved] = (None,) * len(SEATS)


class Equalizer(Element):
    """The cycle goes on after the piece that the seat really moved last, whoever had chosen it."""

    name = "EQUALIZER"
    kind = Kind.BASIC
    meaning = "moves its pieces in a fixed cycle, lowest id first, skipping those that cannot move"
    remembers = True

    def start_memory(self) -> Memory:
        return _NOBODY_MOVED

    def remember(self, memory: Memory, before: JostlePosition, move: JostleMove) -> Memory:
        if not isinstance(move, Piece):
            return memory
        last_moved = cast("LastMoved", memory)
        return (*last_moved[: before.seat], move.id, *last_moved[before.seat + 1 :])

    def rank(self, situation: Situation, piece: int, memory: Memory, host: Element) -> int:  # noqa: ARG002  # cycle only
        last = cast("LastMoved", memory)[situation.seat]
        return (piece if last is None else piece - last - 1) % PIECES_PER_SEAT

    def reason(self, situation: Situation, piece: int, memory: Memory, host: Element) -> str:
        last = cast("LastMoved", memory)[situation.seat]
        turn = ("next", "second", "third")[self.rank(situation, piece, memory, host)]
        return f"is {turn} in the cycle" + ("" if last is None else f" after {last}")

    def rules(self, host: Element) -> tuple[str, str]:  # noqa: ARG002  # the same for every host
        return self.atom, (
            "equalizer([_, Piece, Owner], Rank) :- lastMoved(Owner, Last), !, Rank is (Piece - Last - 1) mod 3.\n"
            "equalizer([_, Piece, _], Rank) :- Rank is Piece mod 3.\n"
        )
