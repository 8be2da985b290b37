"""Revenging: displaces those who have displaced it."""

from typing import Final, cast

from games.jostle import SEATS, JostleMove, JostlePosition, Piece
from npc.composed.element import Memory
from npc.composed.jostle.elements.base import AnyHost, JostleElement
from npc.composed.jostle.names import COLOURS
from npc.composed.jostle.situation import JostleSituation, owner, struck

Offenders = tuple[tuple[int, ...], ...]
"""By seat: the other seats that have displaced one of its pieces by their own landing or being carried, latest first.
"""

_PEACE: Final[Offenders] = ((),) * len(SEATS)


class Revenging(JostleElement):
    """A class for each offender, the most recent one first; then the pieces that hit nobody who deserves it."""

    name = "Revenging"
    is_basic = False
    meaning = (
        "prefers, as Aggressive does, to displace opponents, but only those who have displaced one of its own pieces, "
        "the most recent offender first"
    )
    remembers = True

    def start_memory(self) -> Memory:
        return _PEACE

    def remember(self, memory: Memory, before: JostlePosition, move: JostleMove) -> Memory:
        if not isinstance(move, Piece):
            return memory
        hit = struck(before.layout, before.pieces, move.id, before.points)
        offenders = list(cast("Offenders", memory))
        for victim in {owner(piece) for piece in hit} - {before.seat}:
            offenders[victim] = (before.seat, *(seat for seat in offenders[victim] if seat != before.seat))
        return tuple(offenders)

    def rank(self, situation: JostleSituation, move: Piece, memory: Memory, host: AnyHost) -> int:  # noqa: ARG002  # blows only
        offenders = cast("Offenders", memory)[situation.seat]
        hit = {owner(victim) for victim in situation.struck(move.id)}
        return next((rank for rank, seat in enumerate(offenders) if seat in hit), len(SEATS))

    def reason(self, situation: JostleSituation, move: Piece, memory: Memory, host: AnyHost) -> str:
        rank = self.rank(situation, move, memory, host)
        if rank == len(SEATS):
            return "pays nobody back"
        return f"pays back {COLOURS[cast('Offenders', memory)[situation.seat][rank]]}"

    def rules(self, host: AnyHost) -> tuple[str, str]:  # noqa: ARG002  # the same for every host
        return self.atom, (
            "revenging(Choice, Rank) :-\n"
            "    Choice = [_, _, Owner], offenders(Owner, Offenders), payback(Offenders, Choice, 0, Rank).\n"
            f"payback([], _, _, {len(SEATS)}).\n"
            "payback([Offender|_], Choice, Rank, Rank) :- strikes(Choice, Offender), !.\n"
            "payback([_|Others], Choice, Here, Rank) :- Next is Here + 1, payback(Others, Choice, Next, Rank).\n"
        )
