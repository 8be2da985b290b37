"""EQUALIZER: one own piece after the other, in a fixed cycle."""

from typing import Final, cast

from games.jostle import PIECES_PER_SEAT, SEATS, JostleMove, JostlePosition, Piece
from npc.composed.element import Memory
from npc.composed.jostle.elements.base import AnyHost, JostleElement
from npc.composed.jostle.names import own_piece
from npc.composed.jostle.situation import JostleSituation

LastMoved = tuple[int | None, ...]
"""By seat: the piece that it moved last."""

_NOBODY_MOVED: Final[LastMoved] = (None,) * len(SEATS)


class Equalizer(JostleElement):
    """The cycle goes on after the piece that the seat really moved last, whoever had chosen it."""

    name = "EQUALIZER"
    is_basic = True
    meaning = "moves its pieces in a fixed cycle, lowest number first, skipping those that cannot move"
    remembers = True

    def start_memory(self) -> Memory:
        return _NOBODY_MOVED

    def remember(self, memory: Memory, before: JostlePosition, move: JostleMove) -> Memory:
        if not isinstance(move, Piece):
            return memory
        last_moved = cast("LastMoved", memory)
        return (*last_moved[: before.seat], move.id, *last_moved[before.seat + 1 :])

    def rank(self, situation: JostleSituation, move: Piece, memory: Memory, host: AnyHost) -> int:  # noqa: ARG002  # cycle only
        last = cast("LastMoved", memory)[situation.seat]
        return (move.id if last is None else move.id - last - 1) % PIECES_PER_SEAT

    def reason(self, situation: JostleSituation, move: Piece, memory: Memory, host: AnyHost) -> str:
        last = cast("LastMoved", memory)[situation.seat]
        turn = ("next", "second", "third")[self.rank(situation, move, memory, host)]
        return f"is {turn} in the cycle" + ("" if last is None else f" after {own_piece(last)}")

    def rules(self, host: AnyHost) -> tuple[str, str]:  # noqa: ARG002  # the same for every host
        return self.atom, (
            "equalizer([_, Piece, Owner], Rank) :- lastMoved(Owner, Last), !, Rank is (Piece - Last - 1) mod 3.\n"
            "equalizer([_, Piece, _], Rank) :- Rank is Piece mod 3.\n"
        )
