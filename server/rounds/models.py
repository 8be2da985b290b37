"""Tables of refinement rounds. Steps and members are only ever appended; a round's row carries where it stands."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from server.base.clock import now
from server.storage.database import Base, CreatedAt, Key


class Status(StrEnum):
    RUNNING = "running"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    DONE = "done"


class Schedule(StrEnum):
    """When the next step is taken, given that the ratings suffice for it."""

    SATISFIED = "satisfied"  # as soon as they do, and so on until the round is done
    AT = "at"  # not before a time; then one step
    HELD = "held"  # not before an admin says so


FILLED_IN = "simulated study"
"""Who has created the rounds of simulated studies that were written as a whole."""
ACTIVE = (Status.RUNNING, Status.PAUSED)
"""While a round is active its population plays."""


class Round(Base):
    """One round. `state` is lab.refinement.RoundState after step number `step`."""

    __tablename__ = "rounds"
    __table_args__ = (
        CheckConstraint("status IN ('running', 'paused', 'cancelled', 'done')", name="status_known"),
        CheckConstraint("schedule IN ('satisfied', 'at', 'held')", name="schedule_known"),
        CheckConstraint("(schedule = 'at') = (step_at IS NOT NULL)", name="time_if_scheduled_at"),
        # Matchmaking must know whom to let play: one population per game.
        Index("uq_rounds_active_game", "game", unique=True, postgresql_where=text("status IN ('running', 'paused')")),
    )

    id: Mapped[Key]
    name: Mapped[str] = mapped_column(Text)
    game: Mapped[str] = mapped_column(Text)
    """The reference of the rules that its strategies play by."""
    seed: Mapped[int]
    settings: Mapped[dict[str, Any]]
    """lab.refinement.RefinementSettings"""
    created_at: Mapped[CreatedAt]
    created_by: Mapped[str] = mapped_column(Text)

    status: Mapped[str] = mapped_column(Text, default=Status.RUNNING.value)
    phase: Mapped[str] = mapped_column(Text)
    step: Mapped[int] = mapped_column(Integer, default=0)
    state: Mapped[dict[str, Any]]
    schedule: Mapped[str] = mapped_column(Text, default=Schedule.SATISFIED.value)
    step_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]

    looked_at: Mapped[datetime | None]
    """When the ratings were last held against what the next step needs."""
    log_position: Mapped[int] = mapped_column(default=0)
    """The position in the judgement log of that look."""
    waiting: Mapped[list[Any]]
    """What the next step lacked then: decisions of the kind "wait"."""
    lacking: Mapped[list[Any]]
    """Strategies that lacked judgements by super experts: they go to the front of everybody's list."""
    progress: Mapped[dict[str, Any]]
    """The evidence of that look, by strategy, and that about humans."""

    simulation: Mapped[dict[str, Any] | None]
    """Where simulated probands judge: server.rounds.simulated_probands.SimulatedProbands."""
    sessions: Mapped[int] = mapped_column(Integer, default=0)
    """How many sessions simulated probands have held."""
    session_position: Mapped[int] = mapped_column(default=0)
    """The position in the judgement log after the last of them."""
    waits: Mapped[int] = mapped_column(Integer, default=0)
    """How many looks in a row found too few judgements; simulated probands stop when there are too many."""

    @property
    def simulated(self) -> bool:
        """Whether programs judge in it, or have judged, instead of people."""
        return self.simulation is not None or self.created_by == FILLED_IN

    @property
    def active(self) -> bool:
        return self.status in ACTIVE

    @property
    def due(self) -> bool:
        """Whether the next step may be taken now."""
        if self.status != Status.RUNNING:
            return False
        return self.schedule == Schedule.SATISFIED or (self.step_at is not None and self.step_at <= now())


class RoundStep(Base):
    """One step that was taken: from which judgements, what was decided and why, and what came out. Never changed."""

    __tablename__ = "round_steps"
    __table_args__ = (UniqueConstraint("round_id", "number"),)

    id: Mapped[Key]
    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id", ondelete="CASCADE"))
    number: Mapped[int] = mapped_column(Integer)
    """0 is the start."""
    kind: Mapped[str] = mapped_column(Text)
    """start, evolve, strip, done or give up."""
    at: Mapped[CreatedAt]
    log_position: Mapped[int]
    basis: Mapped[dict[str, Any]]
    """Which rating snapshot it was, together with the position: its fingerprint, settings and persons left out."""
    decisions: Mapped[list[Any]]
    state: Mapped[dict[str, Any]]


class RoundMember(Base):
    """A strategy in the population that a step made, with its parentage."""

    __tablename__ = "round_members"

    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id", ondelete="CASCADE"), primary_key=True)
    step: Mapped[int] = mapped_column(Integer, primary_key=True)
    strategy: Mapped[str] = mapped_column(Text, primary_key=True)
    place: Mapped[int] = mapped_column(Integer)
    origin: Mapped[str] = mapped_column(Text)
    parents: Mapped[list[Any]]
    sigma: Mapped[float]
