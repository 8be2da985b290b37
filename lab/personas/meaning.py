"""What a move means that a file writes in its own way: cells, squares of draughts, columns, pieces and cells."""

from __future__ import annotations

import re
from typing import Any, Final

from games.protocol import GameError, GridMove, Position

_CELLS: Final = re.compile(r"([a-z]\d{1,2})(?:[-x:]?([a-z]\d{1,2}))?")
_PIECE: Final = re.compile(r"([KQRBN]?)([a-h]?[1-8]?)x?([a-h][1-8])(?:=?[QRBN])?[+#]?[!?]*")
_SQUARES: Final = re.compile(r"\d{1,2}(?:[-x:]\d{1,2})+")
_PIECES: Final = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "": "pawn"}
LONGEST_TURN: Final = 12
STOP: Final = "stop"


def meant(position: Position, written: str, *, mirrored: bool = False) -> list[Any]:
    """The moves of the acting seat that a text stands for, one or, in draughts, the jumps of a turn. Raises GameError.

    Squares of draughts are counted from 1 as in PDN; `mirrored` ones from 0, with the columns the other way round.
    """
    seat = position.to_act
    for move in position.moves():
        if _plain(str(move)) == _plain(written):
            return [move]
    grid = position.grid(seat)
    moves = grid.moves if grid is not None else ()
    if _SQUARES.fullmatch(written):
        way = [_cell(int(number), mirrored=mirrored) for number in re.split("[-x:]", written)]
        return _jumps(position, way)
    found: list[GridMove] = []
    if cells := _CELLS.fullmatch(written):
        source, target = (cells[1], cells[2]) if cells[2] else ("", cells[1])
        found = [move for move in moves if move.target == target and (not source or move.source == source)]
    if not found and grid is not None and (piece := _PIECE.fullmatch(written)):
        signs = {each.cell: each.sign for each in grid.pieces}
        found = [
            move
            for move in moves
            if move.target == piece[3]
            and signs.get(move.source, "").endswith(_PIECES[piece[1]])
            and all(part in move.source for part in piece[2])
        ]
    if not found and (written.isdigit() or (len(written) == 1 and written.isalpha())):
        column = chr(ord("a") + int(written) - 1) if written.isdigit() else written.lower()
        found = [move for move in moves if not move.source and move.target.startswith(column)]
    if len(found) != 1:
        what = "no move" if not found else f"{len(found)} moves"
        raise GameError(f"{written[:40]!r} means {what} here; there are {', '.join(map(str, position.moves()[:8]))}")
    return [move for move in position.moves() if str(move) == found[0].move]


def _plain(text: str) -> str:
    """Without the freedom that writers of terms have: spaces at parentheses, and capital letters."""
    return re.sub(r"\s*([()])\s*", r"\1", text).lower().strip()


def _cell(number: int, *, mirrored: bool) -> str:
    """The cell of a square of draughts, seen by those who begin: they sit below."""
    place = number if mirrored else number - 1
    row, along = divmod(place, 4)
    column = 2 * along + row % 2 if mirrored else 6 + row % 2 - 2 * along
    return f"{chr(ord('a') + column)}{row + 1}"


def _jumps(position: Position, way: list[str]) -> list[Any]:
    """From the first cell over the others in turn; with two cells a chain of jumps between them counts, too."""
    seat = position.to_act
    target = way[-1]
    waiting: list[tuple[Position, str, list[Any], int]] = [(position, way[0], [], 1)]
    while waiting:
        here, cell, played, passed = waiting.pop()
        grid = here.grid(seat)
        if grid is None or here.to_act != seat or len(played) == LONGEST_TURN:
            continue
        by_text = {str(move): move for move in here.moves()}
        for step in grid.moves:
            if step.source != cell or (len(way) > 2 and step.target != way[passed]):
                continue
            after = here.play(by_text[step.move])
            way_played = [*played, by_text[step.move]]
            if step.target == target and (len(way) == 2 or passed == len(way) - 1):
                stops = [move for move in after.moves() if str(move) == STOP] if after.to_act == seat else []
                return way_played + stops
            waiting.append((after, step.target, way_played, passed + 1))
    raise GameError(f"nobody can go {'-'.join(way)} here; there are {', '.join(map(str, position.moves()[:8]))}")
