"""The lessons of a game as pages need them: each with the position that shows it and what is played there, ready to be
drawn by the game's own board."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from games.protocol import OVER, Game, Lesson, Position
from npc.shown import shown, told_events

SEEN_BY: Final = 0
"""Pictures show what the first seat would see."""


@cache
def lessons_of(game: Game, language: str) -> tuple[dict[str, Any], ...]:
    """In the order in which they are best learnt; empty for games without lessons."""
    return tuple(_told(game, lesson) for lesson in game.texts(language).lessons)


def _told(game: Game, lesson: Lesson) -> dict[str, Any]:
    position: Position = game.position(lesson.position)
    before = _moment(game, position)
    moves, seats, events = [], [], []
    for text in lesson.moves:
        move = game.move(text)
        moves.append(position.seen(move, SEEN_BY))
        seats.append(position.to_act)
        events += told_events(position.events(move, SEEN_BY))
        position = position.play(move)
    return {
        "key": lesson.key,
        "when": lesson.when,
        "heading": lesson.heading,
        "text": lesson.text,
        "before": before,
        "update": {"ply": 0, "moves": moves, "seats": seats, "events": events, "after": _moment(game, position)},
    }


def _moment(game: Game, position: Position) -> dict[str, Any]:
    view = position.view(SEEN_BY)
    return {
        "position": view.text(),
        "shown": shown(game, view, None),
        "acting": list(view.acting),
        "over": position.to_act == OVER,
    }
