"""A game played at random, by which elements find out whether they have anything to say in it."""

import random
from collections.abc import Iterator
from typing import Any, Final

from games.protocol import CHANCE, OVER, Game, Position, Seat

MOST_MOVES: Final = 200


def random_game(game: Game) -> Iterator[tuple[Position, Any]]:
    """Each position in which a seat chooses, with its move; always the same game, and no more than its beginning."""
    source = random.Random(game.reference)
    position: Position = game.start()
    for _ in range(MOST_MOVES):
        if position.to_act == OVER:
            return
        if position.to_act == CHANCE:
            position = position.play(position.drawn(source.randrange(position.ways)))
            continue
        move = source.choice(position.moves())
        yield position, move
        position = position.play(move)


def sees_ahead(game: Game) -> bool:
    """Whether a seat ever sees what its own move leads to: not where all choose at once."""
    choosing: tuple[Seat, ...] = ()
    for position, _ in random_game(game):
        seat = position.to_act
        if position.acting == (seat,) and not (len(choosing) > 1 and seat in choosing):
            return True
        choosing = position.acting
    return False
