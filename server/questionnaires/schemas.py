"""What browsers send and get while a questionnaire is filled in."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field


class GivenAnswer(BaseModel):
    """One answer, saved as soon as it is given; a null value takes it back."""

    model_config = ConfigDict(extra="forbid")

    item: Annotated[str, Field(max_length=40)]
    seat: Annotated[int, Field(ge=0, le=15)] | None = None
    value: Any = None
    shown_ms: Annotated[int, Field(ge=0, le=86_400_000)] | None = None


class Saved(BaseModel):
    """What is still missing, as names of fields."""

    missing: list[str]
