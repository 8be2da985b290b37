"""Simulated matches with real moves: programs as they are, and humans who play the planted factor with lapses."""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games import dice
from games.jostle import JOSTLE, JostleMove, JostlePosition
from games.protocol import CHANCE, OVER
from lab.refinement.pool import Elements, text
from npc import Decision, Player, strategy

MEDIAN_MS, SPREAD = 2500.0, 0.6
"""Log-normal thinking times, for all seats alike: nobody shall be told by the clock."""


@dataclass(frozen=True)
class HumanPlayer:
    """A modelled human: a strategy that carries the human factor, left at times for any other legal move."""

    carrier: Player
    lapses: float = 0.1

    @property
    def name(self) -> str:
        return "human"

    def start_memory(self) -> Any:
        return self.carrier.start_memory()

    def remember(self, memory: Any, before: JostlePosition, move: JostleMove) -> Any:
        return self.carrier.remember(memory, before, move)

    def decide(self, position: JostlePosition, memory: Any, seed: int | str, ply: int) -> Decision:
        rng = random.Random(f"human:{seed}:{ply}")
        if rng.random() < self.lapses:
            return Decision(rng.choice(position.moves()), None)
        return self.carrier.decide(position, memory, seed, ply)


@dataclass(frozen=True)
class SimulatedSeat:
    """A human (the carrier that he or she plays like) or a program (its list), with the seed of its decisions."""

    elements: Elements
    human: bool
    seed: str

    def player(self) -> Player:
        carrier = strategy(text(self.elements))
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


def play_match(seats: Sequence[SimulatedSeat], seed: str) -> PlayedMatch:
    """A whole match of Jostle, determined by the seats and the seed."""
    secret = hashlib.sha256(f"simulated dice:{seed}".encode()).digest()
    clock = random.Random(f"clock:{seed}")
    players = [seat.player() for seat in seats]
    memories = [player.start_memory() for player in players]
    position = JOSTLE.start()
    moves: list[str] = []
    milliseconds: list[int] = []
    while position.to_act != OVER:
        ply, seat = len(moves), position.to_act
        move: JostleMove
        if seat == CHANCE:
            move = dice.draw(secret, ply, position.outcomes())  # type: ignore[assignment]  # outcomes of Jostle
            milliseconds.append(0)
        else:
            move = players[seat].decide(position, memories[seat], seats[seat].seed, ply).move
            milliseconds.append(round(MEDIAN_MS * clock.lognormvariate(0, SPREAD)))
        memories = [player.remember(memory, position, move) for player, memory in zip(players, memories, strict=True)]
        position = position.play(move)
        moves.append(str(move))
    return PlayedMatch(secret, tuple(moves), tuple(milliseconds), position.scores(), position.winners())
