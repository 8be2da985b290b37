"""Recognises a square board in a description: facts like `(cell 2 3 x)`, and moves that name cells.

A relation of three arguments is taken for the board if its first two are numbers or single letters throughout, at least
two of each, and every move that a few random games offer can be shown on it. What has a name for nothing is an empty
cell. A move that is a word alone, such as `stop`, needs no square: it is offered beside the board. Whoever wrote the
description may say more beside it (`look`): which relation it is, how it lies, how its signs are drawn and whose they
are.
"""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from games.gdl.look import AXES, Look
from games.gdl.terms import Signature, Term, arguments, signature, text
from games.protocol import Event, Grid, GridMove, GridPiece

if TYPE_CHECKING:
    from games.gdl.position import GdlPosition

NOTHING: Final = frozenset({"b", "blank", "empty", "none", "e", "clear", "nothing"})
NOTHING_SAID: Final = Look()
MOST_SIDE: Final = 26
TRIED_GAMES: Final = 3
TRIED_PLIES: Final = 60

Cell = tuple[str, str]
Pieces = dict[str, str]
"""What stands where: signs by the names of cells."""


class Cells(NamedTuple):
    """A board: which relation it is, its columns and rows in order, and whose the pieces are."""

    relation: Signature
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    seats: tuple[str, ...]
    look: Look = NOTHING_SAID

    def drawn(self, state: Iterable[Term], moves: Sequence[Term]) -> Grid:
        pieces = self.pieces(state)
        drawn = tuple([GridPiece(cell, self._sign(sign), self.owner(sign)) for cell, sign in sorted(pieces.items())])
        shown = [self.shown(move, pieces) for move in moves]
        return Grid(len(self.columns), len(self.rows), drawn, tuple([move for move in shown if move is not None]))

    def pieces(self, state: Iterable[Term]) -> Pieces:
        found = {}
        for fact in state:
            if signature(fact) == self.relation:
                first, second, sign = arguments(fact)
                cell = self._name(first, second)
                if cell is not None and isinstance(sign, str) and not self._is_empty(sign):
                    found[cell] = sign
        return found

    def shown(self, move: Term, pieces: Pieces) -> GridMove | None:
        """A move as hands make it: onto a cell, from a cell to another, or down a column; None if it names none."""
        words = arguments(move)
        if len(words) >= 4 and (source := self._name(*words[:2])) and (target := self._name(*words[-2:])):
            return GridMove(text(move), source, target)
        if len(words) == 3 and (target := self._name(*words[1:])):
            return GridMove(text(move), "", target)
        if len(words) in (2, 3) and (target := self._name(*words[:2])):
            return GridMove(text(move), "", target)
        if len(words) == 1 and words[0] in self.columns:
            names = [self._cell(self.columns.index(str(words[0])), row) for row in range(len(self.rows))]
            return GridMove(text(move), "", next((name for name in names if name not in pieces), names[-1]))
        return None

    def changes(self, before: Iterable[Term], after: Iterable[Term]) -> tuple[Event, ...]:
        """What happens on the board between two states: pieces vanish, move and appear, in this order."""
        old, new = self.pieces(before), self.pieces(after)
        gone = {cell: sign for cell, sign in sorted(old.items()) if new.get(cell) != sign}
        come = {cell: sign for cell, sign in sorted(new.items()) if old.get(cell) != sign}
        moved = []
        for target, sign in come.items():
            source = next((cell for cell, each in gone.items() if each == sign), None)
            if source is not None:
                del gone[source]
                moved.append(Event("move", self._sign(sign), source, target))
        landed = {event.target for event in moved}
        put = [Event("put", self._sign(sign), "", cell) for cell, sign in come.items() if cell not in landed]
        taken = [Event("take", self._sign(sign), cell, "") for cell, sign in gone.items()]
        return (*taken, *_in_turn(moved), *put)

    def setup(self) -> dict[str, Any] | None:
        """What is the same in every position: whether squares differ in shade, the pieces and their names.

        None if nothing was said about that.
        """
        named = [sign for words in self.look.words.values() for sign in words.pieces]
        signs = dict.fromkeys([*self.look.pieces, *named])
        names = [
            {
                "sign": self._sign(sign),
                "seat": self.owner(sign),
                "names": {key: words.pieces[sign] for key, words in self.look.words.items() if sign in words.pieces},
            }
            for sign in signs
        ]
        plain = not self.look.board.chequered
        return {"chequered": not plain, "pieces": names} if plain or names else None

    def _name(self, first: Term, second: Term) -> str | None:
        column, row = (first, second) if self.look.board.first == AXES[0] else (second, first)
        if column not in self.columns or row not in self.rows:
            return None
        place = self.rows.index(str(row))
        return self._cell(
            self.columns.index(str(column)), len(self.rows) - 1 - place if self.look.board.upside_down else place
        )

    def _cell(self, column: int, row: int) -> str:
        """The name of a square, counted from the lower left."""
        return f"{chr(ord('a') + column)}{row + 1}"

    def _is_empty(self, sign: str) -> bool:
        return sign in self.look.board.empty or (sign in NOTHING and sign not in self.look.pieces)

    def _sign(self, sign: str) -> str:
        """What is drawn for a sign of the description."""
        said = self.look.pieces.get(sign)
        return sign if said is None or said.sign is None else said.sign

    def owner(self, sign: str) -> int:
        """Whose a piece is: as was said; else its sign is the name of a seat, or begins with it or its first letter."""
        said = self.look.pieces.get(sign)
        if said is not None and said.role is not None:
            return self.seats.index(said.role) if said.role else -1
        by_name = [seat for seat, name in enumerate(self.seats) if sign == name or sign.startswith(name)]
        if by_name:
            return by_name[0]
        letters = [name[0] for name in self.seats]
        return letters.index(sign[0]) if letters.count(sign[0]) == 1 else -1


