"""SEARCHER: plays games out in its head and takes what did best."""

from typing import Final

from games.protocol import Game, Move
from npc.composed.any.base import AnyElement
from npc.composed.element import Memory
from npc.composed.situation import Situation
from npc.mcts import can_search

GAMES: Final = 100
"""How many games it plays out for a decision."""


class Searcher(AnyElement):
    """A class for each number of games that the search gave to a move: it comes back to what does well."""

    name = "SEARCHER"
    is_basic = True
    heavy = True
    meaning = f"plays {GAMES} games out in its head and takes the move that it came back to most often"

    def is_offered(self, game: Game) -> bool:
        return can_search(game)

    def rank(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> int:  # noqa: ARG002  # games only
        return -situation.searched(GAMES)[move].visits

    def reason(self, situation: Situation, move: Move, memory: Memory, host: AnyElement) -> str:  # noqa: ARG002  # games only
        found = situation.searched(GAMES)[move]
        return f"won {found.value:.0f} % of {found.visits} games in its head"
