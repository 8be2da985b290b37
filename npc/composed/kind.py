"""Composed strategies as a kind of players: `composed:Observing PALS`."""

from typing import Final

from games.protocol import Game
from npc.composed.any import ANY_GAME
from npc.composed.composition import KEY, Strategy, compose
from npc.composed.jostle import JOSTLE_SCHOOL
from npc.composed.school import School
from npc.player import PlayerKind

SCHOOLS: Final[dict[str, School]] = {JOSTLE_SCHOOL.game: JOSTLE_SCHOOL}
"""By kind of game; all others have the elements for any game."""


def school_of(game: Game) -> School:
    return SCHOOLS.get(game.kind, ANY_GAME)


def strategy(text: str, game: Game) -> Strategy:
    """The strategy that a list of elements names in this game. Raises StrategyError."""
    return compose(text, school_of(game))


class ComposedKind(PlayerKind):
    """Lists of elements."""

    key = KEY

    def read(self, body: str, game: Game) -> Strategy:
        return strategy(body, game)

    def samples(self, game: Game) -> tuple[str, ...]:
        return tuple(f"{KEY}:{name}" for name in school_of(game).samples(game))
