"""What practice and replays answer, inside of a process that computes: programs decide here, and rules may be slow.

Functions take and give what JSON can carry. What a visitor sent in error is given back as a value; only what is our own
fault is raised, and heard of in the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.protocol import GameError
from npc import practice, replays
from npc.player import PlayerError
from npc.rules import opened

REFUSED = "refused"
"""The only key of an answer that says why there is none."""


def advance(source: str, game: str, seed: str, moves: Sequence[str]) -> Mapping[str, Any]:
    """How a practice game goes on (npc.practice.advance)."""
    try:
        opened(game, source)
        return practice.advance(game, seed, moves)
    except (GameError, PlayerError) as error:
        return {REFUSED: str(error)}


def example(source: str, game: str, decisions: int) -> Mapping[str, Any]:
    """The beginning of a game among programs (npc.practice.example)."""
    try:
        opened(game, source)
        return {"moves": practice.example(game, decisions)}
    except (GameError, PlayerError) as error:
        return {REFUSED: str(error)}


def replay(source: str, game: str, moves: Sequence[str]) -> Mapping[str, Any]:
    """What every move of a match did (npc.replays.of_moves)."""
    try:
        opened(game, source)
        return replays.of_moves(game, list(moves))
    except GameError as error:
        return {REFUSED: str(error)}
