"""A match as one process knows it: the position at the newest ply, who sits where, and what the sockets are told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from json.encoder import encode_basestring_ascii as quoted
from typing import TYPE_CHECKING, Final

from games.protocol import OVER, Game, Position, Seat
from server.live import wire
from server.live.models import Due
from server.live.referee import Progress, turns_left
from server.live.thinking import Thinking, pass_ms, thinking_ms

if TYPE_CHECKING:
    from server.live.connection import Connection
    from server.live.decisions import Mind

FORCED: Final = ("pass",)
"""The only legal move that the referee makes by itself."""
LATEST_SHARE: Final = 0.9
"""A program's thinking ends at the latest after this share of the time a person would have."""


Deadline = tuple[Due | None, float | None]
NO_DEADLINE: Final[Deadline] = (None, None)


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
    game: Game
    layout: str
    seed: bytes
    commitment: str
    panel: list[wire.PanelMember]
    thinking: Thinking
    clock_ms: int
    ask_ms: int
    grace_ms: int
    proposal_ms: int
    check_share: float
    starts_at: float
    places: list[Place]

    position: Position
    legal: tuple[str, ...]
    """Legal moves of the seat to act."""
    ply: int
    moves: list[str]
    turn_at: float
    due: Due | None
    due_at: float | None
    ended: bool

    connections: dict[int, list[Connection]] = field(default_factory=dict)
    proposals: dict[int, list[str | None]] = field(default_factory=dict)
    """By seat of the proposer, for the present ply."""
    distrusted: set[int] = field(default_factory=set)
    """Seats whose browser proposed what the strategy does not play."""
    decision: asyncio.Future[str] | None = None
    """The server's own computation for the present ply, once begun."""
    minds: dict[int, Mind] = field(default_factory=dict)
    busy: bool = False
    """A commit or a reload is under way; what comes in meanwhile is deferred."""
    deferred: list[Callable[[], None]] = field(default_factory=list)
    timer: asyncio.TimerHandle | None = None
    presence: asyncio.Lock = field(default_factory=asyncio.Lock)
    idle_since: float | None = None

    def seat_of(self, person_id: int) -> int | None:
        return next((seat for seat, place in enumerate(self.places) if place.person_id == person_id), None)

    def everybody(self) -> list[Connection]:
        return [connection for group in self.connections.values() for connection in group]

    def acting(self) -> Place | None:
        return self.places[self.position.to_act] if self.position.to_act >= 0 else None

    def advance(self, progress: Progress, at: float, deadline: Deadline) -> None:
        """Take over what was committed at `at`."""
        self.due, self.due_at = deadline
        self.moves.extend(progress.texts)
        self.ply += len(progress.texts)
        self.position, self.legal = progress.position, progress.legal
        self.turn_at = at
        self.ended = progress.position.to_act == OVER
        self.proposals.clear()
        self.decision = None


def next_deadline(table: Table, seat: Seat, legal: tuple[str, ...], ply: int, at: float) -> Deadline:
    """What will happen by itself at this ply, where `seat` has the moves `legal`, and when."""
    if seat == OVER:
        return NO_DEADLINE
    if legal == FORCED:
        return Due.PASS, at + pass_ms(table.thinking, table.seed, ply) / 1000
    if table.places[seat].played_by_program:
        thought = thinking_ms(table.thinking, table.seed, seat, ply, legal)
        return Due.REVEAL, at + min(thought, LATEST_SHARE * (table.clock_ms + table.ask_ms)) / 1000
    return Due.CLOCK, at + table.clock_ms / 1000


def remaining_ms(until: float, now: float) -> int:
    return max(0, round((until - now) * 1000))


def state_for(table: Table, seat: int, known: int, now: float) -> wire.State:
    """Everything `seat` may know, from the ply it says it knows."""
    since = known if known <= table.ply else 0
    asked = table.due == Due.ASKED and table.position.to_act == seat and table.due_at is not None
    return wire.State(
        match=str(table.match),
        game=table.game.name,
        layout=table.layout,
        you=seat,
        commitment=table.commitment,
        panel=table.panel,
        since=since,
        moves=table.moves[since:],
        ply=table.ply,
        position=table.position.text(),
        to_act=table.position.to_act,
        legal=list(table.legal),
        last_turns=turns_left(table.position),
        starts_ms=0 if table.ply else remaining_ms(table.starts_at, now),
        clock_ms=remaining_ms(table.turn_at + table.clock_ms / 1000, now) if table.ply and not table.ended else 0,
        clock_total_ms=table.clock_ms,
        asked_ms=remaining_ms(table.due_at or now, now) if asked else None,
    )


def moves_text(table: Table, progress: Progress) -> str:
    """The `wire.Moves` that everybody is told after a commit; `table` has advanced already.

    Written by hand because this is the most frequent message; a test holds it to the model.
    """
    left = turns_left(table.position)
    return (
        f'{{"type":"moves","ply":{table.ply - len(progress.texts)},"moves":[{listed(progress.texts)}],'
        f'"position":{quoted(progress.text)},"to_act":{table.position.to_act},"legal":[{listed(progress.legal)}],'
        f'"last_turns":{"null" if left is None else left},"clock_ms":{0 if table.ended else table.clock_ms},"steps":['
        + ",".join([f"[{piece},{source},{target},{quoted(how)}]" for piece, source, target, how in progress.steps])
        + "]}"
    )


@lru_cache(maxsize=10_000)
def listed(strings: tuple[str, ...]) -> str:
    """Moves as the inside of a JSON list; there are few different ones."""
    return ",".join([quoted(one) for one in strings])


def ended_message(table: Table) -> wire.Ended:
    return wire.Ended(
        ply=table.ply,
        scores=list(table.position.scores()),
        winners=list(table.position.winners()),
        seed=table.seed.hex(),
        verify=f"/matches/{table.match}/verify",
        next=f"/matches/{table.match}/questionnaire",
    )
