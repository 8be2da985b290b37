"""The two players of the source, and what a game between them leaves behind. They look at boards, not at positions."""

from collections.abc import Callable
from random import Random
from typing import Final, NamedTuple

from games.evolved.chromosome import SIDE
from games.evolved.rules import MOST_MOVES, NORTH, Rules, Way
from games.protocol import Seat

HONOUR: Final = 1000
KIND_BITS: Final = 7
Player = Callable[[Rules, bytes, tuple[Way, ...], Random], Way]


class Played(NamedTuple):
    """A game that is over: its length, who won (None: nobody), and for each piece its cell changes and its life."""

    moves: int
    winner: Seat | None
    pieces: tuple[tuple[int, int], ...]


def at_random(rules: Rules, board: bytes, ways: tuple[Way, ...], rng: Random) -> Way:  # noqa: ARG001  # a Player
    """Any legal move. Where capturing is mandatory, only captures are legal."""
    return ways[int(rng.random() * len(ways))]


def by_one_ply(rules: Rules, board: bytes, ways: tuple[Way, ...], rng: Random) -> Way:
    """The best board after one move; of equal ones, the one that comes nearest to an enemy; of those, any."""
    gains = [gain(rules, board, way) for way in ways]
    most = max(gains)
    found = [way for way, each in zip(ways, gains, strict=True) if each == most]
    if len(found) > 1:
        theirs = board[found[0].source] & NORTH ^ NORTH
        enemies = [square for square, piece in enumerate(board) if piece and piece & NORTH == theirs]
        closer = [_nearest(way.target, enemies) - _nearest(way.source, enemies) for way in found]
        found = [way for way, each in zip(found, closer, strict=True) if each == min(closer)]
    return found[int(rng.random() * len(found))]


def gain(rules: Rules, board: bytes, way: Way) -> int:
    """By how much a move changes the value of the board for its player: own worth minus the opponent's."""
    piece = board[way.source]
    after, honour = rules.arriving(piece, way.target), rules.chromosome.honour
    change = _worth(rules, after) - _worth(rules, piece)
    if way.taken >= 0:
        change += _worth(rules, board[way.taken])
    if honour == piece & KIND_BITS != after & KIND_BITS and board.count(piece) == 1:
        change -= 2 * HONOUR  # alive counts for it, lost against it
    return change


def play(rules: Rules, players: tuple[Player, Player], rng: Random) -> Played:
    """A whole game, South's player first."""
    board, moves, winner = rules.setup, 0, None
    identity = {square: index for index, square in enumerate([s for s, piece in enumerate(board) if piece])}
    changes, lives = [0] * len(identity), [0] * len(identity)
    while moves < MOST_MOVES:
        seat = moves % 2
        ways = rules.ways(board, seat)
        if not ways:
            winner = 1 - seat
            break
        way = players[seat](rules, board, ways, rng)
        board, moves = rules.after(board, way), moves + 1
        if way.taken >= 0:
            lives[identity.pop(way.taken)] = moves
        moved = identity[way.target] = identity.pop(way.source)
        changes[moved] += 1
        dishonoured = rules.dishonoured(board)
        if dishonoured:
            winner = 1 - dishonoured[0] if len(dishonoured) == 1 else None
            break
    for index in identity.values():
        lives[index] = moves
    return Played(moves, winner, tuple(zip(changes, lives, strict=True)))


def _worth(rules: Rules, piece: int) -> int:
    kind = piece & KIND_BITS
    return rules.values[kind - 1] + (HONOUR if kind == rules.chromosome.honour else 0)


def _nearest(square: int, others: list[int]) -> int:
    """Steps of a king to the nearest of some squares."""
    row, column = divmod(square, SIDE)
    return min([max(abs(other // SIDE - row), abs(other % SIDE - column)) for other in others], default=0)
