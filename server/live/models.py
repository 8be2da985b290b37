"""Tables of live play. Moves, events and interaction batches are only ever appended to.

`matches` carries where a match stands (ply, position, whose turn) and its next deadline, so any process can take it
up; what happened is in `match_moves`, one row per ply, dice included.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, LargeBinary, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column, relationship

from server.storage.database import Base, CreatedAt, Key


class Due(StrEnum):
    """What happens at a match's deadline if nobody moves before."""

    START = "start"  # the match begins; until then nobody can move
    REVEAL = "reveal"  # the program in the seat shows its choice
    PASS = "pass"  # noqa: S105 - a move, not a password; nobody has a choice, and the referee moves
    CLOCK = "clock"  # the person in the seat is asked, or the default move is made
    ASKED = "asked"  # the person in the seat, having been asked, is replaced
    OPEN = "open"  # the last seat has chosen, and the sealed moves are opened


SIMULATED = " simulated"
"""How the software of matches ends that simulated studies have written."""


class Source(StrEnum):
    """Where a move came from."""

    CHANCE = "chance"
    PERSON = "person"
    PROPOSAL = "proposal"  # computed in a browser
    SERVER = "server"  # computed here
    FORCED = "forced"  # there was no choice
    DEFAULT = "default"  # somebody was late in a game with a beat


class Match(Base):
    """One match: what was fixed at the start, where it stands, and how it ended."""

    __tablename__ = "matches"
    __table_args__ = (
        Index("ix_matches_running", "id", postgresql_where=text("ended_at IS NULL")),
        # Every move updates its match; room on the page keeps these updates from touching any index.
        {"postgresql_with": {"fillfactor": 60}},
    )

    id: Mapped[Key]
    created_at: Mapped[CreatedAt]
    software: Mapped[str] = mapped_column(Text)
    game: Mapped[str] = mapped_column(Text)
    """The reference of its rules."""
    dice_seed: Mapped[bytes] = mapped_column(LargeBinary)
    commitment: Mapped[str] = mapped_column(Text)
    secret: Mapped[bytes] = mapped_column(LargeBinary)
    """What thinking times, passes, stand-ins and lots are drawn from. Never told, unlike the dice seed."""
    panel: Mapped[list[Any]]
    """The players that may sit here: text (`kind:body`), name and seed of each."""
    programs_think: Mapped[str] = mapped_column(Text)
    """Where programs are computed: in the browsers, or on the server."""
    thinking: Mapped[dict[str, Any]]
    clock_ms: Mapped[int] = mapped_column(Integer)
    ask_ms: Mapped[int] = mapped_column(Integer)
    grace_ms: Mapped[int] = mapped_column(Integer)
    proposal_ms: Mapped[int] = mapped_column(Integer)
    check_share: Mapped[float]
    animation_speed: Mapped[float] = mapped_column(server_default="2")
    """How fast every seat's board shows moves."""
    starts_at: Mapped[datetime]

    ply: Mapped[int] = mapped_column(Integer)
    to_act: Mapped[int] = mapped_column(SmallInteger)
    position: Mapped[str] = mapped_column(Text)
    turn_at: Mapped[datetime]
    due_at: Mapped[datetime | None]
    due: Mapped[str | None] = mapped_column(Text)
    due_seat: Mapped[int | None] = mapped_column(SmallInteger)
    """Whom the deadline is about."""
    sealed: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    """How many seats have chosen at this ply while others still choose."""

    ended_at: Mapped[datetime | None]
    scores: Mapped[list[int] | None] = mapped_column(ARRAY(Integer))
    winners: Mapped[list[int] | None] = mapped_column(ARRAY(Integer))

    seats: Mapped[list[MatchSeat]] = relationship(lazy="raise", order_by="MatchSeat.seat")
    moves: Mapped[list[MatchMove]] = relationship(
        lazy="raise", order_by="MatchMove.ply", primaryjoin="Match.id == foreign(MatchMove.match_id)", viewonly=True
    )

    @property
    def simulated(self) -> bool:
        """Whether a simulated study has written it; nobody played it."""
        return self.software.endswith(SIMULATED)


