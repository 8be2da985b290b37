"""RANDOMIZER: any movable piece."""

from games.jostle import Piece
from npc.composed.element import Memory
from npc.composed.jostle.elements.base import AnyHost, JostleElement
from npc.composed.jostle.situation import JostleSituation


class Randomizer(JostleElement):
    """Orders the pieces by lots, so that whatever an earlier element left tied is broken uniformly."""

    name = "RANDOMIZER"
    is_basic = True
    meaning = "moves a movable piece drawn by lot, each with the same probability"

    def rank(self, situation: JostleSituation, move: Piece, memory: Memory, host: AnyHost) -> int:  # noqa: ARG002  # lots only
        return situation.lot(move)

    def reason(self, situation: JostleSituation, move: Piece, memory: Memory, host: AnyHost) -> str:  # noqa: ARG002  # lots only
        return f"drew lot {situation.lot(move) + 1}"

    def rules(self, host: AnyHost) -> tuple[str, str]:  # noqa: ARG002  # the same for every host
        return self.atom, "randomizer([_, Piece, _], Lot) :- lot(Piece, Lot).\n"
