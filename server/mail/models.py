"""Mails that are not delivered yet."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from server.storage.database import Base, CreatedAt, Key


class Mail(Base):
    """A mail on its way. What is delivered is deleted: mails hold addresses and links. It goes with its account."""

    __tablename__ = "mails"

    id: Mapped[Key]
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    occasion: Mapped[str] = mapped_column(Text)
    recipient: Mapped[str] = mapped_column(Text)
    subject: Mapped[str] = mapped_column(Text)
    body: Mapped[str] = mapped_column(Text)
    created_at: Mapped[CreatedAt]
    due_at: Mapped[datetime | None] = mapped_column(index=True)
    """When it is tried next; null when it was given up."""
    attempts: Mapped[int] = mapped_column(Integer, default=0)
    error: Mapped[str | None] = mapped_column(Text)
