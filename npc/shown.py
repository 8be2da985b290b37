"""What a board draws of a position, as plain values: the same for the server and for the worker in the browser."""

from typing import Final, TypedDict

from games.protocol import FACTS, GRID, Event, Game, Position, Seat

EventText = list[str]
"""How, piece, from, to: the form in which events travel to pages."""


class ShownGrid(TypedDict):
    """A square board: its pieces as (cell, sign, seat), and the seat's moves as (move, from, to)."""

    columns: int
    rows: int
    pieces: list[tuple[str, str, int]]
    moves: list[tuple[str, str, str]]


class Shown(TypedDict):
    grid: ShownGrid | None
    facts: list[str]


NOTHING: Final[Shown] = {"grid": None, "facts": []}
"""What boards get that read the text of a view."""


def drawn_from_text(game: Game) -> bool:
    """Whether the game's board needs nothing besides the text of a seat's view."""
    return not game.drawn_from


def shown(game: Game, view: Position, seat: Seat | None) -> Shown:
    """What the game's board needs besides the text of a seat's view; nothing that it does not need."""
    return {
        "grid": _grid(view, seat) if game.drawn_from == GRID else None,
        "facts": list(view.facts()) if game.drawn_from == FACTS else [],
    }


def told_events(events: tuple[Event, ...]) -> list[EventText]:
    """Events as they travel."""
    return [list(event) for event in events]


def _grid(view: Position, seat: Seat | None) -> ShownGrid | None:
    grid = view.grid(seat)
    if grid is None:
        return None
    return {
        "columns": grid.columns,
        "rows": grid.rows,
        "pieces": [(piece.cell, piece.sign, piece.seat) for piece in grid.pieces],
        "moves": [(move.move, move.source, move.target) for move in grid.moves],
    }
