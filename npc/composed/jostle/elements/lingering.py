"""Lingering: takes its time until somebody reaches a goal, then panics."""

from games.jostle import Piece
from npc.composed.element import Memory
from npc.composed.jostle.elements.base import AnyHost, JostleElement
from npc.composed.jostle.situation import JostleSituation


class Lingering(JostleElement):
    """Orders nothing itself: it changes which basic strategy is the host (see npc.composition)."""

    name = "Lingering"
    is_basic = False
    meaning = (
        "plays its host while no opponent stands on a goal; in a turn in which one does, it plays the next basic "
        "strategy of its list, or ADVANCER if there is none, instead"
    )

    panics_to = "ADVANCER"

    def panics(self, situation: JostleSituation) -> bool:
        return situation.opponent_on_goal()

    def rank(self, situation: JostleSituation, move: Piece, memory: Memory, host: AnyHost) -> int:  # noqa: ARG002  # all tied
        return 0

    def reason(self, situation: JostleSituation, move: Piece, memory: Memory, host: AnyHost) -> str:  # noqa: ARG002  # all tied
        there = "an opponent stands" if situation.opponent_on_goal() else "no opponent stands"
        return f"is played as {host.name} wants, because {there} on a goal"

    def rules(self, host: AnyHost) -> tuple[str, str]:  # noqa: ARG002  # orders nothing
        return self.atom, "lingering(_, 0).\n"
