"""Observing: reads the board for its host."""

from typing import Final

from games.jostle import Piece
from npc.composed.element import Memory
from npc.composed.jostle.elements.base import AnyHost, JostleElement
from npc.composed.jostle.elements.pals import Pals
from npc.composed.jostle.names import field_name
from npc.composed.jostle.situation import JostleSituation

_FAR: Final = 1000
"""Farther apart than pieces can ever be: the class of the pieces that stay where they are if anything else can move."""


class Observing(JostleElement):
    """For a host that wants to advance, switches are lifts and MINUS THREE are traps; for PALS both tear apart."""

    name = "Observing"
    is_basic = False
    meaning = (
        "reads the board. A host that wants to advance prefers a landing on the lower end of a switch and lands on "
        "MINUS THREE only if nothing else can move. PALS lands on switches and MINUS THREE only if nothing else can "
        "move, and otherwise chooses the move that leaves the smallest distance between its first and last piece"
    )

    def rank(self, situation: JostleSituation, move: Piece, memory: Memory, host: AnyHost) -> int:  # noqa: ARG002  # board only
        layout, target = situation.layout, situation.target(move.id)
        if isinstance(host, Pals):
            return _FAR if target in layout.special else situation.span_after(move.id)
        if layout.carry[target] > target:
            return 0
        return 2 if target in layout.minus_three else 1

    def reason(self, situation: JostleSituation, move: Piece, memory: Memory, host: AnyHost) -> str:
        rank, target = self.rank(situation, move, memory, host), situation.target(move.id)
        there, carried = (field_name(situation.layout, field) for field in (target, situation.layout.carry[target]))
        if isinstance(host, Pals):
            if rank == _FAR:
                return f"would land on {there}"
            return f"leaves {rank} fields between the first and the last piece"
        return (
            f"would be lifted from {there} to {carried}",
            f"lands on {there}, neither lift nor trap",
            f"would be thrown back from {there}",
        )[rank]

    def rules(self, host: AnyHost) -> tuple[str, str]:
        if isinstance(host, Pals):
            return "observing_together", (
                f"observing_together(Choice, {_FAR}) :- landing(Choice, Field), specialTile(Field), !.\n"
                "observing_together(Choice, Span) :- spanAfter(Choice, Span).\n"
            )
        return "observing_ahead", (
            "observing_ahead(Choice, 0) :- landing(Choice, Field), lowerSwitch(Field), !.\n"
            "observing_ahead(Choice, 2) :- landing(Choice, Field), backField(Field), !.\n"
            "observing_ahead(_, 1).\n"
        )
