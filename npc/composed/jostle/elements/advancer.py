"""ADVANCER: the most advanced movable piece."""

from games.jostle import Piece
from npc.composed.element import Memory
from npc.composed.jostle.elements.base import AnyHost, JostleElement
from npc.composed.jostle.names import field_name
from npc.composed.jostle.situation import JostleSituation


class Advancer(JostleElement):
    """The further a piece has come, the earlier its class."""

    name = "ADVANCER"
    is_basic = True
    meaning = "moves the most advanced movable piece"

    def rank(self, situation: JostleSituation, move: Piece, memory: Memory, host: AnyHost) -> int:  # noqa: ARG002  # fields only
        return -situation.pieces[move.id]

    def reason(self, situation: JostleSituation, move: Piece, memory: Memory, host: AnyHost) -> str:  # noqa: ARG002  # fields only
        return f"stands on {field_name(situation.layout, situation.pieces[move.id])}"

    def rules(self, host: AnyHost) -> tuple[str, str]:  # noqa: ARG002  # the same for every host
        return self.atom, "advancer([Field, _, _], Rank) :- Rank is -Field.\n"
