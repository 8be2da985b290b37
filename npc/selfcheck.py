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
import kernels
import npc
from games.dice import draw
from games.gdl.compiled import compiled
from games.protocol import CHANCE, OVER, Game, Move, Position
from games.registry import game as find_game
from games.registry import shelf
from kernels.chance import seeded
from kernels.selfcheck import kernel_check
from npc.follower import Follower
from npc.mcts import Generator, Parameters
from npc.mcts.quick import quick_records
from npc.players import KINDS, read_player

PLAYERS_EVERY: Final = 5
"""Of so many games of each kind, one is played by players; the others at random, which reaches stranger positions."""
HEAVY_PLIES: Final = 1
"""So long players that think long are asked in a game; then their seats play at random."""

COMPILED: Final = ("gdl:tic-tac-toe", "gdl:dice-race")
"""Descriptions whose networks are checked: moves in turns, and chance."""

SEARCHED: Final = ("gdl:tic-tac-toe", "gdl:connect-four", "gdl:three-rows")
"""Descriptions that are searched in a kernel; the last one has three seats."""
PERSONALITY: Final = Parameters(simulations=60, rave=100, grave=5, epsilon=0.5, aggressiveness=(1.5, 0.5))
LARGE: Final = ("gdl:nine-boards", "gdl:checkers", "gdl:skirmish", "gdl:jostle")
"""Descriptions in which players that look ahead take minutes: played by lot, since others stand for the same code."""

NOT_IN_BROWSERS: Final = {"kernels.in_wasmtime"}


class SelfCheck(TypedDict):
    seed: str
    playouts: int
    moves: int
    digest: str


def self_check(seed: str, playouts: int) -> SelfCheck:
    """Plays `playouts` seeded games, each game of the library in turn, and digests every move and position.

    What kernels compute is digested as well, what random games of compiled descriptions give, and what searches of them
    find.
    """
    digest = hashlib.sha256(kernel_check(seed).encode())
    for reference in COMPILED:
        digest.update(str(compiled(find_game(reference).source).playouts(1000, seed)).encode())
    for reference in SEARCHED:
        digest.update(_searched(find_game(reference), seed).encode())
    moves = 0
    references = shelf()
    for number in range(playouts):
        game = find_game(references[number % len(references)])
        rng = random.Random(f"{seed}:{number}")
        with_players = number // len(references) % PLAYERS_EVERY == 0 and game.reference not in LARGE
        position: Position = game.start()
        for move, position in _playout(game, f"{seed}:{number}", rng, with_players=with_players):
            moves += 1
            digest.update(f"{move} {position.text()}\n".encode())
        digest.update(f"{game.reference} {position.scores()} {rng.random()!r}\n".encode())
    return {"seed": seed, "playouts": playouts, "moves": moves, "digest": digest.hexdigest()}


def _searched(game: Game, seed: str) -> str:
    """What a kernel finds in the first position, exactly, and where its random numbers stand then."""
    start, chance = game.start().quickened(), Generator(seeded(seed))
    records = quick_records(start, start.to_act, PERSONALITY, chance)
    if records is None:
        raise RuntimeError(f"{game.reference} should be searched in a kernel, and is not")
    return f"{[(record.visits, record.total) for record in records]!r} {chance.state}"


def import_all() -> list[str]:
    """Imports every module of kernels/, games/ and npc/, so that one that cannot run here is noticed; their names."""
    names = [
        module.name
        for package in (kernels, games, npc)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not module.name.endswith("__main__") and module.name not in NOT_IN_BROWSERS
    ]
    return [import_module(name).__name__ for name in sorted(names)]


def _playout(game: Game, seed: str, rng: random.Random, *, with_players: bool) -> Iterator[tuple[Move, Position]]:
    """The moves of one game and the positions that they lead to."""
    followers = _followers(game, seed, rng) if with_players else []
    secret = hashlib.sha256(seed.encode()).digest()
    position: Position = game.start()
    ply = 0
    while (seat := position.to_act) != OVER:
        move: Move
        if seat == CHANCE:
            move = draw(secret, ply, position)
        elif followers and (ply < HEAVY_PLIES or not followers[seat].player.heavy):
            move = followers[seat].decide(seat).move
        else:
            move = rng.choice(position.moves())
        position = position.play(move)
        for follower in followers:
            follower.see(move, position)
        ply += 1
        yield move, position


def _followers(game: Game, seed: str, rng: random.Random) -> list[Follower]:
    """A player for every seat, drawn from all kinds whose computations can be compared."""
    players = [read_player(text, game) for kind in KINDS.values() for text in kind.samples(game)]
    comparable = [player for player in players if player.repeatable_in_browsers]
    return [Follower(game, rng.choice(comparable), f"{seed}:{seat}", seat) for seat in range(len(game.seats))]
