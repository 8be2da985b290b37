"""Careful: gives no win away."""

from games.protocol import Game, Move
from npc.composed.any.base import AnyElement
from npc.composed.any.trying import sees_ahead
from npc.composed.element import Memory
from npc.composed.situation import Situation


class Careful(AnyElement):
    """Two classes: the moves after which nobody else can win at once, and the others."""

    name = "Careful"
    is_basic = False
    heavy = True  # all answers to all moves
    meaning = "avoids a move after which another player could win at once"

    def is_offered(self, game: Game) -> bool:
        return sees_ahead(game)

    def rank(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> int:  # noqa: ARG002  # losses only
        return 1 if situation.gives_a_win_away(move) else 0

    def reason(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> str:  # noqa: ARG002  # losses only
        return "would give a win away" if situation.gives_a_win_away(move) else "gives no win away"
