"""Winning: takes a win that is there."""

from games.protocol import Game, Move
from npc.composed.any.base import AnyElement
from npc.composed.any.trying import sees_ahead
from npc.composed.element import Memory
from npc.composed.situation import Situation


class Winning(AnyElement):
    """Two classes: the moves that win at once, and the others."""

    name = "Winning"
    is_basic = False
    meaning = "plays a move that wins at once, if there is one"

    def is_offered(self, game: Game) -> bool:
        return sees_ahead(game)

    def rank(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> int:  # noqa: ARG002  # wins only
        return 0 if situation.wins(move) else 1

    def reason(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> str:  # noqa: ARG002  # wins only
        return "wins at once" if situation.wins(move) else "does not win at once"
