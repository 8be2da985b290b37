"""The page about strategies: the table of combinations, and the same on boards that were drawn."""

from typing import Final

from npc.composed.jostle.measuring.boards import comparisons
from npc.composed.jostle.measuring.document import document
from npc.composed.jostle.measuring.table import COMBINATIONS, findings

BOARD_SHARE: Final = 5
"""There are many boards, so each gets this part of the games that a combination gets."""


def combinations_page(games: int, seed: str, workers: int | None) -> str:
    found = findings(games, seed, COMBINATIONS, workers)
    return document(found, games, seed, comparisons(-(-games // BOARD_SHARE), seed, workers))