class MatchSeat(Base):
    """Who sits where. A program has a strategy and no person; a person who was replaced has both."""

    __tablename__ = "match_seats"
    __table_args__ = (
        CheckConstraint("person_id IS NOT NULL OR strategy IS NOT NULL", name="somebody_sits"),
        CheckConstraint("(strategy IS NULL) = (member IS NULL)", name="strategy_from_panel"),
        Index("ix_match_seats_person_id", "person_id", "match_id"),
    )

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    person_id: Mapped[int | None] = mapped_column(ForeignKey("persons.id"))
    strategy: Mapped[str | None] = mapped_column(Text)
    member: Mapped[int | None] = mapped_column(SmallInteger)
    """Which member of the match's panel plays this seat."""
    replaced_at: Mapped[datetime | None]
    """When a stand-in took the seat over; such a seat is neither judged nor rated."""
    gone_at: Mapped[datetime | None]
    """Since when the person has no connection."""
    board_shape: Mapped[str | None] = mapped_column(Text)
    """How the person's browser drew the board, in its first words about it; so are the columns that follow."""
    language: Mapped[str | None] = mapped_column(Text)
    device: Mapped[str | None] = mapped_column(Text)
    viewport_width: Mapped[int | None] = mapped_column(Integer)
    viewport_height: Mapped[int | None] = mapped_column(Integer)
    input: Mapped[str | None] = mapped_column(Text)


class MatchMove(Base):
    """One move, dice included; `ms` is the time since the move before it.

    Moves are written only by the statement that updates their match, so a foreign key would check a second time what is
    known, at a quarter of the cost of a commit.
    """

    __tablename__ = "match_moves"

    match_id: Mapped[int] = mapped_column(primary_key=True)
    ply: Mapped[int] = mapped_column(Integer, primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger)
    move: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(Text)
    ms: Mapped[int] = mapped_column(Integer)
    at: Mapped[datetime]


class SealedMove(Base):
    """What a seat has chosen while others still choose at the same time. It is told to that seat alone.

    When the last one has chosen, all of them become moves of the record; rows of plies that are over say nothing.
    """

    __tablename__ = "sealed_moves"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    ply: Mapped[int] = mapped_column(Integer, primary_key=True)
    """The ply at which the seats began to choose."""
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    move: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(Text)
    ms: Mapped[int] = mapped_column(Integer)
    at: Mapped[datetime]


class MatchDecision(Base):
    """What a program decided and why, kept when it was computed."""

    __tablename__ = "match_decisions"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    ply: Mapped[int] = mapped_column(Integer, primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    player: Mapped[str] = mapped_column(Text)
    """The player's name."""
    decision: Mapped[dict[str, Any]]
    """npc.decision.Decision.as_json"""
    at: Mapped[CreatedAt]


class MatchEvent(Base):
    """What happened beside the moves: connections lost and found, questions asked, stand-ins, wrong proposals."""

    __tablename__ = "match_events"
    __table_args__ = (Index("ix_match_events_match_id", "match_id"),)

    id: Mapped[Key]
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"))
    seat: Mapped[int] = mapped_column(SmallInteger)
    at: Mapped[CreatedAt]
    kind: Mapped[str] = mapped_column(Text)
    details: Mapped[dict[str, Any]]


class InteractionBatch(Base):
    """A compressed piece of a person's interaction log, given with consent."""

    __tablename__ = "interaction_batches"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("persons.id"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    at: Mapped[CreatedAt]
    events: Mapped[int] = mapped_column(Integer)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class LiveProcess(Base):
    """A server process that is alive as long as it beats."""

    __tablename__ = "live_processes"

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    beat_at: Mapped[datetime]


class SeatConnection(Base):
    """A process holds at least one socket of this seat."""

    __tablename__ = "seat_connections"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    process_id: Mapped[str] = mapped_column(
        ForeignKey("live_processes.id", ondelete="CASCADE"), primary_key=True, index=True
    )


class ThinkingModel(Base):
    """A fit of the human thinking times; the newest counts for new matches."""

    __tablename__ = "thinking_models"

    id: Mapped[Key]
    game: Mapped[str] = mapped_column(Text)
    fitted_at: Mapped[CreatedAt]
    parameters: Mapped[dict[str, Any]] = mapped_column(JSONB)
