"""The history of a match as a rule base remembers it: what its seat saw of it.

A history is a chain of values: each move knows what was before it, so that remembering one more costs nothing and two
histories can be compared by their digests.
"""

import hashlib
from dataclasses import dataclass, field

from games.protocol import Move, Position, Seat


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """The last move, the position in which it was played, and all that was before."""

    earlier: "History | None"
    before: Position
    move: Move
    mover: Seat
    """Who made the move; CHANCE for chance."""
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

    def asks(self, seat: Seat) -> bool:
        """Whether a seat had to choose before this move: not if it had been choosing already while another moved."""
        if seat not in self.before.acting:
            return False
        earlier = self.earlier
        return earlier is None or earlier.mover == seat or seat not in earlier.before.acting


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
