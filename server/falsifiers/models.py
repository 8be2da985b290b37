"""Falsifier flags as named booleans with their evidence; meanings.py says what each name means."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, Text
from sqlalchemy.orm import Mapped, mapped_column

from server.storage.database import Base, CreatedAt


class FlagState(StrEnum):
    RAISED = "raised"
    CONFIRMED = "confirmed"
    LIFTED = "lifted"


class FalsifierFlag(Base):
    """One sign of one person. What a researcher decided stays, even if the sign is seen again."""

    __tablename__ = "falsifier_flags"
    __table_args__ = (CheckConstraint("state IN ('raised', 'confirmed', 'lifted')", name="state_known"),)

    person_id: Mapped[int] = mapped_column(ForeignKey("persons.id"), primary_key=True)
    name: Mapped[str] = mapped_column(Text, primary_key=True)
    evidence: Mapped[str] = mapped_column(Text)
    raised_at: Mapped[CreatedAt]
    state: Mapped[str] = mapped_column(Text, default=FlagState.RAISED.value)
    decided_by: Mapped[str | None] = mapped_column(Text)
    decided_at: Mapped[datetime | None]
