"""What a chromosome allows on a board: tables of ways, made once, and the moves that follow from them.

A board is 64 bytes from a1, row by row: 0 for an empty square, the type for a piece of South, 8 more for one of North.
"""

from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from games.evolved.chromosome import SIDE, TYPES, Chromosome, Genes, repaired
from games.protocol import Seat

SQUARES: Final = SIDE * SIDE
NORTH: Final = 8
"""What a piece of the second seat has more than one of the first; bit 3 tells whose it is."""
MOST_MOVES: Final = 100
GAMES_KEPT: Final = 256
BOARDS_KEPT: Final = 20_000

Direction = tuple[int, int]
"""To the right, and ahead."""
_FORWARD: Final = ((-1, 1), (1, 1))
_BOTH: Final = (*_FORWARD, (-1, -1), (1, -1))
DIRECTIONS: Final[dict[int, tuple[Direction, ...]]] = {
    1: _FORWARD,
    2: _BOTH,
    3: (*_BOTH, (0, 1), (0, -1), (-1, 0), (1, 0)),
    4: ((-1, 2), (1, 2), (-2, 1), (2, 1), (-2, -1), (2, -1), (-1, -2), (1, -2)),
    5: ((0, 1), (0, -1)),
    6: ((0, 1),),
}
"""By movement: diagonal forward, diagonal both, all, L, straight both, straight forward."""
MOVEMENT_VALUES: Final = {3: 8, 2: 7, 5: 7, 1: 6, 6: 6, 4: 5}
CAPTURE_VALUES: Final = (4, 3)
"""What a piece is worth for how it moves, and for stepping into or jumping over."""


class Way(NamedTuple):
    """One possible move: from where, to where, and what it takes (-1: nothing)."""

    source: int
    target: int
    taken: int


class Rules:
    """A chromosome with its tables. Two are equal if their genes are."""

    def __init__(self, chromosome: Chromosome) -> None:
        self.chromosome = chromosome
        self._hash = hash(chromosome)
        both = [(kind, seat) for kind in range(1, TYPES + 1) for seat in (0, 1)]
        self.rays: dict[int, tuple[tuple[tuple[int, ...], ...], ...]] = {
            kind + NORTH * seat: tuple([self._rays(kind, seat, square) for square in range(SQUARES)])
            for kind, seat in both
        }
        self.slides = {kind + NORTH * seat: bool(chromosome.step[kind - 1]) for kind, seat in both}
        self.jumps = {kind + NORTH * seat: bool(chromosome.capture[kind - 1]) for kind, seat in both}
        self.becomes = {
            kind + NORTH * seat: (chromosome.conversion[kind - 1] or kind) + NORTH * seat for kind, seat in both
        }
        self.values = tuple(
            [
                MOVEMENT_VALUES[chromosome.movement[kind]] + CAPTURE_VALUES[chromosome.capture[kind]]
                for kind in range(TYPES)
            ]
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and other.chromosome == self.chromosome

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return rules_of, (self.chromosome.genes,)

    def _rays(self, kind: int, seat: Seat, square: int) -> tuple[tuple[int, ...], ...]:
        found = [
            ray_from(square, right, ahead if seat == 0 else -ahead)
            for right, ahead in DIRECTIONS[self.chromosome.movement[kind - 1]]
        ]
        return tuple([ray for ray in found if ray])

    @cached_property
    def setup(self) -> bytes:
        """The first board: North's pieces are the mirror image of South's."""
        board = bytearray(SQUARES)
        for place, kind in enumerate(self.chromosome.placement):
            if kind:
                row, column = divmod(place, SIDE)
                board[place] = kind
                board[(SIDE - 1 - row) * SIDE + column] = kind + NORTH
        return bytes(board)

    def ways(self, board: bytes, seat: Seat) -> tuple[Way, ...]:
        """All legal moves of a seat, square by square."""
        quiet, captures = [], []
        mine = NORTH * seat
        for square, piece in enumerate(board):
            if not piece or piece & NORTH != mine:
                continue
            slides, jumps = self.slides[piece], self.jumps[piece]
            for ray in self.rays[piece][square]:
                for distance, target in enumerate(ray):
                    other = board[target]
                    if not other:
                        quiet.append(Way(square, target, -1))
                        if slides:
                            continue
                    elif other & NORTH != mine:
                        if not jumps:
                            captures.append(Way(square, target, target))
                        elif distance + 1 < len(ray) and not board[ray[distance + 1]]:
                            captures.append(Way(square, ray[distance + 1], target))
                    break
        forced = captures and self.chromosome.mandatory
        return tuple(sorted(captures if forced else quiet + captures))

    def after(self, board: bytes, way: Way) -> bytes:
        """The board after a move: what is taken goes, the piece arrives, on its last row perhaps as another."""
        changed = bytearray(board)
        piece = changed[way.source]
        changed[way.source] = 0
        if way.taken >= 0:
            changed[way.taken] = 0
        changed[way.target] = self.arriving(piece, way.target)
        return bytes(changed)

    def arriving(self, piece: int, target: int) -> int:
        """What a piece is once it has come to a square."""
        last = target < SIDE if piece & NORTH else target >= SQUARES - SIDE
        return self.becomes[piece] if last else piece

    def dishonoured(self, board: bytes) -> tuple[Seat, ...]:
        """The seats that have no piece of honour left; nobody in games without honour."""
        honour = self.chromosome.honour
        return tuple([seat for seat in (0, 1) if honour and honour + NORTH * seat not in board])


def ray_from(square: int, right: int, up: int) -> tuple[int, ...]:
    """The squares that lie in a direction, the nearest one first; a leap is repeated as it is."""
    row, column = divmod(square, SIDE)
    found = []
    while 0 <= (row := row + up) < SIDE and 0 <= (column := column + right) < SIDE:
        found.append(row * SIDE + column)
    return tuple(found)


@lru_cache(maxsize=GAMES_KEPT)
def rules_of(genes: Genes) -> Rules:
    """The rules of a chromosome, repaired."""
    return Rules(repaired(genes))


@lru_cache(maxsize=BOARDS_KEPT)
def ways_on(rules: Rules, board: bytes, seat: Seat) -> tuple[Way, ...]:
    """Remembered, because a position is asked many times who acts and with which moves."""
    return rules.ways(board, seat)


def square_name(square: int) -> str:
    return f"{'abcdefgh'[square % SIDE]}{square // SIDE + 1}"
