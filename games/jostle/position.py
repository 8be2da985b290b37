"""A moment of a game of Jostle, and how one moment follows from another.

A turn goes ROLL → (after a six: DECIDE → perhaps SECOND) → MOVE. Positions are tuples: cheap to make, impossible to
change, compared and hashed by value.
"""

from enum import IntEnum
from typing import Final, NamedTuple

from games.jostle.jostling import Step, StepKind, resolve
from games.jostle.layout import PIECES, PIECES_PER_SEAT, SEATS, STACK, Layout
from games.jostle.moves import AGAIN, KEEP, PASS, PIECE_MOVES, PIPS, ROLLS, JostleMove, Piece, Roll
from games.protocol import CHANCE, OVER, Event, IllegalMoveError, Move, Position, Seat, check_number


class Phase(IntEnum):
    """What is awaited: a roll, the decision after a six, the second roll, a piece's move, or nothing any more."""

    ROLL = 0
    DECIDE = 1
    SECOND = 2
    MOVE = 3
    OVER = 4


# Names of their own, because looking a member up in its enumeration costs more than the rest of a roll; for the same
# reason the referee below says 3 where it means PIECES_PER_SEAT.
_ROLL: Final = Phase.ROLL
_DECIDE: Final = Phase.DECIDE
_SECOND: Final = Phase.SECOND
_MOVE: Final = Phase.MOVE
_OVER: Final = Phase.OVER

_NEXT: Final = (1, 2, 0)
_OUTCOMES: Final = tuple((roll, 1) for roll in ROLLS)
_DECISIONS: Final = (AGAIN, KEEP)
_ONLY_PASS: Final = (PASS,)
# Asking the enumeration every time would cost more than the move.
_HOW: Final = {kind: kind.value for kind in StepKind}
_LANDING: Final = _HOW[StepKind.MOVE]


def _choices(seat: Seat) -> tuple[tuple[JostleMove, ...], ...]:
    """The moves of a seat by the set of its movable pieces, as a bit mask."""
    own = PIECE_MOVES[PIECES_PER_SEAT * seat : PIECES_PER_SEAT * (seat + 1)]
    masks = range(1 << PIECES_PER_SEAT)
    return tuple(tuple(move for bit, move in enumerate(own) if mask >> bit & 1) or (PASS,) for mask in masks)


_CHOICES: Final = tuple(_choices(seat) for seat in range(len(SEATS)))


class _Moment(NamedTuple):
    """`seat` is 0 to 2, or OVER. `points` is what a piece would move by, 0 while chance still rolls. `last_turns` is
    None until the last round begins, then the number of turns left.
    """

    layout: Layout
    pieces: tuple[int, ...]
    seat: Seat
    phase: Phase
    points: int
    last_turns: int | None


