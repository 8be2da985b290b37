"""What explanations call pieces and fields: what the board calls them (its words.ts), never internal ids."""

from typing import Final

from games.jostle import PIECES_PER_SEAT, Layout
from games.jostle.layout import STACK

COLOURS: Final = ("Red", "Green", "Blue")


def number_of(piece: int) -> int:
    """The number that is written on a piece."""
    return piece % PIECES_PER_SEAT + 1


def own_piece(piece: int) -> str:
    return f"piece {number_of(piece)}"


def any_piece(piece: int) -> str:
    return f"{COLOURS[piece // PIECES_PER_SEAT]} {number_of(piece)}"


def field_name(layout: Layout, field: int) -> str:
    if field == STACK:
        return "the stack"
    if field == 0:
        return "START"
    if field >= layout.first_goal:
        return f"goal {layout.goals[field - layout.first_goal]}"
    if any(field in pair for pair in layout.switches):
        return f"switch {field}"
    return f"minus-three field {field}" if field in layout.minus_three else f"field {field}"
