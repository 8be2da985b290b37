"""Where in a match there was something to choose. Runs in a process of programs: rules may take their time as well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.protocol import Game, Position
from npc.rules import opened
from server.programs.minds import Json, decide_along

Choice = tuple[int, int, int]
"""The ply at which a seat was asked, the seat, and the ply of its move: later, if several seats chose at once."""


def choices(game: str, source: str, moves: Sequence[str]) -> list[Choice]:
    """Every choice with its move, in the order of the moves. Raises GameError."""
    return [asked for asked, position in _asked(opened(game, source), moves) if len(position.moves(asked[1])) > 1]


def decisions_behind(
    source: str, player: str, game: str, seed: str, plies: Sequence[int], moves: Sequence[str]
) -> list[tuple[int, int, Json]]:
    """What a player decided that made the moves at these plies: the ply at which its seat was asked, the seat, and the
    decision. Raises GameError, PlayerError."""
    rules, wanted = opened(game, source), set(plies)
    found: list[tuple[int, int, Json]] = []
    asked = [choice for choice, _ in _asked(rules, moves) if choice[2] in wanted]
    for follows in sorted({seat for _, seat, _ in asked}) if rules.secrets else [None]:
        moments = [(ply, seat) for ply, seat, _ in asked if follows in (None, seat)]
        decided = decide_along(source, player, game, seed, follows, moments, moves)
        found += [(ply, seat, decision) for (ply, seat), decision in zip(moments, decided, strict=True)]
    return found


def _asked(rules: Game, moves: Sequence[str]) -> Iterator[tuple[Choice, Position]]:
    """Every move of a seat, with the position in which the seat was asked for it."""
    position: Position = rules.start()
    ply = 0
    while ply < len(moves):
        seats = position.acting
        for place, seat in enumerate(seats):
            if ply + place < len(moves):
                yield (ply, seat, ply + place), position
        for text in moves[ply : ply + max(1, len(seats))]:
            position = position.play(rules.move(text))
            ply += 1
