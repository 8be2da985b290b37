"""The public history of a match as a rule base remembers it, and the questions that it leads to.

A history is a chain of values: each move knows what was before it, so that remembering one more costs nothing and two
histories can be compared by their digests.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from games.jostle import JostleMove, JostlePosition, Phase, Piece
from npc.situation import Seed, decision_random, draw_lots, struck


class Kind(Enum):
    """What a rule base can be asked: which piece to move, or whether to roll again."""

    MOVE = "move"
    AGAIN = "again"


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """The last move, the position in which it was played, and all that was before."""

    earlier: "History | None"
    before: JostlePosition
    move: JostleMove
    ply: int = field(init=False)
    digest: bytes = field(init=False)

    def __post_init__(self) -> None:
        root = self.earlier.digest if self.earlier else self.before.text().encode()
        object.__setattr__(self, "ply", self.earlier.ply + 1 if self.earlier else 0)
        object.__setattr__(self, "digest", hashlib.blake2b(root + str(self.move).encode(), digest_size=16).digest())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


START = b""


def digest_of(history: History | None) -> bytes:
    return history.digest if history else START


def since(history: History | None, digest: bytes) -> list[History] | None:
    """The moves after the moment with that digest, oldest first; None if that moment is not part of the history."""
    moves: list[History] = []
    while history is not None and history.digest != digest:
        moves.append(history)
        history = history.earlier
    return moves[::-1] if digest_of(history) == digest else None


def question_kind(position: JostlePosition) -> Kind | None:
    """What the seat to act is asked; None if it has no choice."""
    if position.phase is Phase.DECIDE:
        return Kind.AGAIN if _can_move(position) else None
    return Kind.MOVE if position.phase is Phase.MOVE and _can_move(position) else None


def question(kind: Kind, position: JostlePosition, news: list[History], seed: Seed, ply: int) -> str:
    """The question as a term for the driver; `news` is what was played since the last question."""
    number = int(decision_random(seed, ply).random() * 2**31)
    fields = ",".join(map(str, position.pieces))
    lots = ",".join(map(str, draw_lots(seed, ply)))
    history = ",".join(_facts(news))
    return f"q({kind.value},{number},{position.seat},{position.points},[{fields}],[{lots}],[{history}])."


def _facts(news: list[History]) -> Iterator[str]:
    for played in news:
        move, before = played.move, played.before
        if isinstance(move, Piece):
            hit = ",".join(map(str, struck(before.layout, before.pieces, move.id, before.points)))
            yield f"h({played.ply},{before.seat},{move.id},{before.pieces[move.id] + before.points},[{hit}])"


def _can_move(position: JostlePosition) -> bool:
    reach, first = position.layout.reach, 3 * position.seat
    return any(reach[field] >= position.points for field in position.pieces[first : first + 3])
