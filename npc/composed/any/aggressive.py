"""Aggressive: takes what it can, in games that tell of captures."""

from games.protocol import Game, Move
from npc.composed.any.base import AnyElement
from npc.composed.any.cells import first_choice
from npc.composed.element import Memory
from npc.composed.situation import Situation


class Aggressive(AnyElement):
    """A class for each number of captured pieces, the most first; in games without captures all moves are alike."""

    name = "Aggressive"
    is_basic = False
    meaning = "prefers the move that captures most"

    def is_offered(self, game: Game) -> bool:
        position = first_choice(game)
        return position.captured(position.moves()[0]) is not None

    def rank(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> int:  # noqa: ARG002  # captures only
        return -(situation.position.captured(move) or 0)

    def reason(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> str:  # noqa: ARG002  # captures only
        taken = situation.position.captured(move) or 0
        return f"captures {taken}" if taken else "captures nothing"
