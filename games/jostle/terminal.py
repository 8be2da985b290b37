"""A position as text: the track as a serpentine of cells, highest fields on top, as on the drawn board."""

from collections.abc import Iterable
from typing import Final

from games.jostle.layout import PIECES_PER_SEAT, STACK, START, STEPS_BACK, Layout
from games.jostle.position import JostlePosition
from games.jostle.words import SEAT_NAMES, what_is_awaited

COLUMNS: Final = 8
CELL: Final = 7
SHAPES: Final = ("●", "▲", "■")
_COLOURS: Final = ("\x1b[1;31m", "\x1b[1;32m", "\x1b[1;34m")
_PLAIN: Final = "\x1b[0m"


def draw_text(position: JostlePosition, colour: bool = False) -> str:
    """The board, the stacks, the score and what is awaited. Pieces are shape and id, like ●0, ▲3 and ■6."""
    layout = position.layout
    standing = {field: piece for piece, field in enumerate(position.pieces) if field != STACK}
    rows = [range(first, min(first + COLUMNS, layout.fields)) for first in range(0, layout.fields, COLUMNS)]
    lines = []
    for number, row in reversed(list(enumerate(rows))):
        fields: list[int | None] = [*row, *[None] * (COLUMNS - len(row))]
        if number % 2:
            fields.reverse()
        labels = [_label(layout, field).center(CELL) for field in fields]
        pieces = [_centred(standing.get(STACK - 1 if field is None else field), colour) for field in fields]
        edge = "+".join("-" * CELL for _ in fields)
        lines += [f"+{edge}+", f"|{'|'.join(labels)}|", f"|{'|'.join(pieces)}|"]
        if number == 0:
            lines.append(f"+{edge}+")
    lines.append("")
    lines += (_seat_line(position, seat, colour) for seat in range(len(SEAT_NAMES)))
    lines += ["", what_is_awaited(position)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _label(layout: Layout, field: int | None) -> str:
    if field is None:
        return ""
    if field == START:
        return "0 START"
    if field in layout.goal_fields:
        return f"{field} *{layout.worth[field]}"
    if field in layout.minus_three:
        return f"{field} -{STEPS_BACK}"
    return f"{field}⇄{layout.carry[field]}" if field in layout.special else str(field)


def _centred(piece: int | None, colour: bool) -> str:
    return " " * CELL if piece is None else f"  {_token(piece, colour)}   "


def _token(piece: int, colour: bool) -> str:
    seat = piece // PIECES_PER_SEAT
    text = f"{SHAPES[seat]}{piece}"
    return f"{_COLOURS[seat]}{text}{_PLAIN}" if colour else text


def _seat_line(position: JostlePosition, seat: int, colour: bool) -> str:
    first = PIECES_PER_SEAT * seat
    resting: Iterable[int] = (p for p in range(first, first + PIECES_PER_SEAT) if position.pieces[p] == STACK)
    stack = " ".join(_token(piece, colour) for piece in resting) or "-"
    turn = ">" if seat == position.seat else " "
    return f"{turn} {SHAPES[seat]} {SEAT_NAMES[seat]:<6} {position.scores()[seat]:>2} points   stack {stack}"
