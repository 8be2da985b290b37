"""Files that were built for somebody to download."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from server.storage.database import Base, Key


class Download(Base):
    """One of each kind per account, the newest; it goes with its account."""

    __tablename__ = "downloads"
    __table_args__ = (UniqueConstraint("account_id", "kind"),)

    id: Mapped[Key]
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(Text)
    asked_at: Mapped[datetime]
    ready_at: Mapped[datetime | None]
    """Null while it is being built."""
    bytes: Mapped[int]


class DownloadPiece(Base):
    """A part of a file, so that nobody ever holds all of it in memory."""

    __tablename__ = "download_pieces"

    download_id: Mapped[int] = mapped_column(ForeignKey("downloads.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)
