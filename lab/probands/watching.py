"""Judges who go by what they saw: matches are really played, and a seat looks artificial by its moves in that match.

A human plays like the carrier, with lapses; a seat looks the more artificial the more of its decisions the carrier
would have made otherwise. So humans vary from match to match, a strategy may be lucky, and one that differs from humans
where it was not looked at passes for one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from games.protocol import CHANCE, Game, Position, Seat
from games.registry import game as find_game
from lab.probands.factor import PlayedFactor
from lab.probands.judging import Sights
from lab.probands.playing import SimulatedSeat, play_match
from lab.refinement.pool import Elements, text
from npc import Follower, strategy


@dataclass(frozen=True)
class WatchedFactor(PlayedFactor):
    """`matches` of every strategy are played, beside humans; each judgement is about one of them."""

    matches: int = 8

    def sights(self, population: Sequence[Elements]) -> Sights:
        humans = np.concatenate([seen_in(self.game, self.carrier, one, self.matches)[1] for one in population])
        usual = float(humans.mean())
        programs = np.array([seen_in(self.game, self.carrier, one, self.matches)[0] for one in population])
        return Sights(self.scale * (programs - usual), self.scale * (humans - usual))


Shares = tuple[float, ...]


@cache
def seen_in(reference: str, carrier: Elements, elements: Elements, matches: int) -> tuple[Shares, Shares]:
    """Of matches in which a strategy sat beside humans: the share of unlike decisions of its seat, and of a human's."""
    game = find_game(reference)
    programs, humans = [], []
    for number in range(matches):
        seats = [
            SimulatedSeat(elements if seat == 0 else carrier, seat != 0, f"{text(elements)}:{number}:{seat}")
            for seat in range(len(game.seats))
        ]
        played = play_match(game, seats, f"{text(elements)}:{number}")
        unlike = _unlike(game, seats, played.moves, carrier)
        programs.append(unlike[0])
        humans.append(unlike[-1])
    return tuple(programs), tuple(humans)


def _unlike(game: Game, seats: Sequence[SimulatedSeat], moves: Sequence[str], carrier: Elements) -> list[float]:
    """For each seat the share of its decisions that the carrier would have made otherwise, with the same luck."""
    followers = [Follower(game, strategy(text(carrier), game), one.seed, seat) for seat, one in enumerate(seats)]
    asked: dict[Seat, list[bool]] = {seat: [] for seat in range(len(seats))}
    position: Position = game.start()
    for written in moves:
        seat = position.to_act
        move = game.move(written)
        if seat != CHANCE and len(position.moves(seat)) > 1:
            asked[seat].append(str(followers[seat].decide(seat).move) != written)
        position = position.play(move)
        for follower in followers:
            follower.see(move, position)
    return [sum(one) / len(one) if one else 0.0 for one in asked.values()]