class JostlePosition(_Moment, Position):
    """Where the nine pieces stand, whose turn it is, and how far the turn has come."""

    __slots__ = ()

    @property
    def to_act(self) -> Seat:
        phase = self.phase
        return self.seat if phase is _MOVE or phase is _DECIDE else OVER if phase is _OVER else CHANCE

    @property
    def is_over(self) -> bool:
        return self.phase is _OVER

    def moves(self, seat: Seat | None = None) -> tuple[JostleMove, ...]:
        phase = self.phase
        if seat is not None and seat != self.seat:
            return ()
        if phase is _MOVE:
            reach, pieces, seat, points = self.layout.reach, self.pieces, self.seat, self.points
            first = 3 * seat
            return _CHOICES[seat][
                (reach[pieces[first]] >= points)
                + 2 * (reach[pieces[first + 1]] >= points)
                + 4 * (reach[pieces[first + 2]] >= points)
            ]
        return _DECISIONS if phase is _DECIDE else ()

    def outcomes(self) -> tuple[tuple[JostleMove, int], ...]:
        return _OUTCOMES if self.phase is _ROLL or self.phase is _SECOND else ()

    def play(self, move: Move) -> "JostlePosition":
        layout, pieces, seat, phase, points, last_turns = self
        if phase is _MOVE and move.__class__ is Piece:
            piece = move.id
            if piece // 3 != seat:
                raise IllegalMoveError(f"piece {piece} does not belong to {SEATS[seat]}")
            source = pieces[piece]
            if points > layout.reach[source]:
                raise IllegalMoveError(_cannot_move(layout, piece, source, points))
            target = source + points
            if target not in pieces and layout.carry[target] == target:
                pieces = (*pieces[:piece], target, *pieces[piece + 1 :])
            else:
                pieces = resolve(layout, pieces, piece, points)
            return _next_turn(layout, pieces, seat, last_turns)
        if (phase is _ROLL or phase is _SECOND) and move.__class__ is Roll:
            pips = move.pips
            if pips not in PIPS:
                raise IllegalMoveError(f"a die shows 1 to 6, not {pips}")
            if phase is _SECOND:
                return _make(JostlePosition, (layout, pieces, seat, _MOVE, 6 + pips, last_turns))
            return _make(JostlePosition, (layout, pieces, seat, _DECIDE if pips == 6 else _MOVE, pips, last_turns))
        if phase is _DECIDE and move is AGAIN:
            return _make(JostlePosition, (layout, pieces, seat, _SECOND, 0, last_turns))
        if phase is _DECIDE and move is KEEP:
            return _make(JostlePosition, (layout, pieces, seat, _MOVE, 6, last_turns))
        if phase is _MOVE and move is PASS:
            if self.moves() != (PASS,):
                raise IllegalMoveError(f"{SEATS[seat]} can move {self.moves()[0]} with {points} and must not pass")
            return _next_turn(layout, pieces, seat, last_turns)
        raise IllegalMoveError(f"{move} cannot be played: {_AWAITED[phase]} (position {self.text()})")

    def scores(self) -> tuple[int, ...]:
        worth, pieces = self.layout.worth, self.pieces
        return (
            worth[pieces[0]] + worth[pieces[1]] + worth[pieces[2]],
            worth[pieces[3]] + worth[pieces[4]] + worth[pieces[5]],
            worth[pieces[6]] + worth[pieces[7]] + worth[pieces[8]],
        )

    def winners(self) -> tuple[Seat, ...]:
        if self.phase is not _OVER:
            return ()
        scores = self.scores()
        best = max(scores)
        return tuple(seat for seat, score in enumerate(scores) if score == best)

    @property
    def ways(self) -> int:
        return len(ROLLS) if self.phase is _ROLL or self.phase is _SECOND else 0

    def drawn(self, number: int) -> JostleMove:
        check_number(number, self.ways)
        return ROLLS[number]

    def text(self) -> str:
        _layout, pieces, turn, phase, points, last_turns = self
        fields = _FIELDS.format(*pieces)
        seat = "-" if phase is _OVER else SEATS[turn]
        last = f" !{last_turns}" if last_turns else ""
        if phase is _MOVE:
            return f"{fields} {seat}{last} {points}"
        return f"{fields} {seat}{last}{_AFTER_SIX.get(phase, '')}"

    def question(self, seat: Seat) -> str:
        """Whether to roll again, the only piece that can move, or a choice of pieces."""
        if self.phase is _DECIDE:
            return "roll"
        return "single" if len(self.moves(seat)) == 1 else "choice"

    def forced(self, seat: Seat) -> JostleMove | None:
        """Only a pass: whoever has one movable piece takes it into the hand."""
        return PASS if self.moves(seat) == _ONLY_PASS else None

    def picture(self) -> str:
        from games.jostle.drawing import draw_svg  # which draws positions

        return draw_svg(self)

    def sketch(self, *, colour: bool = False) -> str:
        from games.jostle.terminal import draw_text  # as above

        return draw_text(self, colour=colour)

    def events(self, move: Move, seat: Seat | None = None) -> tuple[Event, ...]:  # noqa: ARG002  # all is open
        if move.__class__ is not Piece:
            return ()
        if self._just_lands(move):
            source = self.pieces[move.id]
            return (Event(_LANDING, str(move.id), str(source), str(source + self.points)),)
        steps: list[Step] = []
        resolve(self.layout, self.pieces, move.id, self.points, steps)
        return tuple([Event(_HOW[step.kind], str(step.piece), str(step.source), str(step.target)) for step in steps])

    def facts(self) -> tuple[str, ...]:
        """Where every piece stands, whose turn it is and what is awaited."""
        placed = [
            f"piece({SEATS[number // PIECES_PER_SEAT]},{number},{field})" for number, field in enumerate(self.pieces)
        ]
        if self.phase is _OVER:
            return (*placed, "over")
        last = () if self.last_turns is None else (f"last_turns({self.last_turns})",)
        return (*placed, f"control({SEATS[self.seat]})", f"awaited({self.phase.name.lower()},{self.points})", *last)

    def captured(self, move: Move) -> int | None:
        """How many opponents' pieces the move throws back."""
        return sum(piece // PIECES_PER_SEAT != self.seat for piece in self._thrown(move))

    def harmed(self, move: Move) -> tuple[Seat, ...]:
        return tuple(sorted({piece // PIECES_PER_SEAT for piece in self._thrown(move)}))

    def _thrown(self, move: Move) -> set[int]:
        """The pieces that a move throws back."""
        if move.__class__ is not Piece or self._just_lands(move):
            return set()
        steps: list[Step] = []
        resolve(self.layout, self.pieces, move.id, self.points, steps)
        return {step.piece for step in steps if step.kind is StepKind.JOSTLE}

    def _just_lands(self, piece: Piece) -> bool:
        """Most moves do: on a free field that carries nowhere."""
        target = self.pieces[piece.id] + self.points
        return target not in self.pieces and self.layout.carry[target] == target


_make = tuple.__new__

_FIELDS: Final = "{},{},{}/{},{},{}/{},{},{}"
_AFTER_SIX: Final = {_DECIDE: " 6?", _SECOND: " 6+"}
_AWAITED: Final = {
    _ROLL: "the die is to be rolled",
    _DECIDE: "the seat decides between again and keep",
    _SECOND: "the die is to be rolled a second time",
    _MOVE: "the seat moves one of its pieces",
    _OVER: "the game is over",
}


def _next_turn(layout: Layout, pieces: tuple[int, ...], seat: Seat, last_turns: int | None) -> JostlePosition:
    """The position at the beginning of the next turn, or the end."""
    if last_turns is None:
        if layout.last in pieces and layout.goal_fields.issubset(pieces):
            last_turns = len(SEATS)
    else:
        last_turns -= 1
        if not last_turns:
            return _make(JostlePosition, (layout, pieces, OVER, _OVER, 0, 0))
    return _make(JostlePosition, (layout, pieces, _NEXT[seat], _ROLL, 0, last_turns))


def _cannot_move(layout: Layout, piece: int, source: int, points: int) -> str:
    if source in layout.goal_fields:
        return f"piece {piece} stands on the goal {source} and stays there"
    return f"piece {piece} stands on {source} and would pass field {layout.last} with {points}"


def effects(position: JostlePosition, piece: int) -> tuple[Step, ...]:
    """What moving `piece` by the points of the turn does, step by step: the landing, then what follows from it."""
    position.play(PIECE_MOVES[piece])
    steps: list[Step] = []
    resolve(position.layout, position.pieces, piece, position.points, steps)
    return tuple(steps)


def start(layout: Layout) -> JostlePosition:
    """All pieces on their stacks, and the die before the first seat."""
    return JostlePosition(layout, (STACK,) * PIECES, 0, Phase.ROLL, 0, None)
