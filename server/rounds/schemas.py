"""The forms of rounds."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from lab.refinement import PRESETS, RefinementSettings
from lab.refinement.evidence import FALLS
from lab.refinement.operators import SIGMA_RULES
from server.base.errors import N_
from server.rounds.models import Schedule
from server.rounds.simulated_probands import SimulatedProbands
from server.web.forms import Form

SETTINGS = fields(RefinementSettings)
TYPES: dict[str, Callable[[str], object]] = {
    "int": int,
    "float": float,
    "str": str,
    "bool": lambda written: {"true": True, "false": False}[written.lower()],
}
CHOICES: dict[str, Collection[str]] = {"sigma_rule": SIGMA_RULES, "fall": FALLS}
Text = Annotated[str, Field(max_length=20_000)]
SINGLE = "set_"
"""How the fields of single settings begin."""


def read_overrides(written: str) -> dict[str, object]:
    """Lines such as "judgements = 8" as settings. Raises ValueError that names the line."""
    known = {field.name: field.type if isinstance(field.type, str) else field.type.__name__ for field in SETTINGS}
    values: dict[str, object] = {}
    for line in filter(str.strip, written.splitlines()):
        name, _, value = (part.strip() for part in line.partition("="))
        if name not in known:
            raise ValueError(f"{name!r} is no setting; the settings are {', '.join(known)}")
        try:
            values[name] = TYPES[known[name]](value)
        except (ValueError, KeyError):
            raise ValueError(f"{name}: {value!r} is not of the type {known[name]}") from None
        if value not in CHOICES.get(name, (value,)):
            raise ValueError(f"{name}: {value!r} is none of {', '.join(CHOICES[name])}")
    return values


def _overrides(written: str) -> str:
    replace(PRESETS["recommended"], **read_overrides(written))  # type: ignore[arg-type]  # checked by field
    return written


def utc(at: datetime) -> datetime:
    """Times without a zone are in UTC, as the form says."""
    return at if at.tzinfo else at.replace(tzinfo=UTC)


class ScheduleForm(Form):
    """When the next step is taken."""

    when: Literal["now", "at", "satisfied", "held"] = "satisfied"
    step_at: Annotated[datetime, AfterValidator(utc)] | None = Field(default=None, validate_default=True)

    @field_validator("step_at")
    @classmethod
    def a_time_is_given(cls, at: datetime | None, info: ValidationInfo) -> datetime | None:
        """Else "at a time" without one would mean: now."""
        if at is None and info.data.get("when") == "at":
            raise ValueError(N_("Please say at which time."))
        return at

    @property
    def schedule(self) -> tuple[Schedule, datetime | None]:
        """Now is a time that has come already."""
        if self.when == "now":
            return Schedule.AT, None
        return Schedule(self.when), self.step_at


class RoundForm(ScheduleForm):
    """A new round. An empty start population is the game's own; whether a strategy can play, the game decides."""

    name: str = Field(min_length=1, max_length=100)
    game: str = Field(min_length=1, max_length=200)
    seed: int = Field(ge=0, le=2**62)
    preset: Literal["recommended", "decided", "thesis"] = "recommended"
    overrides: Annotated[Text, AfterValidator(_overrides)] = ""
    population: Text = ""
    simulated: Literal["yes", ""] = ""
    planted: Annotated[str, Field(max_length=500)] = ""
    persons: int = Field(default=100, ge=2, le=10_000)
    judgements: int = Field(default=30, ge=2, le=1000)

    @model_validator(mode="before")
    @classmethod
    def single_settings(cls, sent: Any) -> Any:
        """The page has a field for every setting; one that is empty stays as it is in the chosen set."""
        lines, wrong = [], []
        for field in SETTINGS:
            written = str(sent.get(SINGLE + field.name) or "").strip()
            if not written:
                continue
            lines.append(f"{field.name} = {' '.join(written.split())}")
            try:
                read_overrides(lines[-1])
            except ValueError as error:
                told = PydanticCustomError("value_error", "{error}", {"error": error})
                wrong.append(InitErrorDetails(type=told, loc=(SINGLE + field.name,), input=written))
        if wrong:
            raise ValidationError.from_exception_data(cls.__name__, wrong)
        return {**sent, "overrides": "\n".join([sent.get("overrides", ""), *lines])}

    @property
    def settings(self) -> RefinementSettings:
        return replace(PRESETS[self.preset], **read_overrides(self.overrides))  # type: ignore[arg-type]  # checked by field

    @property
    def lines(self) -> list[str]:
        """The start population as it was written."""
        return [line for line in self.population.splitlines() if line.strip()]

    @property
    def simulation(self) -> SimulatedProbands | None:
        return SimulatedProbands(self.planted, self.persons, self.judgements) if self.simulated else None
