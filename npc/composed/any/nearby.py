"""Nearby: stays where the others have just been."""

from games.protocol import Game, Move
from npc.composed.any.base import AnyElement
from npc.composed.any.cells import first_choice, ways
from npc.composed.any.recalling import Recalling, last_of_others
from npc.composed.element import Memory
from npc.composed.situation import Situation


class Nearby(Recalling):
    """A class for each distance from where another seat has just moved to, the nearest first."""

    name = "Nearby"
    is_basic = False
    meaning = "prefers the move that ends nearest to where the player before it has moved to"

    def is_offered(self, game: Game) -> bool:
        position = first_choice(game)
        return bool(ways(position, position.to_act))

    def rank(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> int:  # noqa: ARG002  # places only
        way, last = ways(situation.position, situation.seat).get(str(move)), last_of_others(memory, situation.seat)
        return 0 if way is None or last is None or last.way is None else way.target.distance(last.way.target)

    def reason(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> str:
        return f"ends {self.rank(situation, move, memory, host)} cells from where the last move went"
