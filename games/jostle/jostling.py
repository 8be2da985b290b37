"""What a move does to the pieces: landing, special fields, and the chain of jostled pieces.

The order is the whole point. Pieces are displaced one after another and jostled in that order; a special field works
once per turn, and from then on every special field counts as occupied for those who look for a place.
"""

from enum import Enum
from typing import Final, NamedTuple

from games.jostle.layout import STACK, START, Layout


class StepKind(Enum):
    """Why a piece changes its field."""

    MOVE = "move"
    SWITCH = "switch"
    BACK = "back"
    JOSTLE = "jostle"


class Step(NamedTuple):
    """One piece going from one field to another, and the piece that it displaces there, if any."""

    kind: StepKind
    piece: int
    source: int
    target: int
    displaced: int | None


# Where a displaced piece is until it is jostled: it neither occupies a field nor rests on its stack.
_NOWHERE: Final = -9


def resolve(
    layout: Layout, pieces: tuple[int, ...], piece: int, points: int, steps: list[Step] | None = None
) -> tuple[int, ...]:
    """The pieces after `piece` has moved by `points`, which must be possible. `steps`, if given, gets every step."""
    carry = layout.carry
    board = list(pieces)
    displaced: list[tuple[int, int]] = []
    special_used = False
    who, source, kind = piece, pieces[piece], StepKind.MOVE
    target = source + points
    while True:
        other = None
        if target in board and target != STACK:
            other = board.index(target)
            board[other] = _NOWHERE
            displaced.append((other, target))
        board[who] = target
        if steps is not None:
            steps.append(Step(kind, who, source, target, other))
        if not special_used and carry[target] != target:
            special_used = True
            source, target = target, carry[target]
            kind = StepKind.BACK if source in layout.minus_three else StepKind.SWITCH
        elif displaced:
            who, source = displaced.pop(0)
            kind = StepKind.JOSTLE
            target = source - 1
            while target >= START and (target in board or (special_used and carry[target] != target)):
                target -= 1
        else:
            return tuple(board)
