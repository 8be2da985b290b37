"""Tables of tournaments. Challenges are written when their round begins and completed when they are played."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from server.storage.database import Base, CreatedAt, Key


class Status(StrEnum):
    RUNNING = "running"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    DONE = "done"


class Tournament(Base):
    """What was decided at the beginning (lab.tournaments.schedules.Plan), and where it stands."""

    __tablename__ = "tournaments"
    __table_args__ = (CheckConstraint("status IN ('running', 'paused', 'cancelled', 'done')", name="status_known"),)

    id: Mapped[Key]
    name: Mapped[str] = mapped_column(Text)
    game: Mapped[str] = mapped_column(Text)
    """The reference of the rules."""
    entrants: Mapped[list[Any]]
    """Their texts; everywhere else entrants are places in this list."""
    form: Mapped[str] = mapped_column(Text)
    rounds: Mapped[int] = mapped_column(Integer)
    precision: Mapped[float]
    seed: Mapped[str] = mapped_column(Text)
    created_at: Mapped[CreatedAt]
    created_by: Mapped[str] = mapped_column(Text)

    status: Mapped[str] = mapped_column(Text, default=Status.RUNNING.value)
    public: Mapped[bool] = mapped_column(default=False)
    round: Mapped[int] = mapped_column(Integer, default=0)
    """The round that is played, the first one is 0."""
    turn: Mapped[int] = mapped_column(default=0)
    """The job that may write: whoever was thought dead and is not finds another number here."""
    ended_at: Mapped[datetime | None]

    @property
    def active(self) -> bool:
        return self.status in (Status.RUNNING, Status.PAUSED)


class TournamentChallenge(Base):
    """A challenge; `sums` and `matches` are what lab.tournaments.running.to_record tells once it is played."""

    __tablename__ = "tournament_challenges"
    __table_args__ = (
        Index("ix_tournament_challenges_waiting", "tournament_id", postgresql_where=text("played_at IS NULL")),
    )

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """Counted from 1 through all rounds."""
    round: Mapped[int] = mapped_column(Integer)
    entrants: Mapped[list[Any]]
    world: Mapped[int] = mapped_column(Integer)
    sums: Mapped[list[Any] | None] = mapped_column(JSONB(none_as_null=True))
    matches: Mapped[list[Any] | None] = mapped_column(JSONB(none_as_null=True))
    played_at: Mapped[datetime | None]
