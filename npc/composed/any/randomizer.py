"""RANDOMIZER: any legal move."""

from games.protocol import Move
from npc.composed.any.base import AnyElement
from npc.composed.element import Memory
from npc.composed.situation import Situation


class Randomizer(AnyElement):
    """Orders the moves by lots, so that whatever an earlier element left tied is broken uniformly."""

    name = "RANDOMIZER"
    is_basic = True
    meaning = "plays a move drawn by lot, each with the same probability"

    def rank(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> int:  # noqa: ARG002  # lots only
        return situation.lot(move)

    def reason(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> str:  # noqa: ARG002  # lots only
        return f"drew lot {situation.lot(move) + 1}"
