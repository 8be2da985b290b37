"""Jostle 2007: three seats race nine pieces to five goals and jostle each other back."""

from games.jostle.game import JOSTLE, KIND, JostleGame, read_position
from games.jostle.jostling import Step, StepKind
from games.jostle.layout import PIECES, PIECES_PER_SEAT, SEATS, STACK, STANDARD, START, Layout, LayoutError
from games.jostle.layout_files import LAYOUTS, read_layout, write_layout
from games.jostle.moves import AGAIN, KEEP, PASS, JostleMove, Piece, Roll, Word
from games.jostle.position import JostlePosition, Phase, effects

__all__ = [
    "AGAIN",
    "JOSTLE",
    "KEEP",
    "KIND",
    "LAYOUTS",
    "PASS",
    "PIECES",
    "PIECES_PER_SEAT",
    "SEATS",
    "STACK",
    "STANDARD",
    "START",
    "JostleGame",
    "JostleMove",
    "JostlePosition",
    "Layout",
    "LayoutError",
    "Phase",
    "Piece",
    "Roll",
    "Step",
    "StepKind",
    "Word",
    "effects",
    "read_layout",
    "read_position",
    "write_layout",
]
