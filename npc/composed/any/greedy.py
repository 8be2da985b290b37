"""GREEDY: the move after which it stands best at once."""

from games.protocol import Move
from npc.composed.any.base import AnyElement
from npc.composed.element import Memory
from npc.composed.situation import Situation


class Greedy(AnyElement):
    """Looks one move ahead: own points minus those of the best other seat, then material where the game tells it."""

    name = "GREEDY"
    is_basic = True
    meaning = "plays the move after which it is furthest ahead in points, and among those in material, if there is such"

    def rank(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> int:  # noqa: ARG002  # points only
        lead, material = _leads(situation, move)
        return -(lead * _MATERIAL_BELOW + material)

    def reason(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> str:  # noqa: ARG002  # points only
        lead, material = _leads(situation, move)
        return f"leads to {lead:+d} points" + (f" and {material:+d} in material" if material else "")


_MATERIAL_BELOW = 10_000
"""No lead in material is as large, so points come first."""


def _leads(situation: Situation, move: Move) -> tuple[int, int]:
    after = situation.after(move)
    if after is None:
        return 0, 0
    return _lead(after.scores(), situation.seat), _lead(after.material() or (), situation.seat)


def _lead(values: tuple[int, ...], seat: int) -> int:
    others = [value for other, value in enumerate(values) if other != seat]
    return values[seat] - max(others) if others else 0
