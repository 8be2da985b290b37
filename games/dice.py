"""Verifiable chance: every die of a match follows from one secret seed that is committed to before the match.

The commitment is the SHA-256 of the seed. The outcome at a ply is drawn with HMAC-SHA256, keyed by the seed, over the
text ``grintu:PLY:TRY``: the first eight bytes are a number (all 32 where chance has more ways than that, and, as in a
world drawn at random, followed by those over ``grintu:PLY:TRY:1``, ``:2`` and so on if these are too few); numbers
beyond the largest multiple of the ways are thrown away (the next try decides), so that no outcome is favoured. When the
seed is published, anybody can draw again.
"""

import hashlib
import hmac
from collections.abc import Iterable
from itertools import count
from typing import Final, NamedTuple

from games.protocol import CHANCE, Game, GameError, Move, NotationError, Position

SEED_BYTES: Final = 32
_SHORT: Final = 8
_LONG: Final = 32
MOST_BLOCKS: Final = 16
"""Of so many bytes: 2**4096 ways are enough for every world."""


def commitment(seed: bytes) -> str:
    """What is told to the players before the match."""
    return hashlib.sha256(seed).hexdigest()


def draw_number(seed: bytes, ply: int, ways: int) -> int:
    """An unbiased number from 0 to `ways` - 1."""
    most = 8 * _LONG * MOST_BLOCKS
    if not 0 < ways <= 1 << most:
        raise GameError(f"chance has 1 to 2**{most} ways where it acts, not {ways}")
    bits = (ways - 1).bit_length()
    used = _SHORT if bits <= 8 * _SHORT else _LONG
    blocks = -(-bits // (8 * used)) or 1
    span = 1 << 8 * used * blocks
    limit = span - span % ways
    for attempt in count():
        digest = hmac.digest(seed, b"grintu:%d:%d" % (ply, attempt), "sha256")[:used]
        for block in range(1, blocks):
            digest += hmac.digest(seed, b"grintu:%d:%d:%d" % (ply, attempt, block), "sha256")
        number = int.from_bytes(digest, "big")
        if number < limit:
            return number % ways
    raise AssertionError("count() never ends")


def draw(seed: bytes, ply: int, position: Position) -> Move:
    """The outcome of chance at `ply`, each outcome as often as its weight says."""
    outcome: Move = position.drawn(draw_number(seed, ply, position.ways))
    return outcome


class DiceCheck(NamedTuple):
    """What checking a finished match found: `ply` is the first die that is not what the seed gives."""

    fair: bool
    dice: int
    ply: int | None
    reason: str


def verify(game: Game, seed: str, promised: str, moves: Iterable[str]) -> DiceCheck:
    """Draws every die of a match again. `seed` and `promised` are hexadecimal, `moves` the texts from ply 0 on."""
    try:
        secret = bytes.fromhex(seed)
    except ValueError:
        raise NotationError(f"a seed is written in hexadecimal digits, not {seed[:20]!r}") from None
    if not hmac.compare_digest(commitment(secret), promised):
        return DiceCheck(False, 0, None, "the seed is not the one that was promised")
    position: Position = game.start()
    dice = 0
    for ply, text in enumerate(moves):
        move = game.move(text)
        if position.to_act == CHANCE:
            expected = draw(secret, ply, position)
            if move != expected:
                return DiceCheck(False, dice, ply, f"the die at ply {ply} shows {move}, the seed gives {expected}")
            dice += 1
        try:
            position = position.play(move)
        except GameError as error:
            return DiceCheck(False, dice, ply, f"ply {ply}: {error}")
    return DiceCheck(True, dice, None, "")
