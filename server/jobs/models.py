"""Signs of life of the background workers."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Text
from sqlalchemy.orm import Mapped, mapped_column

from server.storage.database import Base


class WorkerHeartbeat(Base):
    """When the schedule last ran; the status page shows it."""

    __tablename__ = "worker_heartbeats"

    name: Mapped[str] = mapped_column(Text, primary_key=True)
    seen_at: Mapped[datetime]
