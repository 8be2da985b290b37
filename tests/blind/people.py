"""Simulated people: they choose their moves like programs do and take their time like people.

Their times follow a law of their own, which the server does not know: a hand that needs its time, a pace, a mood that
lasts, more time for every further move and after a setback, less where there is only one thing to do, and everybody
with these habits in a different measure. Played against each other without a server they leave the record from which
the server may learn.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from math import exp, log, sqrt
from typing import Final, NamedTuple

from games import dice, registry
from games.protocol import CHANCE, OVER, Game, Move, Position, Seat
from npc.composed import school_of
from npc.follower import Follower
from npc.players import player
from server.live.thinking.fitting import Observation
from server.live.thinking.situations import FEATURES, Course, Situation
from server.live.thinking.times import Thinking, thinking_ms

HAND_MS: Final = 350.0
MIDDLE_MS: Final = {"roll": 1600.0, "single": 1900.0, "choice": 2800.0}
MOST_OPTIONS: Final = 8
MOOD: Final = 0.6
"""How much of a mood is left at the next decision."""
TRIED_OUT: Final = ("winning", "pressed")
"""What live play finds out in cheap games only; the last of FEATURES."""


class Person:
    """One person with habits of his or her own."""

    def __init__(self, seed: object):
        self.rng = random.Random(f"person {seed}")
        self.pace = self.rng.gauss(0, 0.35)
        self.per_option = self.rng.gauss(0.12, 0.04)
        self.setback = self.rng.gauss(0.45, 0.15)
        self.certain = self.rng.gauss(-0.5, 0.15)
        self.settling = self.rng.gauss(-0.25, 0.1)
        self.mood = self.rng.gauss(0, 0.35)

    def thinks_ms(self, situation: Situation) -> float:
        options, harmed, outscored, _, _, winning, pressed = situation.features
        self.mood = MOOD * self.mood + self.rng.gauss(0, 0.35 * sqrt(1 - MOOD**2))
        thought = (
            log(MIDDLE_MS.get(situation.kind, 2500.0))
            + self.pace
            + self.mood
            + self.per_option * (min(exp(options), MOST_OPTIONS) - 3)
            + self.setback * (harmed > 0 or outscored > 0)
            + self.certain * (winning or pressed)
            + self.settling * (1 - exp(-situation.number / 5))
        )
        wandering = self.rng.gammavariate(1.2, 700) if self.rng.random() < 0.15 else 0.0
        return HAND_MS + exp(thought + self.rng.gauss(0, 0.3)) + wandering


Times = Callable[[Seat, Situation], float]
"""How long a seat thinks about a decision, in milliseconds."""


class Decided(NamedTuple):
    """A decision with the time that it took."""

    seat: Seat
    situation: Situation
    ms: float


def mind(game: Game, seed: object, seat: Seat | None = None) -> Follower:
    """Who chooses moves: any strategy of the game's first population."""
    name = random.Random(f"mind {seed}").choice(school_of(game).population(game))
    return Follower(game, player(f"composed:{name}", game.reference), f"{seed}", seat if game.secrets else None)


def catch_up(thoughts: Follower, texts: Sequence[str], dice_seed: bytes) -> list[tuple[Position, Move]]:
    """Follow what a client was told, and give it with the positions before. We know what was dealt, whoever saw it."""
    played: list[tuple[Position, Move]] = []
    for text in texts[thoughts.ply :]:
        before = thoughts.position
        dealt = before.to_act == CHANCE
        move = dice.draw(dice_seed, thoughts.ply, before) if dealt else thoughts.game.move(text)
        thoughts.follow([move])
        played.append((before, move))
    return played


def beginning(game: Game) -> Course:
    """How a match begins for people and for those who watch them: they see a win or a threat in every game, also in
    those in which it costs a server too much to find out."""
    return Course(True, Course.begin(game).seats)


def as_server_knows(game: Game, situation: Situation) -> Situation:
    """What live play takes a program's time by, and learns from, of a situation as people see it."""
    known = len(FEATURES) if game.cheap else len(FEATURES) - len(TRIED_OUT)
    return situation._replace(features=situation.features[:known])


def play(game: Game, seed: object, times: Sequence[Times]) -> list[Decided]:
    """A match without a server: every decision with the time that its seat takes."""
    rng = random.Random(f"match {seed}")
    minds = [mind(game, f"{seed}:{seat}", seat) for seat in range(len(game.seats))]
    position, course, decided = game.start(), beginning(game), []
    while position.to_act != OVER:
        if position.to_act == CHANCE:
            moves = [position.drawn(rng.randrange(position.ways))]
        else:
            moves = []
            for seat in position.acting:
                moves.append(forced := position.forced(seat))
                if forced is None:
                    moves[-1] = minds[seat].decide(seat).move
                    situation = course.situation(position, seat)
                    decided.append(Decided(seat, situation, times[seat](seat, situation)))
        played = []
        for move in moves:
            played.append((position, move))
            position = position.play(move)
        course = course.after(played)
        for one in minds:
            one.follow(moves)
    return decided


def person_times(seed: object) -> Times:
    person = Person(seed)
    return lambda _, situation: person.thinks_ms(situation)


def program_times(game: Game, model: Thinking, secret: bytes) -> Times:
    return lambda seat, situation: thinking_ms(model, secret, seat, as_server_knows(game, situation))


def record(reference: str, matches: int, seed: str = "earlier") -> Iterator[Observation]:
    """What people did in so many matches among themselves."""
    game = registry.game(reference)
    for number in range(matches):
        name = f"{seed} {reference} {number}"
        for seat, situation, ms in play(
            game, name, [person_times(f"{name}:{seat}") for seat in range(len(game.seats))]
        ):
            known = as_server_knows(game, situation)
            yield Observation(f"{number}:{seat}", known.kind, ms, known.features)
