"""Who measures what in which game."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from games.jostle.game import KEY as JOSTLE
from games.protocol import Game
from npc.composed.jostle.measuring.endings import ending_doubt
from npc.composed.jostle.measuring.measures import MEASURES as JOSTLE_MEASURES
from npc.composed.jostle.measuring.measures import JostleScribe
from npc.simulation.measures import MEASURES, Measure
from npc.simulation.play import Scribe


class Measured(NamedTuple):
    """Who writes a game down, and what the records then show."""

    scribe: Callable[[Game], Scribe]
    measures: Mapping[str, Measure]
    page: Callable[[int, str, int | None], str] | None = None
    """The page about its documented strategies, from so many games, a seed and so many processes."""
    doubt: Callable[[Game], str | None] = lambda _: None
    """What speaks against letting strategies play on these rules."""


def _combinations_page(games: int, seed: str, workers: int | None) -> str:
    from npc.composed.jostle.measuring.page import (
        combinations_page,  # it simulates itself, which is done with these gauges
    )

    return combinations_page(games, seed, workers)


GAUGES: Final[dict[str, Measured]] = {JOSTLE: Measured(JostleScribe, JOSTLE_MEASURES, _combinations_page, ending_doubt)}
"""By kind of game; all others are measured by what every game shows."""
_ANY: Final = Measured(Scribe, MEASURES)


def measured(game: Game) -> Measured:
    return GAUGES.get(game.kind, _ANY)
