"""Sources of games that do not come with the platform. A source never changes: its reference is its hash."""

from __future__ import annotations

from sqlalchemy import Text
from sqlalchemy.orm import Mapped, mapped_column

from server.storage.database import Base, CreatedAt


class GameSource(Base):
    """A text that a kind of games opens; `title` is what people call it."""

    __tablename__ = "game_sources"

    reference: Mapped[str] = mapped_column(Text, primary_key=True)
    kind: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(Text)
    title: Mapped[str] = mapped_column(Text)
    author: Mapped[str] = mapped_column(Text)
    created_at: Mapped[CreatedAt]
