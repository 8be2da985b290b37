"""ADVANCER: the most advanced movable piece."""

from npc.elements.base import Element, Kind, Memory
from npc.situation import Situation


class Advancer(Element):
    """The further a piece has come, the earlier its class."""

    name = "ADVANCER"
    kind = Kind.BASIC
    meaning = "moves the most advanced movable piece"

    def rank(self, situation: Situation, piece: int, memory: Memory, host: Element) -> int:  # noqa: ARG002  # fields only
        return -situation.pieces[piece]

    def reason(self, situation: Situation, piece: int, memory: Memory, host: Element) -> str:  # noqa: ARG002  # fields only
        return f"stands on {situation.pieces[piece]}"

    def rules(self, host: Element) -> tuple[str, str]:  # noqa: ARG002  # the same for every host
        return self.atom, "advancer([Field, _, _], Rank) :- Rank is -Field.\n"
