"""What stands before a seat that has to decide, as far as people take their time by it.

Told by any game: the kind of decision, how many moves there are, what the others did to this seat since it last
decided, how far the match is, and whether it could be won or lost with the next move. Every process knows the same of a
match, because all of it follows from the record.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log, log1p
from typing import Final, NamedTuple, Self

from games.protocol import CHANCE, OVER, Game, Move, Position, Seat

FEATURES: Final = ("options", "harmed", "outscored", "stage", "first", "winning", "pressed")
"""Logarithm of the number of moves; own pieces lost or thrown back, and points that others made, since the own last
decision; logarithm of the own decisions so far; whether there were none; whether a move wins at once; whether, if not,
an answer to some move would. The last two are told of cheap games only: they have to be tried out, and everybody at
all tables of a process would wait for it."""
MOST_HARM: Final = 2
SETTLED: Final = 15
"""After so many decisions of a seat the stage of the game says nothing new."""
MOST_TRIED: Final = 16
"""Of positions with more moves it is not found out what ends the game: nobody waits for it."""


Played = tuple[tuple[Position, Move], ...]
"""Moves, each with the position before it."""


class Situation(NamedTuple):
    """A decision of a seat: its kind, its number among the seat's decisions, and the values of FEATURES, as far as they
    are known."""

    kind: str
    number: int
    features: tuple[float, ...]


class _Seen(NamedTuple):
    """What has happened from one seat's point of view."""

    decisions: int
    harmed: int
    """Moves of others that took or threw back something of this seat since its last decision."""
    others: int
    """What all others together had scored at the last decision."""


class Course:
    """How a match went so far, seat by seat. A value: `after` gives the next one.

    It is found out when somebody asks: at tables of people among themselves nobody does, and a move of theirs shall not
    cost what programs need.
    """

    __slots__ = ("_before", "_cheap", "_played", "_seats")

    def __init__(
        self, cheap: bool, seats: tuple[_Seen, ...] | None, before: Course | None = None, played: Played = ()
    ) -> None:
        self._cheap = cheap
        self._seats = seats
        self._before = before
        self._played = played

    @classmethod
    def begin(cls, game: Game) -> Self:
        scores = game.start().scores()
        return cls(game.cheap, tuple([_Seen(0, 0, _others(scores, seat)) for seat in range(len(game.seats))]))

    def after(self, played: Iterable[tuple[Position, Move]]) -> Course:
        """`played` are moves, each with the position before it."""
        return Course(self._cheap, None, self, tuple(played))

    @property
    def seats(self) -> tuple[_Seen, ...]:
        if self._seats is None:
            late, known = [], self
            while known._seats is None:
                assert known._before is not None, "what is not known yet follows something"
                late.append(known._played)
                known = known._before
            seats = list(known._seats)
            for played in reversed(late):
                _follow(seats, played)
            self._seats, self._before, self._played = tuple(seats), None, ()
        return self._seats

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Course) and self.seats == other.seats

    def __hash__(self) -> int:
        return hash(self.seats)

    def situation(self, position: Position, seat: Seat) -> Situation:
        """What an acting seat decides on."""
        seen = self.seats[seat]
        features: tuple[float, ...] = (
            log(len(position.moves(seat))),
            float(min(seen.harmed, MOST_HARM)),
            float(_others(position.scores(), seat) > seen.others),
            log1p(min(seen.decisions, SETTLED)),
            float(seen.decisions == 0),
        )
        if self._cheap:
            features += _at_stake(position, seat)
        return Situation(position.question(seat), seen.decisions, features)


def _follow(seats: list[_Seen], played: Played) -> None:
    """Take in moves."""
    for position, move in played:
        mover = position.to_act
        if mover == CHANCE:
            continue
        for seat in position.harmed(move):
            seen = seats[seat]
            seats[seat] = seen._replace(harmed=seen.harmed + (seat != mover))
        if position.forced(mover) is None:
            seats[mover] = _Seen(seats[mover].decisions + 1, 0, _others(position.scores(), mover))


def _at_stake(position: Position, seat: Seat) -> tuple[float, float]:
    """Whether the seat can win at once, and otherwise whether it loses at once if it does not look."""
    moves = position.moves(seat)
    if position.acting != (seat,) or len(moves) > MOST_TRIED:
        return 0.0, 0.0
    view = position.view(seat)
    if view is not position:  # who sees only a part cannot tell what follows
        return 0.0, 0.0
    if any(_wins(view, move, seat) for move in moves):
        return 1.0, 0.0
    # A threat can be met by one move, hardly by two that have nothing to do with each other.
    after = [view.play(move) for move in {moves[0]: None, moves[-1]: None}]
    pressed = any(
        _wins(one, answer, one.to_act)
        for one in after
        if one.to_act >= 0 and one.to_act != seat and one.acting == (one.to_act,)
        for answer in one.moves()[:MOST_TRIED]
    )
    return 0.0, float(pressed)


def _wins(position: Position, move: Move, seat: Seat) -> bool:
    after = position.play(move)
    return after.to_act == OVER and after.winners() == (seat,)


def _others(scores: tuple[int, ...], seat: Seat) -> int:
    return sum(scores) - scores[seat]
