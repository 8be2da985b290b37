"""A challenge in any game of two to four seats: as many matches as seats, so that everybody sits everywhere once.

All matches of a challenge have the same dice, and so have the challenges of others with the same `world`: luck with
them is everybody's. What counts is the sum of what the ends were worth, from 0 to 100 each.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from games import dice
from games.protocol import CHANCE, OVER, Game, Move, Position
from lab.tournaments.entrants import Contestant, Forfeit, seated
from npc.rules import opened

FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 4
MOST_PLIES: Final = 5_000
"""A match that is not over then is shared by all."""
PIECE_SECONDS: Final = 1.0
"""How long a piece of work lasts: long enough to be worth sending, short enough that others get their turn."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """Entrants by their numbers, in the order of the seats in the first match, and the dice that they meet with."""

    entrants: tuple[int, ...]
    world: int

    def at_seats(self, match: int) -> tuple[int, ...]:
        """Who sits where in one of its matches."""
        return self.entrants[match:] + self.entrants[:match]


@dataclass(frozen=True, slots=True)
class Match:
    """A match as it was played: all moves, chance included, and what its end was worth to each seat."""

    moves: tuple[str, ...]
    goals: tuple[float, ...]
    ending: str = ""
    """Why it ended before its end, if it did."""


@dataclass(frozen=True, slots=True)
class Played:
    """What became of a challenge."""

    challenge: Challenge
    matches: tuple[Match, ...]

    @property
    def sums(self) -> tuple[float, ...]:
        """What each got in all matches, in the order of the challenge's entrants. Rounded, so that thirds are equal."""
        got = dict.fromkeys(self.challenge.entrants, 0.0)
        for number, match in enumerate(self.matches):
            for entrant, goal in zip(self.challenge.at_seats(number), match.goals, strict=True):
                got[entrant] += goal
        return tuple(round(got[entrant], 6) for entrant in self.challenge.entrants)


@dataclass(frozen=True, slots=True)
class Arena:
    """All that is needed to play challenges, in any process: rules, texts of the entrants, the seed of all chance."""

    game: str
    source: str
    entrants: tuple[str, ...]
    seed: str


def play(game: Game, arena: Arena, challenge: Challenge) -> Played:
    """All matches of a challenge."""
    return Played(challenge, tuple(_match(game, arena, challenge, number) for number in range(len(game.seats))))


def play_some(arena: Arena, challenges: Sequence[Challenge], seconds: float = PIECE_SECONDS) -> list[Played]:
    """As many of the challenges as can be begun within some seconds, at least one: a piece of work for a process."""
    until = time.monotonic() + seconds
    game = opened(arena.game, arena.source)
    done: list[Played] = []
    for challenge in challenges:
        done.append(play(game, arena, challenge))
        if time.monotonic() > until:
            break
    return done


def _match(game: Game, arena: Arena, challenge: Challenge, number: int) -> Match:
    world = f"{arena.seed}:{challenge.world}"
    secret = hashlib.sha256(world.encode()).digest()
    moves: list[str] = []
    position: Position = game.start()
    with ExitStack() as stack:
        table = [
            stack.enter_context(seated(game, arena.entrants[entrant], f"{world}:{number}:{seat}", seat))
            for seat, entrant in enumerate(challenge.at_seats(number))
        ]
        while position.to_act != OVER and len(moves) < MOST_PLIES:
            try:
                chosen = _chosen(position, table, secret, len(moves))
            except _Forfeited as error:
                return Match(tuple(moves), _without(error.seat, len(table)), f"{game.seats[error.seat]}: {error}")
            for move in chosen:
                moves.append(str(move))
                position = position.play(move)
                for contestant in table:
                    contestant.see(move, position)
    if position.to_act != OVER:
        return Match(tuple(moves), (100 / len(table),) * len(table), f"not over after {MOST_PLIES} moves")
    return Match(tuple(moves), tuple(map(float, position.goals())))


class _Forfeited(Exception):  # noqa: N818 - the name says what happened
    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(reason)
        self.seat = seat


def _chosen(position: Position, table: Sequence[Contestant], secret: bytes, ply: int) -> list[Move]:
    """What happens next: an outcome of chance, or a move of each seat that chooses now."""
    if position.to_act == CHANCE:
        return [dice.draw(secret, ply, position)]
    chosen: list[Move] = []
    for seat in position.acting:
        try:
            move = position.forced(seat)
            chosen.append(table[seat].decide() if move is None else move)
        except Forfeit as error:
            raise _Forfeited(seat, str(error)) from error
    return chosen


def _without(loser: int, seats: int) -> tuple[float, ...]:
    """Who forfeits gets nothing; the others share."""
    return tuple(0.0 if seat == loser else 100 / (seats - 1) for seat in range(seats))
