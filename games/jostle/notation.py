"""Jostle's book lines: piece id, seat letter, field the points led to; `---` closes a round.

The lines know no dice: the points of a move are the recorded field minus the field the piece stands on. Seats that were
to act and have no line have passed. Comments may add `die=5` or `die=6+3`, and `ms=2310`; dice must then be true.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from games.book_text import ROUND_MARK, BookError, Line
from games.jostle.layout import MOST_POINTS, PIECES_PER_SEAT, SEATS, STACK, Layout
from games.jostle.moves import AGAIN, KEEP, PASS, PIECE_MOVES, ROLLS, JostleMove, Piece, Roll
from games.jostle.position import JostlePosition, Phase, start
from games.notation import Played, TimedMove
from games.protocol import Game, GameError, NotationError

_MOVE: Final = re.compile(r"([0-8])([rgb])(0|[1-9]\d{0,2})", re.ASCII)
_COUNT: Final = re.compile(r"\d{1,12}", re.ASCII)
_SIX: Final = 6


class JostleNotation:
    """Books of Jostle, on whatever board."""

    def check(self, game: Game, text: str) -> None:  # noqa: ARG002  # the notation is the same on all boards
        if text != ROUND_MARK:
            read_line(text)

    def replay(self, game: Game, lines: Iterable[Line]) -> Iterator[Played]:
        reader = _Reader(layout_of(game))
        for line in lines:
            try:
                moves = reader.close_round() if line.is_round_mark else reader.move(line)
            except GameError as error:
                raise BookError(line.number, line.text, str(error)) from error
            yield Played(line, moves, reader.position)

    def record(self, game: Game, moves: Iterable[TimedMove]) -> Iterator[Line]:
        position = start(layout_of(game))
        rolls: list[int] = []
        for move, milliseconds in moves:
            before, position = position, position.play(move)
            if isinstance(move, Roll):
                rolls.append(move.pips)
            elif isinstance(move, Piece):
                yield _write_line(before, move, rolls, milliseconds)
            if before.phase is Phase.MOVE:
                rolls.clear()
                if before.seat == len(SEATS) - 1 or position.is_over:
                    yield Line(ROUND_MARK)


class _Reader:
    """Follows a book line by line. `due` is the next seat of the open round; past the last seat, the mark is due."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.position = start(layout)
        self.due = 0
        self.closed = True

    def move(self, line: Line) -> tuple[JostleMove, ...]:
        """Plays a move line, and before it the passes of the seats that the line skips."""
        piece, seat, target = read_line(line.text)
        if self.position.is_over:
            raise GameError("the game is over")
        if seat < self.due:
            raise GameError(f"{SEATS[seat]} has had its turn in this round, which {ROUND_MARK} must close first")
        passes = self._pass_until(seat)
        if self.position.is_over:
            raise GameError(f"the game is over, because the seats before {SEATS[seat]} have passed")
        dice = dice_for(piece, self.position.pieces[piece], target, self.layout)
        _check_notes(line, dice)
        moves = (*dice, PIECE_MOVES[piece])
        self._play(moves)
        self.due, self.closed = seat + 1, False
        return (*passes, *moves)

    def close_round(self) -> tuple[JostleMove, ...]:
        """Plays the passes that a round mark stands for: until the round, or the game, has ended."""
        if self.position.is_over and self.closed:
            raise GameError("the game is over")
        moves = self._pass_until(len(SEATS))
        self.due, self.closed = 0, True
        return moves

    def _pass_until(self, seat: int) -> tuple[JostleMove, ...]:
        moves: list[JostleMove] = []
        while self.due < seat and not self.position.is_over:
            passing = (*dice_for_pass(self.position), PASS)
            self._play(passing)
            moves += passing
            self.due += 1
        return tuple(moves)

    def _play(self, moves: tuple[JostleMove, ...]) -> None:
        for move in moves:
            self.position = self.position.play(move)


def read_line(text: str) -> tuple[int, int, int]:
    """Piece, seat and field of a move line."""
    found = _MOVE.fullmatch(text)
    if found is None:
        raise NotationError("a move is a piece 0 to 8, its seat r, g or b, and a field, like 0r4")
    piece, seat = int(found[1]), SEATS.index(found[2])
    if piece // PIECES_PER_SEAT != seat:
        raise NotationError(f"piece {piece} belongs to {SEATS[piece // PIECES_PER_SEAT]}, not to {found[2]}")
    return piece, seat, int(found[3])


def dice_for(piece: int, source: int, target: int, layout: Layout) -> tuple[JostleMove, ...]:
    """The rolls that lead a piece from one field to the other. Raises GameError if none do."""
    if target > layout.last:
        raise GameError(f"piece {piece} cannot pass field {layout.last}")
    if source in layout.goal_fields:
        raise GameError(f"piece {piece} stands on the goal {source} and stays there")
    points = target - source
    if not 1 <= points <= MOST_POINTS:
        where = "on its stack" if source == STACK else f"on {source}"
        raise GameError(f"piece {piece} stands {where} and cannot reach {target}")
    return _dice(points)


def dice_for_pass(position: JostlePosition) -> tuple[JostleMove, ...]:
    """The lowest rolls with which no piece of the seat could move. Raises GameError if there are none."""
    first = PIECES_PER_SEAT * position.seat
    own = range(first, first + PIECES_PER_SEAT)
    reach = position.layout.reach
    freest = max(own, key=lambda piece: reach[position.pieces[piece]])
    points = reach[position.pieces[freest]] + 1
    if points > MOST_POINTS:
        where = position.pieces[freest]
        raise GameError(
            f"{SEATS[position.seat]} cannot have passed: piece {freest} "
            f"{'on its stack' if where == STACK else f'on {where}'} could have moved with every roll"
        )
    return _dice(points)


def layout_of(game: Game) -> Layout:
    layout: object = getattr(game, "layout", None)
    if not isinstance(layout, Layout):
        raise TypeError(f"a game of Jostle has a layout, {game.reference} has none")
    return layout


def _dice(points: int) -> tuple[JostleMove, ...]:
    if points < _SIX:
        return (ROLLS[points - 1],)
    if points == _SIX:
        return (ROLLS[_SIX - 1], KEEP)
    return (ROLLS[_SIX - 1], AGAIN, ROLLS[points - _SIX - 1])


def _dice_text(dice: Iterable[JostleMove]) -> str:
    return "+".join(str(roll) for roll in dice if isinstance(roll, Roll))


def _check_notes(line: Line, dice: tuple[JostleMove, ...]) -> None:
    if line.comment is None:
        return
    notes = line.notes
    if notes.get("die", _dice_text(dice)) != _dice_text(dice):
        raise GameError(f"its comment says die={notes['die'][:20]}, but the fields say die={_dice_text(dice)}")
    if not _COUNT.fullmatch(notes.get("ms", "0")):
        raise GameError(f"its comment says ms={notes['ms'][:20]}, which is no number of milliseconds")


def _write_line(before: JostlePosition, move: Piece, rolls: list[int], milliseconds: int | None) -> Line:
    target = before.pieces[move.id] + before.points
    notes = [f"die={'+'.join(map(str, rolls))}"]
    if milliseconds is not None:
        notes.append(f"ms={milliseconds}")
    return Line(f"{move.id}{SEATS[before.seat]}{target}", " ".join(notes))
