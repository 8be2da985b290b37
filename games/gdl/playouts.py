"""What random games show of a description: whether it can be played, whether it ends, and who can win.

Nothing here is a proof: what was found is true, what was not found may still be there.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from games.gdl.findings import Finding, Level
from games.gdl.game import GdlGame
from games.gdl.position import FULL_POINTS, GdlPosition
from games.gdl.reasoner import GOAL, LEGAL, RANDOM, TERMINAL
from games.gdl.terms import Place, Rule, Signature, arguments, text
from games.protocol import OVER

GAMES: Final = 20
LONGEST: Final = 500
"""Moves after which a game that goes on is left."""
LONGEST_SHOWN: Final = 300
"""Characters of a state in a finding."""


class Playouts(NamedTuple):
    """Random games of a description."""

    lengths: tuple[int, ...]
    """How many moves each had, those of chance included."""
    choices: tuple[int, ...]
    """How many moves somebody could choose from, each time."""
    unended: int
    stuck: str
    """The text of a state that is not terminal and leaves somebody without a move; empty if none was met."""
    impossible: Mapping[str, tuple[str, str]]
    """By chance variable: a legal move that needs it, and the text of a state in which no event of it can happen."""
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

    def findings(self, game: GdlGame) -> Iterator[Finding]:
        """What the games tell against the description, each at the rule that it is about."""
        rules, games = game.sheet.rules, len(self.lengths)
        if self.stuck:
            yield _warning(
                _place(rules, LEGAL),
                "playability",
                f"somebody has no legal move, and the game is not over, in {self.stuck}",
                "add a move such as noop for whoever waits, or end the game there",
            )
        for name, (move, state) in self.impossible.items():
            yield _warning(
                _place(rules, RANDOM, name),
                "chance",
                f"all weights of {name} are 0, so {move} cannot be played although it is legal, in {state}",
                "give an event a weight above 0 there, or make the move illegal",
            )
        if self.unended:
            yield _warning(
                _place(rules, TERMINAL),
                "termination",
                f"{self.unended} of {games} games did not end in {LONGEST} moves",
                "count the turns, and end the game after some of them",
            )
        if self.without_points:
            yield _warning(
                _place(rules, GOAL),
                "goals",
                f"{self.without_points} games ended without exactly one goal for every role",
                "give every role one number from 0 to 100 in every state in which the game is over",
            )
        for seat, times in zip(game.seats, self.won, strict=True):
            if not times:
                yield _warning(
                    _place(rules, GOAL, seat),
                    "winnability",
                    f"no way was found for {seat} to win, in {games} random games",
                    "let it have 100 points where it wins; a win that is rare may only not have been found",
                )


def played(game: GdlGame, games: int = GAMES, seed: str = "playouts") -> Playouts:
    """Raises ReasoningError where the consequences of the rules cannot be computed."""
    lengths, choices, won = [], [], [0] * len(game.seats)
    unended, stuck, without_points = 0, "", 0
    impossible: dict[str, tuple[str, str]] = {}
    for number in range(games):
        end, length, offered = _random_game(game.start(), random.Random(f"{seed}:{number}"), impossible)
        lengths.append(length)
        choices += offered
        if end.to_act != OVER:
            unended += 1
        elif not game.table.reasoner.is_terminal(end.state):
            stuck = stuck or _shown(end)
        else:
            without_points += None in game.table.reasoner.goals(end.state)
            for seat, points in enumerate(end.scores()):
                won[seat] += points == FULL_POINTS
    return Playouts(tuple(lengths), tuple(choices), unended, stuck, impossible, without_points, tuple(won))


def _random_game(
    position: GdlPosition, rng: random.Random, impossible: dict[str, tuple[str, str]]
) -> tuple[GdlPosition, int, list[int]]:
    length = 0
    offered: list[int] = []
    while True:
        for move, name in position.game.table.turn(position.state).impossible:
            impossible.setdefault(name, (text(move), _shown(position)))
        if position.to_act == OVER or length == LONGEST:
            return position, length, offered
        moves = position.moves()
        if moves:
            offered.append(len(moves))
            position = position.play(rng.choice(moves))
        else:
            position = position.play(position.drawn(rng.randrange(position.ways)))
        length += 1


def _shown(position: GdlPosition) -> str:
    return position.text()[:LONGEST_SHOWN]


def _place(rules: Sequence[Rule], relation: Signature, first: str | None = None) -> Place:
    """Where a relation is concluded first, if possible of this first argument; the beginning if nowhere."""
    found = [rule for rule in rules if rule.signature == relation]
    fitting = [rule for rule in found if arguments(rule.head)[:1] == (first,)]
    return next((rule.place for rule in (*fitting, *found)), Place(1, 1))


def _warning(place: Place, rule: str, message: str, hint: str) -> Finding:
    return Finding(place, Level.WARNING, rule, message, hint)
