"""A position in plain English, for captions, terminals and screen readers."""

from typing import Final

from games.jostle.layout import PIECES, PIECES_PER_SEAT, STACK, START, Layout
from games.jostle.position import JostlePosition, Phase

SEAT_NAMES: Final = ("red", "green", "blue")


def what_is_awaited(position: JostlePosition) -> str:
    """Whose turn it is and what for, or who has won."""
    if position.is_over:
        return f"{' and '.join(SEAT_NAMES[seat] for seat in position.winners())} won"
    awaited = {
        Phase.ROLL: "to roll",
        Phase.DECIDE: "rolled a six: once more?",
        Phase.SECOND: "to roll once more",
        Phase.MOVE: f"to move by {position.points}",
    }[position.phase]
    last = f", last round, {position.last_turns} to go" if position.last_turns else ""
    return f"{SEAT_NAMES[position.seat]} {awaited}{last}"


def in_words(position: JostlePosition) -> str:
    """Where all pieces stand, the score, and what is awaited."""
    seats = [
        f"{name}: {', '.join(_place(position.layout, field) for field in position.pieces[first : first + 3])}"
        for name, first in zip(SEAT_NAMES, range(0, PIECES, PIECES_PER_SEAT), strict=True)
    ]
    scores = ", ".join(f"{name} {score}" for name, score in zip(SEAT_NAMES, position.scores(), strict=True))
    return f"{'; '.join(seats)}. Points: {scores}. {what_is_awaited(position).capitalize()}."


def _place(layout: Layout, field: int) -> str:
    if field == STACK:
        return "stack"
    if field == START:
        return "START"
    return f"goal {layout.worth[field]}" if field in layout.goal_fields else f"field {field}"
