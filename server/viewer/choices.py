"""Where in a match there was something to choose. Runs in a process of programs: rules may take their time as well."""

from __future__ import annotations

from collections.abc import Sequence

from games.protocol import Position
from server.programs.minds import opened

Choice = tuple[int, int, int]
"""The ply at which a seat was asked, the seat, and the ply of its move: later, if several seats chose at once."""


def choices(game: str, source: str, moves: Sequence[str]) -> list[Choice]:
    """Every choice with its move, in the order of the moves. Raises GameError."""
    rules = opened(game, source)
    position: Position = rules.start()
    found: list[Choice] = []
    ply = 0
    while ply < len(moves):
        seats = position.acting
        for place, seat in enumerate(seats):
            if ply + place < len(moves) and len(position.moves(seat)) > 1:
                found.append((ply, seat, ply + place))
        for text in moves[ply : ply + max(1, len(seats))]:
            position = position.play(rules.move(text))
            ply += 1
    return found
