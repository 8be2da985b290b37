"""Which part of the study an overview shows: dates, a round, a game, a group of persons."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any

from fastapi import Query
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


def _none_if_empty(value: object) -> object:
    """A form sends the fields that nobody filled in as empty texts."""
    return None if value == "" else value


Chosen = BeforeValidator(_none_if_empty)
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]
Day = Annotated[date, Field(ge=date(2000, 1, 1), le=date(2100, 1, 1))]
RoundName = Annotated[str, Field(pattern=r"^\d{1,9}(\.\d{1,5})?$")]
Group = Annotated[str, Field(pattern=r"^(\d{1,9}|[a-z][a-z0-9_]{0,39}:[A-Za-z0-9_]{1,60})$")]
Word = Annotated[str, Field(max_length=200, pattern=r"^[^\x00]*$")]


class Filter(BaseModel):
    """As it stands in an address: `?since=2026-09-01&until=2026-09-30&round=3&game=tic-tac-toe&group=1`."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    since: Annotated[Day | None, Chosen] = None
    """The first day, UTC."""
    until: Annotated[Day | None, Chosen] = None
    """The last day, UTC."""
    round: Annotated[RoundName | None, Chosen] = None
    """A round, as `3`, or one of its generations, as `3.2`: matches of its game while that population played."""
    game: Annotated[Word | None, Chosen] = None
    group: Annotated[Group | None, Chosen] = None
    """Persons of one pattern of detections in the newest ratings, as `1`, or of one answer in the profile, as
    `age:from_25`."""


FilterOf = Annotated[Filter, Query()]


@dataclass(frozen=True, slots=True)
class Part:
    """The part of the study that was chosen, as queries need it. `persons` None: everybody."""

    since: datetime
    until: datetime
    game: str | None = None
    persons: list[int] | None = None


@dataclass
class Where:
    """Conditions with their parameters, in the order of asyncpg's places: what is not filtered by leaves no trace."""

    values: list[Any] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)

    def add(self, condition: str, *values: Any) -> Where:
        """`condition` names its values {0}, {1} …"""
        first = len(self.values) + 1
        self.conditions.append(condition.format(*(f"${first + index}" for index in range(len(values)))))
        self.values += values
        return self

    def __str__(self) -> str:
        return " AND ".join(self.conditions) or "true"


def start_of(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def end_of(day: date) -> datetime:
    return start_of(day) + timedelta(days=1)
