"""What admins may change while the study runs: a registry of names, and an append-only history in the database.

limit = await read_setting(session, "waiting_time")     # one value, as timedelta
values = await read_settings(session)                    # all of them, typed: values.panel_size
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Annotated, Any

from babel.numbers import format_decimal
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.ext.asyncio import AsyncSession

from server import times
from server.errors import N_, InvalidInput, NotFound
from server.study.models import StudySetting
from server.translations import locale


def _read_duration(value: object) -> object:
    """Durations as people write them: seconds, or a number and a unit; what is neither is left to Pydantic."""
    return times.read_duration(value) or value if isinstance(value, str) else value


Duration = Annotated[timedelta, BeforeValidator(_read_duration)]


class StudySettings(BaseModel):
    """The study's settings at one moment. Field descriptions are their meaning, shown to researchers."""

    model_config = ConfigDict(frozen=True, ser_json_timedelta="float")

    maintenance: bool = Field(
        False,
        title=N_("Maintenance mode"),
        description=N_("While it is on, no new matches begin; running ones are played to their end."),
    )
    waiting_time: Duration = Field(
        timedelta(seconds=20),
        ge=timedelta(0),
        le=timedelta(minutes=10),
        title=N_("Waiting time"),
        description=N_("How long a proband waits for a second one before two programs fill the table."),
    )
    grace_time: Duration = Field(
        timedelta(seconds=60),
        ge=timedelta(0),
        le=timedelta(hours=1),
        title=N_("Grace time"),
        description=N_("How long a proband who lost the connection may come back before a stand-in plays on."),
    )
    move_clock: Duration = Field(
        timedelta(seconds=60),
        ge=timedelta(seconds=5),
        le=timedelta(hours=1),
        title=N_("Move clock"),
        description=N_("How long a seat may think about one decision before a default move is played."),
    )
    proposal_time: Duration = Field(
        timedelta(seconds=5),
        ge=timedelta(0),
        le=timedelta(minutes=1),
        title=N_("Time for proposals"),
        description=N_("How long the server waits for a browser to compute a program's move before it does so itself."),
    )
    check_share: float = Field(
        # All of them: a browser that is believed can steer the programs, and see by their moves who is one. A check
        # takes less than a tenth of a millisecond.
        1.0,
        ge=0,
        le=1,
        title=N_("Share of proposals checked"),
        description=N_("Share of the moves proposed by browsers that the server computes again as a check."),
    )
    panel_size: int = Field(
        8,
        ge=1,
        le=64,
        title=N_("Size of the panel"),
        description=N_("How many strategies a match's panel holds, those that really play among them."),
    )
    alpha: float = Field(
        0.2,
        gt=0,
        lt=1,
        title=N_("Weight of the newest judgement"),
        description=N_("How much a new judgement counts in the smoothed ratings of persons and strategies."),
    )
    expert_judgements: int = Field(
        10,
        ge=1,
        le=1000,
        title=N_("Experts: least judgements"),
        description=N_("How many programs a person must have judged before counting as a super expert."),
    )
    expert_margin: float = Field(
        0.5,
        ge=-5,
        le=5,
        title=N_("Experts: margin"),
        description=N_("How far above the mean strategy, in logits, a super expert's ability must surely lie."),
    )
    expert_d_prime: float = Field(
        1.0,
        ge=0,
        le=5,
        title=N_("Experts: least d′"),
        description=N_("How well (d′) a super expert must tell programs from humans."),
    )
    expert_outfit_low: float = Field(
        0.5,
        ge=0,
        le=1,
        title=N_("Experts: least outfit"),
        description=N_("The least outfit of a super expert; 0 also admits those who are nearly always right."),
    )
    expert_outfit_high: float = Field(
        1.5,
        ge=1,
        le=10,
        title=N_("Experts: largest outfit"),
        description=N_("The largest outfit of a super expert; more means that the answers look erratic."),
    )
    equivalence_margin: float = Field(
        0.10,
        gt=0,
        lt=0.5,
        title=N_("Margin of equivalence"),
        description=N_("By how much the shares judged human may differ for a program to count as equal to humans."),
    )
    from_group: int = Field(
        5,
        ge=0,
        le=100,
        title=N_("Strategies from the group's list"),
        description=N_("How many strategies that a person's group misjudged go on that person's list."),
    )
    leave_out_falsifiers: bool = Field(
        True,
        title=N_("Leave confirmed falsifiers out"),
        description=N_("Whether ratings leave out persons whose falsifier flag a researcher has confirmed."),
    )
    reveal_after_answering: bool = Field(
        False,
        title=N_("Reveal who was who"),
        description=N_("Whether a proband learns after the questionnaire who was a human and who a program."),
    )
    skip_after: int = Field(
        2,
        ge=0,
        le=1000,
        title=N_("Skipping is offered after"),
        description=N_("After how many answered questionnaires a proband may skip further ones."),
    )
    inactive_after: Duration = Field(
        timedelta(weeks=4),
        ge=timedelta(days=1),
        le=timedelta(days=3650),
        title=N_("Inactive after"),
        description=N_("After this time without log-in an account counts as inactive. The consent text names it too."),
    )
    erase_after: Duration = Field(
        timedelta(days=183),
        ge=timedelta(days=1),
        le=timedelta(days=3650),
        title=N_("Erased after"),
        description=N_("After this time without log-in the personal data are deleted. The consent text names it too."),
    )


