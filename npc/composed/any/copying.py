"""Copying: does what another player has just done."""

from games.protocol import Game, Move
from npc.composed.any.base import AnyElement
from npc.composed.any.recalling import Recalling, last_of_others
from npc.composed.any.trying import random_game
from npc.composed.element import Memory
from npc.composed.situation import Situation


class Copying(Recalling):
    """Two classes: the move that another seat played last, if it is there, and the others."""

    name = "Copying"
    is_basic = False
    meaning = "plays the same as the player who moved before it, if it can"

    def is_offered(self, game: Game) -> bool:
        """Where seats come to choose what another one has just played: not where a move takes its place away."""
        last: dict[int, str] = {}
        for position, move in random_game(game):
            seat = position.to_act
            others = [text for other, text in last.items() if other != seat]
            if others and others[-1] in map(str, position.moves()):
                return True
            last.pop(seat, None)
            last[seat] = str(move)
        return False

    def rank(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> int:  # noqa: ARG002  # the last move only
        last = last_of_others(memory, situation.seat)
        return 0 if last is not None and last.text == str(move) else 1

    def reason(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> str:
        copies = self.rank(situation, move, memory, host) == 0
        return "is what was played before" if copies else "is something else"
