"""PALS: the least advanced movable piece, so that nobody is left behind."""

from npc.elements.base import Element, Kind, Memory
from npc.situation import Situation


class Pals(Element):
    """The less far a piece has come, the earlier its class."""

    name = "PALS"
    kind = Kind.BASIC
    meaning = "moves the least advanced movable piece, so that the pieces stay together"

    def rank(self, situation: Situation, piece: int, memory: Memory, host: Element) -> int:  # noqa: ARG002  # fields only
        return situation.pieces[piece]

    def reason(self, situation: Situation, piece: int, memory: Memory, host: Element) -> str:  # noqa: ARG002  # fields only
        return f"stands on {situation.pieces[piece]}"

    def rules(self, host: Element) -> tuple[str, str]:  # noqa: ARG002  # the same for every host
        return self.atom, "pals([Field, _, _], Field).\n"
