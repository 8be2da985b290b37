"""How well the opponents of a practice game play: levels that a visitor chooses by name."""

from typing import Final

from games.protocol import Game, GameError
from npc.mcts import can_search

LEVELS: Final[dict[str, str]] = {
    "beginner": "mcts:simulations=25 random_error=0.25",
    "club": "mcts:simulations=120 random_error=0.05",
    "master": "mcts:simulations=600",
}
"""From weak to strong: the name of each, and the player that it means. Pages translate the names."""


def levels_of(game: Game) -> tuple[str, ...]:
    """The names of the levels at which a game can be practised."""
    return tuple(LEVELS) if can_search(game) else ()


def opponents_at(level: str, game: Game) -> list[str]:
    """The players of all seats but the visitor's. Raises GameError if there is no such level."""
    if level not in levels_of(game):
        known = ", ".join(levels_of(game)) or "none"
        raise GameError(f"{game.reference} has the levels {known}, not {level[:40]!r}")
    return [LEVELS[level]] * (len(game.seats) - 1)
