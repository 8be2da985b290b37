"""Stubborn: goes on with the piece that it moved last."""

from typing import Any

from games.protocol import Game, Move
from npc.composed.any.base import AnyElement
from npc.composed.any.cells import Cell, first_choice, ways
from npc.composed.any.recalling import Recalling
from npc.composed.element import Memory
from npc.composed.situation import Situation


class Stubborn(Recalling):
    """Two classes: the moves of the piece that the seat moved last, and the others."""

    name = "Stubborn"
    is_basic = False
    meaning = "goes on with the piece that it moved last"

    def is_offered(self, game: Game) -> bool:
        """Where pieces go from cell to cell."""
        position = first_choice(game)
        return any(way.source for way in ways(position, position.to_act).values())

    def rank(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> int:  # noqa: ARG002  # its piece only
        way = ways(situation.position, situation.seat).get(str(move))
        return 0 if way is not None and way.source is not None and way.source == _own(situation, memory) else 1

    def reason(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> str:
        goes_on = self.rank(situation, move, memory, host) == 0
        return "goes on with the piece that it moved last" if goes_on else "moves another piece"


def _own(situation: Situation, memory: Any) -> Cell | None:
    """Where the piece stands that the seat moved last, unless it was taken since: then nothing leads from there."""
    own = next((each.way for each in memory if each.seat == situation.seat), None)
    return None if own is None else own.target
