"""What random games show of a description: whether it can be played, whether it ends, and who can win.

Nothing here is a proof: what was found is true, what was not found may still be there.
"""

import random
from collections.abc import Iterator
from statistics import fmean
from typing import Final, NamedTuple

from games.gdl.findings import Finding, Level
from games.gdl.game import GdlGame
from games.gdl.position import FULL_POINTS, GdlPosition
from games.gdl.terms import Place
from games.protocol import OVER

GAMES: Final = 20
LONGEST: Final = 500
"""Moves after which a game that goes on is left."""


class Playouts(NamedTuple):
    """Random games of a description."""

    lengths: tuple[int, ...]
    """How many moves each had, those of chance included."""
    choices: tuple[int, ...]
    """How many moves somebody could choose from, each time."""
    unended: int
    stuck: str
    """The text of a state that is not terminal and leaves somebody without a move; empty if none was met."""
    without_points: int
    """How many games ended without exactly one goal for every role."""
    won: tuple[int, ...]
    """By seat: how many games ended with all points for it."""

    def told(self) -> Iterator[str]:
        """The games in words."""
        games, mean = len(self.lengths), fmean(self.lengths)
        yield f"{games} random games: {min(self.lengths)} to {max(self.lengths)} moves, {mean:.1f} on average"
        if self.choices:
            yield f"choices: {fmean(self.choices):.1f} on average, {max(self.choices)} at most"
        if self.unended:
            yield f"{self.unended} of them had not ended after {LONGEST} moves"

    def findings(self, seats: tuple[str, ...]) -> Iterator[Finding]:
        """What the games tell against the description."""
        if self.stuck:
            yield _warning("playability", f"somebody has no legal move, and the game is not over, in {self.stuck}")
        if self.unended:
            yield _warning("termination", f"{self.unended} of {len(self.lengths)} games did not end in {LONGEST} moves")
        if self.without_points:
            yield _warning("goals", f"{self.without_points} games ended without exactly one goal for every role")
        for seat, times in zip(seats, self.won, strict=True):
            if not times:
                message = f"no way was found for {seat} to win, in {len(self.lengths)} random games"
                yield _warning("winnability", message)


def played(game: GdlGame, games: int = GAMES, seed: str = "playouts") -> Playouts:
    """Raises ReasoningError where the consequences of the rules cannot be computed."""
    lengths, choices, won = [], [], [0] * len(game.seats)
    unended, stuck, without_points = 0, "", 0
    for number in range(games):
        end, length, offered = _random_game(game.start(), random.Random(f"{seed}:{number}"))
        lengths.append(length)
        choices += offered
        if end.to_act != OVER:
            unended += 1
        elif not game.table.reasoner.is_terminal(end.state):
            stuck = stuck or end.text()[:300]
        else:
            without_points += None in game.table.reasoner.goals(end.state)
            for seat, points in enumerate(end.scores()):
                won[seat] += points == FULL_POINTS
    return Playouts(tuple(lengths), tuple(choices), unended, stuck, without_points, tuple(won))


def _random_game(position: GdlPosition, rng: random.Random) -> tuple[GdlPosition, int, list[int]]:
    length, offered = 0, []
    while position.to_act != OVER and length < LONGEST:
        moves = position.moves()
        if moves:
            offered.append(len(moves))
            position = position.play(rng.choice(moves))
        else:
            position = position.play(position.drawn(rng.randrange(position.ways)))
        length += 1
    return position, length, offered


def _warning(rule: str, message: str) -> Finding:
    return Finding(Place(1, 1), Level.WARNING, rule, message)