def recognised(start: "GdlPosition", possible: Iterable[Term], look: Look = NOTHING_SAID) -> Cells | None:
    """The board of a game, if it has one. `possible` are facts that may be true some time.

    A relation that was named is the board even if some moves touch no square of it: those are offered beside it.
    """
    named = look.board.relation
    facts = [*start.state, *possible]
    counts = Counter(signature(fact) for fact in facts if len(arguments(fact)) == 3)
    for relation, _ in counts.most_common():
        if named is not None and relation[0] != named:
            continue
        rows_of = [arguments(fact) for fact in facts if signature(fact) == relation]
        places = (0, 1) if look.board.first == AXES[0] else (1, 0)
        columns, rows = (_in_order(frozenset([row[place] for row in rows_of])) for place in places)
        if columns is None or rows is None or min(len(columns), len(rows)) < 2:
            continue
        board = Cells(relation, columns, rows, start.game.seats, look)
        if named is not None or _fits(board, start):
            return board
    return None


def _fits(board: Cells, start: "GdlPosition") -> bool:
    """Whether some random games have nothing that the board cannot show, and something that it does."""
    some = False
    for number in range(TRIED_GAMES):
        position, rng = start, random.Random(f"board {number}")
        for _ in range(TRIED_PLIES):
            pieces = board.pieces(position.state)
            moves = [move.term for seat in position.acting for move in position.moves(seat)]
            shown = [board.shown(move, pieces) for move in moves if arguments(move)]
            if None in shown:
                return False
            some = some or bool(shown)
            choices = position.moves() or tuple([move for move, _ in position.outcomes()])
            if not choices:
                break
            position = position.play(rng.choice(choices))
    return some


def _in_order(values: frozenset[Term]) -> tuple[str, ...] | None:
    """Numbers by value, letters by the alphabet; None for anything else."""
    words = [value for value in values if isinstance(value, str)]
    if len(words) < len(values) or len(words) > MOST_SIDE:
        return None
    if all(word.isascii() and word.isdigit() and len(word) < 4 for word in words):
        return tuple(sorted(words, key=int))
    if all(len(word) == 1 and word.isalpha() for word in words):
        return tuple(sorted(words))
    return None


def _in_turn(moves: list[Event]) -> list[Event]:
    """Moves in an order in which none enters a cell that another one has still to leave."""
    waiting, done = list(moves), []
    while waiting:
        sources = {event.source for event in waiting}
        free = next((event for event in waiting if event.target not in sources - {event.source}), waiting[0])
        waiting.remove(free)
        done.append(free)
    return done
