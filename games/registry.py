"""The games by name."""

from typing import Final

from games.jostle import JOSTLE
from games.protocol import Game, GameError

GAMES: Final[dict[str, Game]] = {each.name: each for each in (JOSTLE,)}


def game(name: str) -> Game:
    """The registered game of that name. Raises GameError with the names that exist."""
    try:
        return GAMES[name]
    except KeyError:
        raise GameError(f"there is no game {name[:40]!r}; there are {', '.join(GAMES)}") from None
