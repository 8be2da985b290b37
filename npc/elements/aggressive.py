"""Aggressive: displaces opponents where it can."""

from npc.elements.base import Element, Kind, Memory
from npc.situation import Situation


class Aggressive(Element):
    """Two classes: the pieces whose own landing or being carried displaces an opponent's piece, and the others."""

    name = "Aggressive"
    kind = Kind.SYMBIONT
    meaning = "prefers a piece whose own landing, or being carried by a special field, displaces an opponent's piece"

    def rank(self, situation: Situation, piece: int, memory: Memory, host: Element) -> int:  # noqa: ARG002  # blows only
        return 0 if situation.struck_opponents(piece) else 1

    def reason(self, situation: Situation, piece: int, memory: Memory, host: Element) -> str:  # noqa: ARG002  # blows only
        victims = situation.struck_opponents(piece)
        return f"displaces {' and '.join(map(str, victims))}" if victims else "displaces no opponent"

    def rules(self, host: Element) -> tuple[str, str]:  # noqa: ARG002  # the same for every host
        return self.atom, "aggressive(Choice, 0) :- strikes(Choice, _), !.\naggressive(_, 1).\n"
