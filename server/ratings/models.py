"""Snapshots of all ratings of a game. They can be recomputed from the log at any time, so losing one loses nothing."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from server.storage.database import Base, CreatedAt, Key


class RatingSnapshot(Base):
    """What a game's ratings were at one position in the log, with one choice of settings and of persons left out.

    `record` is lab.records.ratings_record; `fingerprint` identifies everything it depends on besides the log.
    """

    __tablename__ = "rating_snapshots"
    __table_args__ = (
        UniqueConstraint("game", "log_position", "fingerprint"),
        Index("ix_rating_snapshots_fingerprint", "game", "fingerprint", "log_position"),
    )

    id: Mapped[Key]
    game: Mapped[str] = mapped_column(Text)
    computed_at: Mapped[CreatedAt]
    log_position: Mapped[int]
    judgements: Mapped[int]
    fingerprint: Mapped[str] = mapped_column(Text)
    settings: Mapped[dict[str, Any]]
    left_out: Mapped[list[Any]]
    software: Mapped[str] = mapped_column(Text)
    record: Mapped[dict[str, Any]]
    groups: Mapped[dict[str, Any]]
    """Pseudonym → group, apart from the record because seating asks for single persons."""
    shown: Mapped[dict[str, Any] | None]
    """What pages show besides: the persons by column, how they learn, and where real humans stand; and the evidence
    that rounds decide by."""
