"""What decided a match, read from its record alone and for any game: who led when, and which moves brought points."""

from collections.abc import Iterable
from typing import NamedTuple

from games.protocol import CHANCE, Game, Position, Seat


class Scored(NamedTuple):
    """A move that changed the points: its ply, which decision it was (chance not counted), whose it was (CHANCE too),
    and by how much each seat's points changed."""

    ply: int
    number: int
    seat: Seat
    gains: tuple[int, ...]


class Lead(NamedTuple):
    """The move with which somebody came into the lead and was not caught any more."""

    ply: int
    number: int
    seat: Seat
    """Whose move it was: not always the leader's, since others can lose points."""
    leaders: tuple[Seat, ...]


class Course(NamedTuple):
    """How a match went."""

    decisions: int
    """Moves of seats; chance is not counted."""
    lead: Lead | None
    """None if nobody leads at the end."""
    lead_changes: int
    """How often somebody else came into the lead; the first lead is no change."""
    scored: tuple[Scored, ...]


def course(game: Game, moves: Iterable[str]) -> Course:
    """The course of the match with these moves, chance included. Raises GameError."""
    position: Position = game.start()
    leaders, points = _leaders(position), position.scores()
    led_last: tuple[Seat, ...] = leaders  # whoever led last, also while it is equal in between
    lead, changes, number = None, 0, 0
    scored: list[Scored] = []
    for ply, text in enumerate(moves):
        seat = position.to_act
        number += seat != CHANCE
        position = position.play(game.move(text))
        gains = tuple([now - before for now, before in zip(position.scores(), points, strict=True)])
        points = position.scores()
        if any(gains):
            scored.append(Scored(ply, number, seat, gains))
        ahead = _leaders(position)
        if ahead != leaders:
            lead = Lead(ply, number, seat, ahead) if ahead else None
            changes += bool(ahead and led_last and ahead != led_last)
            leaders, led_last = ahead, ahead or led_last
    return Course(number, lead, changes, tuple(scored))


def _leaders(position: Position) -> tuple[Seat, ...]:
    """Who has won or, before the end, has the most points; nobody while all have the same."""
    won = position.winners()
    points = position.scores()
    if won or len(set(points)) < 2:
        return won
    return tuple([seat for seat, own in enumerate(points) if own == max(points)])
