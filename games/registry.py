"""The games by name. A game that stands here is played by the conformance suite."""

from typing import Final

from games.jostle.game import JostleGame
from games.jostle.layout_files import LAYOUTS
from games.protocol import Game, GameError
from games.ten import TEN
from games.tic_tac_toe import TIC_TAC_TOE

_ALL: Final[tuple[Game, ...]] = (*(JostleGame(layout) for layout in LAYOUTS.values()), TIC_TAC_TOE, TEN)

GAMES: Final[dict[str, Game]] = {each.name: each for each in _ALL}


def game(name: str) -> Game:
    """The registered game of that name. Raises GameError with the names that exist."""
    try:
        return GAMES[name]
    except KeyError:
        raise GameError(f"there is no game {name[:40]!r}; there are {', '.join(GAMES)}") from None
