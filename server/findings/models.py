"""Findings in both languages; visible to all once published."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Text
from sqlalchemy.orm import Mapped, mapped_column

from server.storage.database import Base, CreatedAt, Key


class Finding(Base):
    __tablename__ = "findings"

    id: Mapped[Key]
    title: Mapped[dict[str, Any]]
    body: Mapped[dict[str, Any]]
    author: Mapped[str] = mapped_column(Text)
    created_at: Mapped[CreatedAt]
    published_at: Mapped[datetime | None]
