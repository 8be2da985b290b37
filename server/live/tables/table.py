"""A match as one process knows it: the position at the newest ply, who sits where, and what is going to happen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from games.protocol import OVER, Game, Late, Position, Seat
from npc.players import read_player
from server.live.models import Due, Source
from server.live.tables.referee import Choices, Progress
from server.live.thinking.situations import Course
from server.live.thinking.times import Thinking, pass_ms, thinking_ms

if TYPE_CHECKING:
    from server.live.sockets.connection import Connection

LATEST_SHARE: Final = 0.9
"""A program's thinking ends at the latest after this share of the time a person would have."""
REFEREE: Final[Seat] = -1
"""Whose deadline it is when the match begins, or when sealed moves are opened."""


class Deadline(NamedTuple):
    """What will happen by itself, and when."""

    due: Due
    at: float


class Next(NamedTuple):
    """The first deadline of a match as its columns hold it."""

    due: Due | None
    at: float | None
    seat: Seat | None


NOTHING_DUE: Final = Next(None, None, None)


class Sealed(NamedTuple):
    """What a seat has chosen while others still choose."""

    move: str
    source: Source
    ms: int
    at: float


Action = Callable[["Table", Seat], None]


class Alarm(NamedTuple):
    """What a process does about the first deadline, and when by the clock of its event loop, which nobody moves."""

    rings_at: float
    seat: Seat
    action: Action


@dataclass(frozen=True)
class Member:
    """A player of the panel: its text, its name and the seed of its decisions."""

    player: str
    name: str
    seed: str
    game: Game = field(repr=False)

    @cached_property
    def repeatable_in_browsers(self) -> bool:
        """Whether what a browser computes can be believed at all: see npc.player.Player."""
        return read_player(self.player, self.game).repeatable_in_browsers

    @cached_property
    def heavy(self) -> bool:
        """Whether it thinks apart from the cheap ones, and may therefore be late."""
        return read_player(self.player, self.game).heavy


@dataclass(slots=True)
class Place:
    """Who sits on a seat: a person, a member of the panel, or a member that stands in for a person."""

    person_id: int | None
    member: int | None
    replaced: bool

    @property
    def played_by_program(self) -> bool:
        return self.member is not None


@dataclass(slots=True)
class Table:
    """One process's copy of a match. Times are seconds since the epoch."""

    match: int
    reference: str
    """Of the rules, as the match names them."""
    game: Game
    seed: bytes
    secret: bytes
    commitment: str
    panel: list[Member]
    browsers_think: bool
    """Whether the panel is told to browsers, which then propose what programs do."""
    thinking: Thinking
    clock_ms: int
    ask_ms: int
    grace_ms: int
    proposal_ms: int
    check_share: float
    animation_speed: float
    starts_at: float
    places: list[Place]

    started: bool
    position: Position
    choices: Choices
    """What the seats that act may do."""
    ply: int
    moves: list[str]
    movers: list[Seat]
    """Who made each of the moves."""
    course: Course
    """How the match went, as far as people take their time by it."""
    turn_at: float
    ended: bool

    sealed: dict[Seat, Sealed] = field(default_factory=dict)
    """What seats have chosen at the present ply while others still choose."""
    deadlines: dict[Seat, Deadline] = field(default_factory=dict)
    """By the seat that they are about. A person who is away after the clock has run out has none."""

    connections: dict[Seat, list[Connection]] = field(default_factory=dict)
    proposals: dict[Seat, dict[Seat, list[str | None]]] = field(default_factory=dict)
    """By the seat that acts, then by the seat of the proposer; for the present ply."""
    distrusted: set[Seat] = field(default_factory=set)
    """Seats whose browser proposed what the player does not play."""
    decisions: dict[Seat, asyncio.Future[dict[str, Any]]] = field(default_factory=dict)
    """The server's own computations for the present ply, once begun, by the seat that acts."""
    prepared: set[Seat] = field(default_factory=set)
    """Seats whose program's move is known or being computed at the present ply."""
    busy: bool = False
    """A commit or a reload is under way; what comes in meanwhile is deferred."""
    deferred: list[Callable[[], None]] = field(default_factory=list)
    alarm: Alarm | None = None
    timer: asyncio.TimerHandle | None = None
    """Rings when the alarm does, or before: then it is set anew."""
    presence: asyncio.Lock = field(default_factory=asyncio.Lock)
    idle_since: float | None = None

    def rest(self) -> None:
        """Nothing is waited for any more."""
        self.alarm = None
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def seat_of(self, person_id: int) -> Seat | None:
        return next((seat for seat, place in enumerate(self.places) if place.person_id == person_id), None)

    def everybody(self) -> list[Connection]:
        return [connection for group in self.connections.values() for connection in group]

    def choosers(self) -> list[Seat]:
        """The seats that have a real choice now."""
        return choosers_of(self.choices) if self.started else []

    def chooses(self, seat: Seat) -> bool:
        """Whether this seat has a choice and has not made it yet."""
        choice = self.choices.get(seat)
        return self.started and choice is not None and choice.forced is None and seat not in self.sealed

    def member_on(self, seat: Seat) -> Member | None:
        """The program that plays a seat."""
        member = self.places[seat].member
        return None if member is None else self.panel[member]

    def next_deadline(self) -> Next:
        return first_of(self.deadlines)

    def advance(self, progress: Progress, course: Course, at: float, deadlines: dict[Seat, Deadline]) -> None:
        """Take over what was committed at `at`."""
        self.started = True
        self.deadlines = deadlines
        self.moves.extend(progress.texts)
        self.movers.extend(progress.seats)
        self.ply += len(progress.texts)
        self.position, self.choices = progress.position, progress.choices
        self.course = course
        self.turn_at = at
        self.ended = progress.position.to_act == OVER
        self.sealed.clear()
        self.proposals.clear()
        self.decisions = {}
        self.prepared.clear()


def choosers_of(choices: Choices) -> list[Seat]:
    return [seat for seat, choice in choices.items() if choice.forced is None]


def deadlines_of(table: Table, turn: Progress, course: Course, ply: int, at: float) -> dict[Seat, Deadline]:
    """What will happen by itself in a turn that begins at `at`, for every seat that is waited for.

    `turn` led to it, and `course` is how the match went until then.
    """
    choosers = choosers_of(turn.choices)
    if not choosers:
        passed = Deadline(Due.PASS, at + pass_ms(table.thinking, table.secret, ply) / 1000)
        return dict.fromkeys(list(turn.choices)[:1], passed)
    return {seat: _deadline(table, turn.position, course, seat, at) for seat in choosers}


def _deadline(table: Table, position: Position, course: Course, seat: Seat, at: float) -> Deadline:
    if table.places[seat].played_by_program:
        return thinking_deadline(table, position, course, seat, at)
    return Deadline(Due.CLOCK, at + table.clock_ms / 1000)


def thinking_deadline(table: Table, position: Position, course: Course, seat: Seat, at: float) -> Deadline:
    """When a program that begins to think at `at` shows its choice."""
    thought = thinking_ms(table.thinking, table.secret, seat, course.situation(position, seat))
    longest = table.clock_ms + (table.ask_ms if table.game.tempo.late is Late.ASKED else 0)
    return Deadline(Due.REVEAL, at + min(thought, LATEST_SHARE * longest) / 1000)


def first_of(deadlines: dict[Seat, Deadline]) -> Next:
    """The first of several deadlines, as columns hold it."""
    if not deadlines:
        return NOTHING_DUE
    seat, (due, at) = min(deadlines.items(), key=lambda item: item[1].at)
    return Next(due, at, None if seat == REFEREE else seat)
