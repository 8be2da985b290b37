"""A seeded computation whose digest shows that two Pythons play by the same rules, draw alike and decide alike.

The server and the worker in the browser both compute it; the status page compares the two.
"""

import hashlib
import pkgutil
import random
from collections.abc import Iterator
from importlib import import_module
from typing import Final, TypedDict

import games
import npc
from games.jostle import JOSTLE, JostleMove, JostlePosition
from games.protocol import CHANCE, OVER
from npc.composition import Strategy, strategy

STRATEGIES: Final = (
    "RANDOMIZER",
    "EQUALIZER",
    "Observing ADVANCER",
    "Observing PALS",
    "Aggressive Observing PALS",
    "Revenging Lingering EQUALIZER",
)
COMPOSED_EVERY: Final = 5  # the other games are played at random, which reaches stranger positions


class SelfCheck(TypedDict):
    seed: str
    playouts: int
    moves: int
    digest: str


def self_check(seed: str, playouts: int) -> SelfCheck:
    """Plays `playouts` seeded games of Jostle and digests every move and position."""
    digest = hashlib.sha256()
    moves = 0
    for number in range(playouts):
        rng = random.Random(f"{seed}:{number}")
        position: JostlePosition = JOSTLE.start()
        for move, position in _playout(f"{seed}:{number}", rng, composed=number % COMPOSED_EVERY == 0):
            moves += 1
            digest.update(f"{move} {position.text()}\n".encode())
        digest.update(f"{position.scores()} {rng.random()!r}\n".encode())
    return {"seed": seed, "playouts": playouts, "moves": moves, "digest": digest.hexdigest()}


def import_all() -> list[str]:
    """Imports every module of games/ and npc/, so that one that cannot run here is noticed; gives their names."""
    names = [
        module.name
        for package in (games, npc)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not module.name.endswith("__main__")
    ]
    return [import_module(name).__name__ for name in sorted(names)]


def _playout(seed: str, rng: random.Random, *, composed: bool) -> Iterator[tuple[JostleMove, JostlePosition]]:
    """The moves of one game and the positions that they lead to."""
    seats: list[Strategy] = [strategy(name) for name in rng.sample(STRATEGIES, 3)] if composed else []
    memories = [seat.start_memory() for seat in seats]
    position = JOSTLE.start()
    ply = 0
    while position.to_act != OVER:
        if position.to_act == CHANCE:
            outcomes = position.outcomes()
            move = rng.choices([outcome for outcome, _ in outcomes], [weight for _, weight in outcomes])[0]
        elif composed:
            seat = position.to_act
            move = seats[seat].decide(position, memories[seat], f"{seed}:{seat}", ply).move
        else:
            move = rng.choice(position.moves())
        memories = [player.remember(memory, position, move) for player, memory in zip(seats, memories, strict=True)]
        position = position.play(move)
        ply += 1
        yield move, position
