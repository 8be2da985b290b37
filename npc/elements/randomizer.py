"""RANDOMIZER: any movable piece."""

from npc.elements.base import Element, Kind, Memory
from npc.situation import Situation


class Randomizer(Element):
    """Orders the pieces by lots, so that whatever an earlier element left tied is broken uniformly."""

    name = "RANDOMIZER"
    kind = Kind.BASIC
    meaning = "moves a movable piece drawn by lot, each with the same probability"

    def rank(self, situation: Situation, piece: int, memory: Memory, host: Element) -> int:  # noqa: ARG002  # lots only
        return situation.lot(piece)

    def reason(self, situation: Situation, piece: int, memory: Memory, host: Element) -> str:  # noqa: ARG002  # lots only
        return f"drew lot {situation.lot(piece) + 1}"

    def rules(self, host: Element) -> tuple[str, str]:  # noqa: ARG002  # the same for every host
        return self.atom, "randomizer([_, Piece, _], Lot) :- lot(Piece, Lot).\n"
