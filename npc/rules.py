"""Makes rules known where a game is computed apart from where it was found: in a page's worker, in another process."""

from games import registry
from games.protocol import Game


def learn(game: str, source: str) -> None:
    """For pages: the source of the game of this reference. Raises GameError if it is that of another one."""
    registry.learn(game, source)


def opened(reference: str, source: str) -> Game:
    """The game of a reference, whose source is learnt if it is not known here yet. Raises GameError."""
    return (
        registry.learn(reference, source) if source and not registry.is_known(reference) else registry.game(reference)
    )
