"""A challenge of Tourality: two sweeps in the same world, the second with places and turns exchanged.

Who exceeds a limit forfeits the sweep: the other gets all its leaves. Thinking is measured in processor time, so that a
busy machine takes nobody's sweep away.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from time import thread_time
from typing import Final, cast

from games import dice
from games.protocol import CHANCE, OVER, Game, Move
from games.registry import game as find_game
from games.tourality import TouralityPosition
from npc.follower import Follower
from npc.players import read_player

GAME: Final = "tourality:challenge"
MOST_ACTION_SECONDS: Final = 10.0
MOST_SWEEP_SECONDS: Final = 20.0


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players, and which of the worlds that follow from a seed they play in."""

    first: str
    second: str
    seed: str
    number: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened to both: leaves, the seconds of the slowest action and of the slowest sweep, sweeps forfeited."""

    leaves: tuple[int, int]
    action_seconds: tuple[float, float]
    sweep_seconds: tuple[float, float]
    forfeits: tuple[int, int] = (0, 0)


def challenge(pairing: Pairing, game: Game | None = None) -> Outcome:
    """Plays a challenge. All players meet in the same worlds, so that luck with worlds is everybody's."""
    game = game or find_game(GAME)
    seed = f"{pairing.seed}:{pairing.number}"
    followers = [
        Follower(game, read_player(text, game), f"{seed}:{seat}", seat)
        for seat, text in enumerate((pairing.first, pairing.second))
    ]
    if game.start().to_act == CHANCE:
        _play(followers, dice.draw(hashlib.sha256(seed.encode()).digest(), 0, game.start()))
    sweeps = [Outcome((0, 0), (0.0, 0.0), (0.0, 0.0))]  # no leaf may be within reach: then there is no sweep
    while followers[0].position.to_act != OVER:
        sweeps.append(_sweep(followers))
    return Outcome(
        (sum(each.leaves[0] for each in sweeps), sum(each.leaves[1] for each in sweeps)),
        (max(each.action_seconds[0] for each in sweeps), max(each.action_seconds[1] for each in sweeps)),
        (max(each.sweep_seconds[0] for each in sweeps), max(each.sweep_seconds[1] for each in sweeps)),
        (sum(each.forfeits[0] for each in sweeps), sum(each.forfeits[1] for each in sweeps)),
    )


def _sweep(followers: list[Follower]) -> Outcome:
    """Plays until the sweep is over. After a forfeit nobody is asked any more: the rest decides nothing."""
    before = cast("TouralityPosition", followers[0].position)
    position, spent, slowest, late = before, [0.0, 0.0], [0.0, 0.0], -1
    while position.to_act != OVER and position.again == before.again:
        seat = position.to_act
        if late < 0:
            began = thread_time()
            move = followers[seat].decide(seat).move
            took = thread_time() - began
            spent[seat] += took
            slowest[seat] = max(slowest[seat], took)
            late = seat if took > MOST_ACTION_SECONDS or spent[seat] > MOST_SWEEP_SECONDS else -1
        else:
            move = position.moves()[0]
        position = _play(followers, move)
    first, second = (now - then for now, then in zip(position.gathered, before.gathered, strict=True))
    every = position.rules.leaves
    leaves = (first, second) if late < 0 else (0, every) if late == 0 else (every, 0)
    return Outcome(leaves, (slowest[0], slowest[1]), (spent[0], spent[1]), (int(late == 0), int(late == 1)))


def _play(followers: list[Follower], move: Move) -> TouralityPosition:
    after = cast("TouralityPosition", followers[0].position.play(move))
    for follower in followers:
        follower.see(move, after)
    return after
