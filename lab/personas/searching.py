"""What a personality thinks of every move in every decision of people: the one place that searches.

The random numbers of a search depend on the seed and the moment, not on the personality: two personalities meet the
same luck, so that the difference between them is theirs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lab.arrays import Floats
from lab.personas.games import HumanChoice, HumanGame, decisions
from npc.mcts import Parameters, searches


def values(moments: Sequence[HumanChoice], parameters: Parameters, seed: str) -> list[Floats]:
    """For each moment the value of every move, 0 to 100, in the order of the rules."""
    found = searches(
        [one.position for one in moments],
        [parameters] * len(moments),
        [f"{seed}:{one.match}:{one.ply}" for one in moments],
        [one.seat for one in moments],
    )
    return [np.array([each.value for each in tried]) for tried in found]


def search_games(work: tuple[tuple[HumanGame, ...], Parameters, str]) -> Floats:
    """The same for all decisions of some matches, one after another: what a process is given to do."""
    games, parameters, seed = work
    found = values([one for game in games for one in decisions(game)], parameters, seed)
    return np.concatenate(found) if found else np.zeros(0)
