"""What composed strategies and Prolog rule bases have in common: the question whether to roll again, and passing."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol

from games.jostle import AGAIN, KEEP, PASS, JostleMove, JostlePosition, Phase
from games.jostle.moves import PIECE_MOVES
from npc.decision import Decision, Explanation, Fault
from npc.situation import Seed, Situation

SECOND_ROLL_FIELDS: Final = 12
"""A six and a second six: a piece this close to the last field may have no use for a second roll."""


Memory = Any
"""A hashable value whose inside is the player's own business."""


class Player(Protocol):
    """Decides for a seat. Memory is a value, a function of the public history, that the caller keeps."""

    @property
    def name(self) -> str: ...

    def start_memory(self) -> Memory: ...

    def remember(self, memory: Memory, before: JostlePosition, move: JostleMove) -> Memory:
        """The memory after `move`, of any seat or of chance, was played in the position `before`."""
        ...

    def decide(self, position: JostlePosition, memory: Memory, seed: Seed, ply: int) -> Decision:
        """A legal move for the seat to act; always the same for the same arguments."""
        ...


class Choice(NamedTuple):
    """A piece, why it was chosen, and what went wrong if it was not chosen by the rules."""

    piece: int
    explain: Callable[[], Explanation]
    fault: Fault | None = None


def move_with(situation: Situation, choose: Callable[[Situation], Choice]) -> Decision:
    """The decision which piece to move, or to pass if none can."""
    if not situation.movable:
        return Decision(PASS, None, _explain=_no_piece)
    piece, explain, fault = choose(situation)
    return Decision(PIECE_MOVES[piece], piece, fault=fault, _explain=explain)


def worth_rolling_again(situation: Situation, piece: int) -> bool:
    """The default: yes while the piece that six points would move stands below the last field minus twelve."""
    return situation.pieces[piece] < situation.layout.last - SECOND_ROLL_FIELDS


def again_with(situation: Situation, choose: Callable[[Situation], Choice]) -> Decision:
    """The default decision whether to roll again."""
    if not situation.movable:
        return Decision(KEEP, None, roll_again=False, _explain=_no_piece)
    piece, explain, fault = choose(situation)
    again = worth_rolling_again(situation, piece)

    def explained() -> Explanation:
        limit = situation.layout.last - SECOND_ROLL_FIELDS
        why, inner = "below" if again else "not below", explain()
        answer, field = "Rolls" if again else "Does not roll", situation.pieces[piece]
        words = f"{answer} again: piece {piece}, on {field}, is {why} {limit}."
        return Explanation(inner.decided_by, f"{words} {inner.words}", inner.verdicts)

    return Decision(AGAIN if again else KEEP, piece, roll_again=again, fault=fault, _explain=explained)


def is_roll_question(position: JostlePosition) -> bool:
    """Whether the seat decides between a second roll and keeping its six. Raises ValueError if no seat decides."""
    if position.phase is Phase.DECIDE:
        return True
    if position.phase is Phase.MOVE:
        return False
    raise ValueError(f"no seat decides in the position {position.text()}")


def _no_piece() -> Explanation:
    return Explanation("rules", "No piece can move.")
