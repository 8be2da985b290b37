"""Central: is drawn to the middle of the board."""

from games.protocol import Game, Move
from npc.composed.any.base import AnyElement
from npc.composed.any.cells import first_choice, ways
from npc.composed.element import Memory
from npc.composed.situation import Situation


class Central(AnyElement):
    """A class for each distance from the middle of a grid, the nearest first."""

    name = "Central"
    is_basic = False
    meaning = "prefers the move that ends nearest to the middle of the board"

    def is_offered(self, game: Game) -> bool:
        position = first_choice(game)
        return bool(ways(position, position.to_act))

    def rank(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> int:  # noqa: ARG002  # places only
        grid, way = situation.position.grid(), ways(situation.position, situation.seat).get(str(move))
        if grid is None or way is None:
            return 0
        column, row = way.target
        return abs(2 * column + 1 - grid.columns) + abs(2 * row + 1 - grid.rows)

    def reason(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> str:
        return f"ends {self.rank(situation, move, memory, host) / 2:g} cells from the middle"
