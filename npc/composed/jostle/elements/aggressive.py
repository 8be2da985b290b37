"""Aggressive: displaces opponents where it can."""

from games.jostle import Piece
from npc.composed.element import Memory
from npc.composed.jostle.elements.base import AnyHost, JostleElement
from npc.composed.jostle.names import any_piece
from npc.composed.jostle.situation import JostleSituation


class Aggressive(JostleElement):
    """Two classes: the pieces whose own landing or being carried displaces an opponent's piece, and the others."""

    name = "Aggressive"
    is_basic = False
    meaning = "prefers a piece whose own landing, or being carried by a special field, displaces an opponent's piece"

    def rank(self, situation: JostleSituation, move: Piece, memory: Memory, host: AnyHost) -> int:  # noqa: ARG002  # blows only
        return 0 if situation.struck_opponents(move.id) else 1

    def reason(self, situation: JostleSituation, move: Piece, memory: Memory, host: AnyHost) -> str:  # noqa: ARG002  # blows only
        victims = situation.struck_opponents(move.id)
        return f"displaces {' and '.join(map(any_piece, victims))}" if victims else "displaces no opponent"

    def rules(self, host: AnyHost) -> tuple[str, str]:  # noqa: ARG002  # the same for every host
        return self.atom, "aggressive(Choice, 0) :- strikes(Choice, _), !.\naggressive(_, 1).\n"
