"""Hasty: glances at the moves and does not look again at what seemed poor."""

from typing import Final

from games.protocol import Game, Move
from npc.composed.any.base import AnyElement
from npc.composed.element import Memory
from npc.composed.situation import Situation
from npc.mcts import can_search

GLANCES: Final = 2
"""How many games for each move it takes to judge it."""


class Hasty(AnyElement):
    """Two classes: the moves that did at least as well as the average in a few games, and the others.

    A search that has no time would do the same. It does not depend on a clock, because a player knows of none: what it
    decides follows from the moves alone, so that anybody can compute it again.
    """

    name = "Hasty"
    is_basic = False
    heavy = True
    meaning = f"drops the moves that look worse than the average at a glance of {GLANCES} games each"

    def is_offered(self, game: Game) -> bool:
        return can_search(game)

    def rank(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> int:  # noqa: ARG002  # a glance only
        found = situation.searched(GLANCES * len(situation.moves))
        average = sum([each.value for each in found.values()]) / len(found)
        return 0 if found[move].value >= average else 1

    def reason(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> str:
        poor = self.rank(situation, move, memory, host)
        return "looks poor at a glance" if poor else "looks fine at a glance"
