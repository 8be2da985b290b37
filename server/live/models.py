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

from server.database import Base, CreatedAt, Key


class Due(StrEnum):
    """What happens at a match's deadline if nobody moves before."""

    START = "start"  # the first die falls
    REVEAL = "reveal"  # the program on move shows its choice
    PASS = "pass"  # noqa: S105 - a move, not a password; the seat has nothing else to do
    CLOCK = "clock"  # the person on move is asked
    ASKED = "asked"  # the person on move, having been asked, is replaced


class Source(StrEnum):
    """Where a move came from."""

    CHANCE = "chance"
    PERSON = "person"
    PROPOSAL = "proposal"  # computed in a browser
    SERVER = "server"  # computed here
    FORCED = "forced"  # a pass that was no choice


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
    layout: Mapped[str] = mapped_column(Text)
    dice_seed: Mapped[bytes] = mapped_column(LargeBinary)
    commitment: Mapped[str] = mapped_column(Text)
    panel: Mapped[list[Any]]
    thinking: Mapped[dict[str, Any]]
    clock_ms: Mapped[int] = mapped_column(Integer)
    ask_ms: Mapped[int] = mapped_column(Integer)
    grace_ms: Mapped[int] = mapped_column(Integer)
    proposal_ms: Mapped[int] = mapped_column(Integer)
    check_share: Mapped[float]
    starts_at: Mapped[datetime]

    ply: Mapped[int] = mapped_column(Integer)
    to_act: Mapped[int] = mapped_column(SmallInteger)
    position: Mapped[str] = mapped_column(Text)
    turn_at: Mapped[datetime]
    due_at: Mapped[datetime | None]
    due: Mapped[str | None] = mapped_column(Text)

    ended_at: Mapped[datetime | None]
    scores: Mapped[list[int] | None] = mapped_column(ARRAY(Integer))
    winners: Mapped[list[int] | None] = mapped_column(ARRAY(Integer))

    seats: Mapped[list[MatchSeat]] = relationship(lazy="raise", order_by="MatchSeat.seat")
    moves: Mapped[list[MatchMove]] = relationship(
        lazy="raise", order_by="MatchMove.ply", primaryjoin="Match.id == foreign(MatchMove.match_id)", viewonly=True
    )


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


class LobbyPlace(Base):
    """Somebody who wants to play. `due_at` is when this person is seated at the latest."""

    __tablename__ = "lobby_places"

    person_id: Mapped[int] = mapped_column(ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True)
    since: Mapped[datetime]
    due_at: Mapped[datetime]
    beat_at: Mapped[datetime]


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
    fitted_at: Mapped[CreatedAt]
    parameters: Mapped[dict[str, Any]] = mapped_column(JSONB)
