"""What admins may change while the study runs: a registry of names, and an append-only history in the database.

limit = await read_setting(session, "waiting_time")     # one value, as timedelta
values = await read_settings(session)                    # all of them, typed: values.panel_size
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Annotated, Any, Final, Literal, get_args

from babel.numbers import format_decimal
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.ext.asyncio import AsyncSession

from games.protocol import Game
from npc.levels import LEVELS
from npc.panel import LARGEST_PANEL
from npc.player import PlayerError
from npc.players import read_player
from npc.program.player import KEY as PROGRAM
from npc.prolog.rulebase import KEY as PROLOG
from server.base.errors import N_, InvalidInput, NotFound
from server.rules.service import NoSuchGame, open_game
from server.storage.texts import storable
from server.study.models import StudySetting
from server.web import times
from server.web.translations import locale


def _read_duration(value: object) -> object:
    """Durations as people write them: seconds, or a number and a unit; what is neither is left to Pydantic."""
    return times.read_duration(value) or value if isinstance(value, str) else value


Duration = Annotated[timedelta, BeforeValidator(_read_duration)]


def _read_list(value: object) -> object:
    """Lists as people write them: separated by commas, spaces or lines."""
    return [part for part in re.split(r"[\s,]+", value) if part] if isinstance(value, str) else value


References = Annotated[
    list[Annotated[str, Field(max_length=200), AfterValidator(storable)]],
    BeforeValidator(_read_list),
    AfterValidator(lambda references: list(dict.fromkeys(references))),
]


def _read_players(value: object) -> object:
    """Players as people write them: their texts have spaces, so only commas, semicolons and lines separate them."""
    return [part.strip() for part in re.split(r"[,;\n]", value) if part.strip()] if isinstance(value, str) else value


PlayerTexts = Annotated[
    list[Annotated[str, Field(max_length=400), AfterValidator(storable)]],
    BeforeValidator(_read_players),
    AfterValidator(lambda texts: list(dict.fromkeys(texts))),
]
ThinksWhere = Literal["browsers", "server"]
ExpertRule = Literal["probability", "bounds"]
WhichMeetings = Literal["first", "all"]


class StudySettings(BaseModel):
    """The study's settings at one moment. Field descriptions are their meaning, shown to researchers."""

    model_config = ConfigDict(frozen=True, ser_json_timedelta="float")

    maintenance: bool = Field(
        False,
        title=N_("Maintenance mode"),
        description=N_("While it is on, no new matches begin; running ones are played to their end."),
    )
    games: References = Field(
        ["jostle:standard"],
        min_length=1,
        max_length=20,
        title=N_("Games"),
        description=N_("The games that probands can choose in the lobby, by their references."),
    )
    players: PlayerTexts = Field(
        [],
        max_length=20,
        title=N_("Players besides"),
        description=N_(
            "Players that are met beside the strategies, in every game that they can play: search players such as "
            "mcts:simulations=300 or minimax:nodes=2000, the levels beginner, club and master, or a list such as "
            "composed:Winning SEARCHER."
        ),
    )
    company: float = Field(
        0.5,
        ge=0,
        le=1,
        title=N_("Company at tables for two"),
        description=N_("How often a proband meets a person where two play; drawn when somebody wants to play."),
    )
    programs_at_table: int = Field(
        1,
        ge=0,
        le=3,
        title=N_("Programs at larger tables"),
        description=N_(
            "How many programs sit at a table where three or four play; persons have the other seats as far as enough "
            "of them wait, and programs the rest."
        ),
    )
    programs_think: ThinksWhere = Field(
        "browsers",
        title=N_("Where programs think"),
        description=N_(
            "In the browsers of those who play, which relieves the server and keeps from everybody who plays with the "
            "page as it is who is a program; but whoever takes the page apart finds it out, because browsers are told "
            "what each program would do. Or on the server: browsers are told nothing about programs, and even somebody "
            "with our source in hand learns nothing but how the others play. In games with secrets programs always "
            "think on the server."
        ),
    )
    waiting_time: Duration = Field(
        timedelta(seconds=20),
        ge=timedelta(0),
        le=timedelta(minutes=10),
        title=N_("Waiting time"),
        description=N_(
            "Once in this time everybody who came meanwhile is seated, and programs fill the tables: nobody waits "
            "longer, and how long one waited tells nothing."
        ),
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
    animation_speed: float = Field(
        2.0,
        ge=0.5,
        le=8,
        title=N_("Pace of the board"),
        description=N_(
            "How fast moves are shown in matches: 1 is leisurely, 2 twice as fast. The same for all seats of a match, "
            "because it colours the times that are measured; a match keeps the pace that it began with."
        ),
    )
    proposal_time: Duration = Field(
        timedelta(seconds=5),
        ge=timedelta(0),
        le=timedelta(minutes=1),
        title=N_("Time for proposals"),
        description=N_("How long the server waits for a browser to compute a program's move before it does so itself."),
    )
    check_share: float = Field(
        # A browser that lies is found out after ten lies on the average, and nothing that it proposes counts from then
        # on. Whoever wants certainty lets the programs think on the server.
        0.1,
        ge=0,
        le=1,
        title=N_("Share of proposals checked"),
        description=N_("Share of the moves proposed by browsers that the server computes again as a check."),
    )
    panel_size: int = Field(
        8,
        ge=1,
        le=LARGEST_PANEL,
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
    expert_rule: ExpertRule = Field(
        "probability",
        title=N_("Experts: rule"),
        description=N_(
            "How super experts are found: by the probability that their d′ is large enough, or by bounds of ability, "
            "outfit and d′, which take more of the others for experts."
        ),
    )
    expert_probability: float = Field(
        0.9,
        ge=0.5,
        lt=1,
        title=N_("Experts: probability"),
        description=N_("How probable it must be that a super expert's d′ exceeds the least one; for the first rule."),
    )
    experts_stay: bool = Field(
        True,
        title=N_("Experts stay"),
        description=N_("Whether in rounds a super expert remains one when strategies become harder to tell."),
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
        description=N_(
            "How far above the mean strategy, in logits, a super expert's ability must surely lie; by bounds."
        ),
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
        description=N_(
            "The least outfit of a super expert, by bounds; 0 also admits those who are nearly always right."
        ),
    )
    expert_outfit_high: float = Field(
        1.5,
        ge=1,
        le=10,
        title=N_("Experts: largest outfit"),
        description=N_("The largest outfit of a super expert, by bounds; more means that the answers look erratic."),
    )
    equivalence_margin: float = Field(
        0.10,
        gt=0,
        lt=0.5,
        title=N_("Margin of equivalence"),
        description=N_("By how much the shares judged human may differ for a program to count as equal to humans."),
    )
    meetings: WhichMeetings = Field(
        "first",
        title=N_("Judgements that are tested"),
        description=N_(
            "Whether the tests against humans take first meetings alone, or all. People meet again what they "
            "misjudged, which makes strategies look more human than they are."
        ),
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
    """Append a new value; the value that counts already is none. `value` is what JSON or a form gives: durations in
    seconds or ISO 8601."""
    checked = checked_setting(name, value)
    if name == "games":
        checked = [await _openable(session, reference) for reference in checked]
    if name == "players":
        rules = [await open_game(session, reference) for reference in (await read_settings(session)).games]
        checked = [_playable(text, rules) for text in checked]
    current = await read_settings(session)
    if current.model_dump(mode="json")[name] == checked:
        return current
    session.add(StudySetting(name=name, value=checked, changed_by=changed_by))
    await session.flush()
    return await read_settings(session)


async def _openable(session: AsyncSession, reference: str) -> str:
    """The reference by which everything will call this game. Raises InvalidInput if there is no such game."""
    try:
        return (await open_game(session, reference)).reference
    except NoSuchGame as error:
        raise InvalidInput(error.text, kind="no_such_game", reference=reference[:80]) from error


def _playable(text: str, rules: Sequence[Game]) -> str:
    """The text by which everything will call this player. Raises InvalidInput if it plays none of the study's games."""
    if text.startswith(f"{PROLOG}:"):
        raise InvalidInput(N_("Rule bases are put into play on the page of rule bases."), kind="no_such_player")
    if text.startswith(f"{PROGRAM}:"):  # nobody has approved what it does
        raise InvalidInput(N_("Programs that somebody wrote take part in tournaments only."), kind="no_such_player")
    refused = ""
    for game in rules:
        try:
            return read_player(LEVELS.get(text, text), game).text
        except PlayerError as error:
            refused = str(error)
    raise InvalidInput(N_("There is no such player: %(reason)s"), kind="no_such_player", reason=refused)


async def setting_history(session: AsyncSession, name: str | None = None) -> list[StudySetting]:
    query = select(StudySetting).order_by(StudySetting.id.desc())
    if name is not None:
        query = query.where(StudySetting.name == name)
    return list(await session.scalars(query))


KINDS: Final[Mapping[object, str]] = {
    timedelta: "duration",
    bool: "switch",
    int: "whole",
    float: "number",
    ThinksWhere: "choice",
    ExpertRule: "choice",
    WhichMeetings: "choice",
}
CHOICES: Final[Mapping[str, str]] = {
    "browsers": N_("in the browsers"),
    "server": N_("on the server"),
    "probability": N_("by probability"),
    "bounds": N_("by bounds"),
    "first": N_("first meetings"),
    "all": N_("all meetings"),
}
"""The words of values that are chosen from a list."""


def kind_of(name: str) -> str:
    """What sort of value a setting has: a duration, a switch, a whole or any number, one of some choices, a list."""
    return KINDS.get(StudySettings.model_fields[name].annotation, "list")


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
    if isinstance(known, list):
        return ", ".join(known)
    if isinstance(known, str):
        return say(CHOICES[known])
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
    """Name → title, meaning, default, type, choices and range, for pages and the command line."""
    defaults = StudySettings().model_dump(mode="json")
    schema = StudySettings.model_json_schema()["properties"]
    return {
        name: {
            "title": field.title,
            "meaning": field.description,
            "default": defaults[name],
            "type": schema[name].get("type", "number"),
            "choices": list(get_args(field.annotation)) if kind_of(name) == "choice" else [],
            **_range(field),
        }
        for name, field in StudySettings.model_fields.items()
    }
