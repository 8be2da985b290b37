"""What a strategy of Jostle looks at: the board, the points, the movable pieces and what moving each would do."""

from games.jostle import PIECES_PER_SEAT, JostlePosition, Layout, Piece
from games.jostle.jostling import resolve
from games.jostle.moves import PIECE_MOVES
from games.protocol import Move, Seat
from npc.composed.jostle.names import own_piece
from npc.composed.situation import Situation
from npc.player import Seed, decision_random


def owner(piece: int) -> int:
    """The seat that a piece belongs to."""
    return piece // PIECES_PER_SEAT


def draw_lots(seed: Seed, ply: int) -> tuple[int, ...]:
    """A lot for each own piece: a uniformly random order, so that any tie among them can be broken fairly.

    Sorted by `random()`, the only method whose numbers Python promises to keep from version to version.
    """
    source = decision_random(seed, ply)
    numbers = [source.random() for _ in range(PIECES_PER_SEAT)]
    order = sorted(numbers)
    return tuple(order.index(number) for number in numbers)


def struck(layout: Layout, pieces: tuple[int, ...], piece: int, points: int) -> tuple[int, ...]:
    """The pieces that the mover's own landing, or its being carried, displaces; not those further down the chain."""
    target = pieces[piece] + points
    there = layout.carry[target]
    return tuple(other for other, field in enumerate(pieces) if (field in (target, there)) and other != piece)


class JostleSituation(Situation):
    """A position in which a seat holds points to move with; its `moves` are those of the movable pieces."""

    __slots__ = ("_piece_lots", "layout", "pieces", "points")

    def __init__(self, position: JostlePosition, seat: Seat, seed: Seed, ply: int) -> None:
        self.position = position
        self.layout = position.layout
        self.pieces = position.pieces
        self.seat = seat
        self.points = position.points
        reach, first = self.layout.reach, PIECES_PER_SEAT * seat
        self.moves: tuple[Piece, ...] = tuple(
            [
                move
                for move in PIECE_MOVES[first : first + PIECES_PER_SEAT]
                if reach[self.pieces[move.id]] >= self.points
            ]
        )
        self._seed = seed
        self._ply = ply
        self._piece_lots: tuple[int, ...] | None = None

    def called(self, move: Move) -> str:
        return own_piece(PIECE_MOVES.index(move))

    def own(self) -> range:
        """The ids of the seat's pieces."""
        return range(PIECES_PER_SEAT * self.seat, PIECES_PER_SEAT * (self.seat + 1))

    def target(self, piece: int) -> int:
        """The field that the points lead the piece to."""
        return self.pieces[piece] + self.points

    def lot(self, move: Move) -> int:
        """The lot that was drawn for an own piece, whether it can move or not."""
        if self._piece_lots is None:
            self._piece_lots = draw_lots(self._seed, self._ply)
        return self._piece_lots[PIECE_MOVES.index(move) - PIECES_PER_SEAT * self.seat]

    def struck(self, piece: int) -> tuple[int, ...]:
        """The pieces that would be displaced by the landing or the being carried of `piece`."""
        return struck(self.layout, self.pieces, piece, self.points)

    def struck_opponents(self, piece: int) -> tuple[int, ...]:
        """The same, without the seat's own pieces."""
        return tuple(other for other in self.struck(piece) if owner(other) != self.seat)

    def span_after(self, piece: int) -> int:
        """The distance between the seat's first and last piece after the move with all its effects."""
        after = resolve(self.layout, self.pieces, piece, self.points)
        own = after[PIECES_PER_SEAT * self.seat : PIECES_PER_SEAT * (self.seat + 1)]
        return max(own) - min(own)

    def opponent_on_goal(self) -> bool:
        """Whether a piece of another seat stands on a goal."""
        first_goal, own = self.layout.first_goal, self.own()
        return any(field >= first_goal for piece, field in enumerate(self.pieces) if piece not in own)