NO_DURATION = 'expected seconds, or a duration such as "4 weeks"'
NAMES = tuple(StudySettings.model_fields)


async def read_settings(session: AsyncSession) -> StudySettings:
    """All settings as they count now."""
    newest = (
        select(StudySetting.name, StudySetting.value)
        .ext(distinct_on(StudySetting.name))
        .order_by(StudySetting.name, StudySetting.id.desc())
    )
    stored = {name: value for name, value in await session.execute(newest) if name in NAMES}
    return StudySettings.model_validate(stored)


async def read_setting(session: AsyncSession, name: str) -> Any:
    if name not in NAMES:
        raise NotFound(N_("There is no study setting called %(name)s."), name=name)
    return getattr(await read_settings(session), name)


def checked_setting(name: str, value: object) -> Any:
    """The value as it is stored. Raises NotFound for an unknown name, InvalidInput for a value that does not fit."""
    if name not in NAMES:
        raise NotFound(N_("There is no study setting called %(name)s."), name=name)
    try:
        known = StudySettings.model_validate({name: value})
    except ValidationError as error:
        found = error.errors()[0]
        reason = NO_DURATION if found["type"] == "time_delta_parsing" else found["msg"]
        raise InvalidInput(N_("%(name)s: %(reason)s"), name=name, reason=reason, kind=found["type"]) from error
    return known.model_dump(mode="json")[name]


async def change_setting(session: AsyncSession, name: str, value: object, *, changed_by: str) -> StudySettings:
    """Append a new value. `value` is what JSON or a form gives: durations in seconds or ISO 8601."""
    session.add(StudySetting(name=name, value=checked_setting(name, value), changed_by=changed_by))
    await session.flush()
    return await read_settings(session)


async def setting_history(session: AsyncSession, name: str | None = None) -> list[StudySetting]:
    query = select(StudySetting).order_by(StudySetting.id.desc())
    if name is not None:
        query = query.where(StudySetting.name == name)
    return list(await session.scalars(query))


def kind_of(name: str) -> str:
    """What sort of value a setting has: a duration, a switch, a whole or any number."""
    kinds: dict[object, str] = {timedelta: "duration", bool: "switch", int: "whole", float: "number"}
    return kinds[StudySettings.model_fields[name].annotation]


def in_words(name: str, value: object, say: Callable[[str], str], language: str) -> str:
    """A stored value as people read it; what does not fit the setting any more is shown as it was written."""
    try:
        known = getattr(StudySettings.model_validate({name: value}), name)
    except (ValidationError, AttributeError):
        return str(value)
    if isinstance(known, bool):
        return say(N_("yes")) if known else say(N_("no"))
    if isinstance(known, timedelta):
        return times.duration(known, language)
    return format_decimal(known, format="0.######", locale=locale(language))


def _range(field: FieldInfo) -> dict[str, Any]:
    """The smallest and the largest value, as they are stored."""
    ends = {}
    for limit in field.metadata:
        for end, kinds in (("least", ("ge", "gt")), ("most", ("le", "lt"))):
            value = next((getattr(limit, kind) for kind in kinds if hasattr(limit, kind)), None)
            if value is not None:
                ends[end] = value.total_seconds() if isinstance(value, timedelta) else value
    return ends


def describe() -> Mapping[str, dict[str, Any]]:
    """Name → title, meaning, default, type and range, for pages and the command line."""
    defaults = StudySettings().model_dump(mode="json")
    schema = StudySettings.model_json_schema()["properties"]
    return {
        name: {
            "title": field.title,
            "meaning": field.description,
            "default": defaults[name],
            "type": schema[name].get("type", "number"),
            **_range(field),
        }
        for name, field in StudySettings.model_fields.items()
    }
