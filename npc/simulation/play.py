"""One seeded game of any kind among any players, and what is written down about it."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from games.protocol import CHANCE, OVER, Game, Move, Position, Seat
from npc.decision import Decision
from npc.follower import Follower
from npc.player import Player

MOST_PLIES: Final = 100_000
"""Far beyond any game; a game that gets here is a fault of ours, not a long game."""
_FINE: Final = 1 << 32
"""So many ways are drawn evenly enough from the 53 bits of one random number."""


@dataclass(slots=True)
class SeatRecord:
    """What one seat did in one game."""

    win: float = 0.0
    """1, or its share of a shared win."""
    score: int = 0
    turns: int = 0
    faults: int = 0
    """Decisions that its player lost."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game."""

    number: int
    seats: tuple[SeatRecord, ...]
    rounds: int
    moves: tuple[Move, ...]


class Scribe:
    """Writes down what the seats do in one game. A game that measures more has a scribe of its own."""

    records: Sequence[SeatRecord]

    def __init__(self, game: Game) -> None:
        """Raises GameError for a game that players would never end."""
        self.records = [SeatRecord() for _ in game.seats]

    def note(self, seat: Seat, before: Position, decision: Decision, after: Position) -> None:  # noqa: ARG002  # for others
        """A seat has decided."""
        self.records[seat].turns += 1
        self.records[seat].faults += decision.fault is not None

    def finish(self, position: Position) -> None:
        """The game is over."""
        winners = position.winners()
        for seat, (record, score) in enumerate(zip(self.records, position.scores(), strict=True)):
            record.score = score
            record.win = 1 / len(winners) if seat in winners else 0.0


def play_game(
    game: Game, players: Sequence[Player], seed: str, number: int, scribe: Callable[[Game], Scribe] = Scribe
) -> GameRecord:
    """Plays game `number` of a series. Dice and players draw from their own sources, so that games can be paired.

    Raises GameError for a game that players would never end.
    """
    book = scribe(game)
    dice = random.Random(f"{seed}:{number}:dice")
    followers = [
        Follower(game, player, f"{seed}:{number}:{name}", seat)
        for seat, (name, player) in enumerate(zip(game.seats, players, strict=True))
    ]
    position: Position = game.start()
    played: list[Move] = []
    while (seat := position.to_act) != OVER:
        assert len(played) < MOST_PLIES, f"game {number} of seed {seed} does not end"
        before = position
        if seat == CHANCE:
            move = before.drawn(_number(dice, before.ways))
            position = before.play(move)
        else:
            decision = followers[seat].decide(seat)
            move = decision.move
            position = before.play(move)
            book.note(seat, before, decision, position)
        for follower in followers:
            follower.see(move, position)
        played.append(move)
    book.finish(position)
    turns = sum(record.turns for record in book.records)
    return GameRecord(number, tuple(book.records), -(-turns // len(game.seats)), tuple(played))


def _number(dice: random.Random, ways: int) -> int:
    return int(dice.random() * ways) if ways <= _FINE else dice.randrange(ways)
