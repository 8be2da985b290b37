"""Uploaded rule bases. A script never changes: another wording is another rule base, so a match says who played."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Text
from sqlalchemy.orm import Mapped, mapped_column

from server.storage.database import Base, CreatedAt, Key


class RuleBaseRow(Base):
    """`name` is what matches, judgements and ratings call it."""

    __tablename__ = "rule_bases"

    id: Mapped[Key]
    game: Mapped[str] = mapped_column(Text)
    """The reference of the game that it plays."""
    name: Mapped[str] = mapped_column(Text, unique=True)
    script: Mapped[str] = mapped_column(Text)
    author: Mapped[str] = mapped_column(Text)
    created_at: Mapped[CreatedAt]
    playing: Mapped[bool]
    trial: Mapped[dict[str, Any]]
    """What the try-out at the upload showed: decisions, faults, score."""
