"""Who has been told that the account will be deleted."""

from __future__ import annotations

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from server.storage.database import Base, CreatedAt


class RetentionNotice(Base):
    """The mail before the deletion. Logging in takes it back: the next absence begins with a new notice."""

    __tablename__ = "retention_notices"

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    sent_at: Mapped[CreatedAt]
