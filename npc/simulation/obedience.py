"""Whether elements do what they say: how often a host follows an element with it in the list, and how often without.

`python -m npc.simulation.obedience tic-tac-toe` writes the table of a game's elements. Only decisions count in which
the element tells the moves apart; following it is playing one of those that it ranks best.
"""

import random
import sys
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from games.protocol import CHANCE, OVER, Game, Position
from games.registry import game as find_game
from npc.composed import Strategy, school_of, strategy
from npc.composed.composition import partition
from npc.composed.situation import Situation
from npc.follower import Follower

HOST: Final = "RANDOMIZER"
SEAT: Final = 0
GAMES: Final = 20


class Obedience(NamedTuple):
    """An element with a host: the share of decisions that follow it, without it in the list and with it."""

    element: str
    host: str
    decisions: int
    alone: float
    together: float


def obedience(element: str, game: Game, games: int = GAMES, host: str = HOST) -> Obedience:
    """The player sits in one seat against random ones; both lists answer in the same positions."""
    alone, together = strategy(host, game), strategy(f"{element} {host}", game)
    counts = [0, 0, 0]
    for number in range(games):
        for best, view, followers in _decisions(game, together, alone, f"{element} {number}"):
            decided = [follower.decide(SEAT).move for follower in followers]
            counts[0] += 1
            counts[1] += decided[1] in best
            counts[2] += decided[0] in best
            assert all(move in view.moves(SEAT) for move in decided)
    asked = max(counts[0], 1)
    return Obedience(element, host, counts[0], counts[1] / asked, counts[2] / asked)


def _decisions(
    game: Game, together: Strategy, alone: Strategy, seed: str
) -> Iterator[tuple[tuple[Any, ...], Position, list[Follower]]]:
    """The moments of a random game in which the first element of a list tells the moves of the seat apart."""
    source = random.Random(seed)
    followers = [Follower(game, each, seed, SEAT) for each in (together, alone)]
    element = together.elements[0]
    while (position := followers[0].position).to_act != OVER:
        if SEAT in position.acting:
            view, ply = position.view(SEAT), followers[0].ply
            classes = partition(element, Situation(view, SEAT, seed, ply), followers[0].memory[0], together.host)
            if len(classes) > 1:
                yield classes[0], view, followers
        acting = max(1, len(position.acting))
        for _ in range(acting):
            position = followers[0].position
            if position.to_act == CHANCE:
                move = position.drawn(source.randrange(position.ways))
            else:
                move = source.choice(position.moves())
            for follower in followers:
                follower.follow([move])


def table(game: Game, games: int = GAMES) -> str:
    """All elements that are offered in a game but the host, as a table in Markdown."""
    rows = ["| element | decisions | without it | with it |", "|---|---|---|---|"]
    for name in school_of(game).offered(game):
        if name != HOST:
            found = obedience(name, game, games)
            rows.append(f"| {name} | {found.decisions} | {found.alone:.0%} | {found.together:.0%} |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(table(find_game(sys.argv[1])))
