"""The table of those who wait."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, SmallInteger, Text
from sqlalchemy.orm import Mapped, mapped_column

from server.storage.database import Base


class LobbyPlace(Base):
    """Somebody who wants to play. `due_at` is when this person is seated at the latest."""

    __tablename__ = "lobby_places"

    person_id: Mapped[int] = mapped_column(ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True)
    game: Mapped[str] = mapped_column(Text)
    """The reference of what this person wants to play."""
    company: Mapped[int] = mapped_column(SmallInteger)
    """How many persons were drawn to sit at the table, this one included."""
    since: Mapped[datetime]
    due_at: Mapped[datetime]
    beat_at: Mapped[datetime]
