"""Four figures for how entertaining a board game is, as its source defines them, each from twenty games."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import combinations
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np
from scipy.stats import rankdata

from games.evolved.rules import SQUARES, Rules
from lab.inventing.playing import Played, at_random, by_one_ply, play

GAMES: Final = 20
_UP_TO: Final = (10, 20, 30, 40, 60, 70, 80, 90)
_SCALED: Final = (0.0, 0.2, 0.5, 0.8, 1.0, 0.8, 0.5, 0.2, 0.0)
DIFFERENT: Final = 0.6
"""From so much of the largest value on, two games differ in a metric."""


class Figures(NamedTuple):
    duration: float
    intelligence: float
    dynamism: float
    usability: float


METRICS: Final = Figures._fields


def measured(rules: Rules, rng: Random, games: int = GAMES) -> Figures:
    """Duration, dynamism and usability of random games; the one-ply player's share of wins over the random one."""
    played = [play(rules, (at_random, at_random), rng) for _ in range(games)]
    return Figures(
        duration=fmean([scaled_duration(each.moves) for each in played]),
        intelligence=fmean([_wins(rules, number % 2, rng) for number in range(games)]),
        dynamism=fmean([dynamism(each) for each in played]),
        usability=fmean([each.moves / SQUARES for each in played]),  # every move arrives on one square
    )


def scaled_duration(moves: int) -> float:
    """Neither short nor long games are liked: 1 for 41 to 60 moves, less to both sides."""
    return _SCALED[bisect_left(_UP_TO, moves)]


def dynamism(played: Played) -> float:
    """The mean over all pieces of cell changes per move that the piece was alive."""
    return fmean([changes / life if life else 0.0 for changes, life in played.pieces])


def combined(population: Sequence[Figures], weights: Sequence[float] = (1, 1, 1, 1)) -> list[float]:
    """The weighted sum of ranks: the best of a population gets its size, the worst 1, equals the mean of theirs."""
    ranks = rankdata(np.asarray(population, dtype=float), axis=0)
    return [float(each) for each in ranks @ np.asarray(weights, dtype=float)]


def differences(games: Sequence[Figures]) -> list[int]:
    """For each game, from how many others it differs, counted metric by metric."""
    counts = [0] * len(games)
    for (one, first), (other, second) in combinations(enumerate(games), 2):
        for here, there in zip(first, second, strict=True):
            largest = max(here, there)
            if largest > 0 and abs(here - there) / largest >= DIFFERENT:
                counts[one] += 1
                counts[other] += 1
    return counts


def _wins(rules: Rules, seat: int, rng: Random) -> bool:
    players = (by_one_ply, at_random) if seat == 0 else (at_random, by_one_ply)
    return play(rules, players, rng).winner == seat
