"""Simulated matches with real moves: programs as they are, and humans who play the planted factor with lapses."""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass

from games import dice
from games.protocol import CHANCE, OVER, Game, Move, Position, Seat
from lab.refinement.pool import Elements, text
from npc import Decision, Follower, Player, strategy
from npc.player import Memory, Seed

MEDIAN_MS, SPREAD = 2500.0, 0.6
"""Log-normal thinking times, for all seats alike: nobody shall be told by the clock."""


@dataclass(frozen=True)
class HumanPlayer(Player):
    """A modelled human: a strategy that carries the human factor, left at times for any other legal move."""

    carrier: Player
    lapses: float = 0.1

    @property
    def name(self) -> str:
        return "human"

    @property
    def text(self) -> str:
        """Nobody is read from it: humans are made here alone."""
        return f"human:{self.carrier.name}"

    def start_memory(self) -> Memory:
        return self.carrier.start_memory()

    def remember(self, memory: Memory, before: Position, move: Move) -> Memory:
        return self.carrier.remember(memory, before, move)

    def decide(self, position: Position, seat: Seat, memory: Memory, seed: Seed, ply: int) -> Decision:
        rng = random.Random(f"human:{seed}:{ply}")
        if rng.random() < self.lapses:
            return Decision(rng.choice(position.moves(seat)))
        return self.carrier.decide(position, seat, memory, seed, ply)


@dataclass(frozen=True)
class SimulatedSeat:
    """A human (the carrier that he or she plays like) or a program (its list), with the seed of its decisions."""

    elements: Elements
    human: bool
    seed: str

    def player(self, game: Game) -> Player:
        carrier = strategy(text(self.elements), game)
        return HumanPlayer(carrier) if self.human else carrier


@dataclass(frozen=True)
class PlayedMatch:
    """Moves as texts from ply 0 on, dice included, with the milliseconds before each; dice follow from the seed."""

    dice_seed: bytes
    moves: tuple[str, ...]
    milliseconds: tuple[int, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]

    @property
    def seconds(self) -> float:
        return sum(self.milliseconds) / 1000


def play_match(game: Game, seats: Sequence[SimulatedSeat], seed: str) -> PlayedMatch:
    """A whole match, determined by the seats and the seed."""
    secret = hashlib.sha256(f"simulated dice:{seed}".encode()).digest()
    clock = random.Random(f"clock:{seed}")
    followers = [Follower(game, seat.player(game), seat.seed, number) for number, seat in enumerate(seats)]
    position: Position = game.start()
    moves: list[str] = []
    milliseconds: list[int] = []
    while (seat := position.to_act) != OVER:
        if seat == CHANCE:
            move = dice.draw(secret, len(moves), position)
            milliseconds.append(0)
        else:
            move = followers[seat].decide(seat).move
            milliseconds.append(round(MEDIAN_MS * clock.lognormvariate(0, SPREAD)))
        position = position.play(move)
        for follower in followers:
            follower.see(move, position)
        moves.append(str(move))
    return PlayedMatch(secret, tuple(moves), tuple(milliseconds), position.scores(), position.winners())
