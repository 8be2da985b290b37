"""Exports that researchers asked for in the browser: how far each is, and the archive once it is made."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Boolean, ForeignKey, LargeBinary, Text
from sqlalchemy.orm import Mapped, mapped_column

from server.storage.database import Base, Key


class Export(Base):
    """The newest of each account; it goes with its account, and after a day."""

    __tablename__ = "exports"

    id: Mapped[Key]
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), unique=True)
    wanted: Mapped[dict[str, Any]]
    """What was asked for: server.exports.orders.Order."""
    by_mail: Mapped[bool] = mapped_column(Boolean)
    """Whether the researcher wants a mail when it is made."""
    asked_at: Mapped[datetime]
    step: Mapped[str] = mapped_column(Text)
    """The table that is being written; empty before and after."""
    steps_done: Mapped[int] = mapped_column(BigInteger)
    steps: Mapped[int] = mapped_column(BigInteger)
    rows: Mapped[int] = mapped_column(BigInteger)
    """Written so far of that table."""
    ready_at: Mapped[datetime | None]
    failed_at: Mapped[datetime | None]
    bytes: Mapped[int] = mapped_column(BigInteger)


class ExportPiece(Base):
    """A part of the archive, so that no server ever holds all of it in memory."""

    __tablename__ = "export_pieces"

    export_id: Mapped[int] = mapped_column(ForeignKey("exports.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)
