"""Verifiable chance: every die of a match follows from one secret seed that is committed to before the match.

The commitment is the SHA-256 of the seed. The outcome at a ply is drawn with HMAC-SHA256, keyed by the seed, over the
text ``grintu:PLY:TRY``: the first eight bytes are a number; numbers beyond the largest multiple of the total weight are
thrown away (the next try decides), so that no outcome is favoured. When the seed is published, anybody can draw again.
"""

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Final, NamedTuple

from games.protocol import CHANCE, Game, GameError, Move, NotationError, Position

SEED_BYTES: Final = 32
_SPAN: Final = 1 << 64


def commitment(seed: bytes) -> str:
    """What is told to the players before the match."""
    return hashlib.sha256(seed).hexdigest()


def draw_number(seed: bytes, ply: int, total: int) -> int:
    """An unbiased number from 0 to `total` - 1."""
    limit = _SPAN - _SPAN % total
    for attempt in count():
        digest = hmac.digest(seed, b"grintu:%d:%d" % (ply, attempt), "sha256")
        number = int.from_bytes(digest[:8], "big")
        if number < limit:
            return number % total
    raise AssertionError("count() never ends")


def draw(seed: bytes, ply: int, outcomes: Sequence[tuple[Move, int]]) -> Move:
    """The outcome of chance at `ply`, each outcome as often as its weight says."""
    total = sum([weight for _, weight in outcomes])
    number = draw_number(seed, ply, total)
    if total == len(outcomes):  # all weigh 1, as the sides of a die do
        return outcomes[number][0]
    for move, weight in outcomes:
        if number < weight:
            return move
        number -= weight
    raise AssertionError("the number is smaller than the sum of the weights")


class Verdict(NamedTuple):
    """What checking a finished match found: `ply` is the first die that is not what the seed gives."""

    fair: bool
    dice: int
    ply: int | None
    reason: str


def verify(game: Game, seed: str, promised: str, moves: Iterable[str]) -> Verdict:
    """Draws every die of a match again. `seed` and `promised` are hexadecimal, `moves` the texts from ply 0 on."""
    try:
        secret = bytes.fromhex(seed)
    except ValueError:
        raise NotationError(f"a seed is written in hexadecimal digits, not {seed[:20]!r}") from None
    if not hmac.compare_digest(commitment(secret), promised):
        return Verdict(False, 0, None, "the seed is not the one that was promised")
    position: Position = game.start()
    dice = 0
    for ply, text in enumerate(moves):
        move = game.move(text)
        if position.to_act == CHANCE:
            expected = draw(secret, ply, position.outcomes())
            if move != expected:
                return Verdict(False, dice, ply, f"the die at ply {ply} shows {move}, the seed gives {expected}")
            dice += 1
        try:
            position = position.play(move)
        except GameError as error:
            return Verdict(False, dice, ply, f"ply {ply}: {error}")
    return Verdict(True, dice, None, "")
