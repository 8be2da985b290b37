"""Lingering: takes its time until somebody reaches a goal, then panics."""

from npc.elements.base import Element, Kind, Memory
from npc.situation import Situation


class Lingering(Element):
    """Orders nothing itself: it changes which basic strategy is the host (see npc.composition)."""

    name = "Lingering"
    kind = Kind.SYMBIONT
    meaning = (
        "plays its host while no opponent stands on a goal; in a turn in which one does, it plays the next basic "
        "strategy of its list, or ADVANCER if there is none, instead"
    )

    def rank(self, situation: Situation, piece: int, memory: Memory, host: Element) -> int:  # noqa: ARG002  # all tied
        return 0

    def reason(self, situation: Situation, piece: int, memory: Memory, host: Element) -> str:  # noqa: ARG002  # all tied
        there = "an opponent stands" if situation.opponent_on_goal() else "no opponent stands"
        return f"is played as {host.name} wants, because {there} on a goal"

    def rules(self, host: Element) -> tuple[str, str]:  # noqa: ARG002  # orders nothing
        return self.atom, "lingering(_, 0).\n"
