"""Observing: reads the board for its host."""

from typing import Final

from npc.elements.base import Element, Kind, Memory
from npc.elements.pals import Pals
from npc.situation import Situation

_FAR: Final = 1000
"""Farther apart than pieces can ever be: the class of the pieces that stay where they are if anything else can move."""


class Observing(Element):
    """For a host that wants to advance, switches are lifts and MINUS THREE are traps; for PALS both tear apart."""

    name = "Observing"
    kind = Kind.SYMBIONT
    meaning = (
        "reads the board. A host that wants to advance prefers a landing on the lower end of a switch and lands on "
        "MINUS THREE only if nothing else can move. PALS lands on switches and MINUS THREE only if nothing else can "
        "move, and otherwise chooses the move that leaves the smallest distance between its first and last piece"
    )

    def rank(self, situation: Situation, piece: int, memory: Memory, host: Element) -> int:  # noqa: ARG002  # board only
        layout, target = situation.layout, situation.target(piece)
        if isinstance(host, Pals):
            return _FAR if target in layout.special else situation.span_after(piece)
        if layout.carry[target] > target:
            return 0
        return 2 if target in layout.minus_three else 1

    def reason(self, situation: Situation, piece: int, memory: Memory, host: Element) -> str:
        rank, target = self.rank(situation, piece, memory, host), situation.target(piece)
        if isinstance(host, Pals):
            if rank == _FAR:
                return f"would land on the special field {target}"
            return f"leaves {rank} fields between the first and the last piece"
        return (
            f"would be lifted from {target} to {situation.layout.carry[target]}",
            f"lands on {target}, neither lift nor trap",
            f"would be thrown back from {target}",
        )[rank]

    def rules(self, host: Element) -> tuple[str, str]:
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
