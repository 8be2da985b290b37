"""What the ratings' endpoints answer."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel


class Snapshot(BaseModel):
    """`record` holds persons, strategies, experts, groups and the Rasch report; persons appear by pseudonym."""

    id: int
    game: str
    computed_at: datetime
    log_position: int
    judgements: int
    settings: dict[str, Any]
    left_out: list[str]
    software: str
    record: dict[str, Any]
