"""What the console shows: settings as a form knows them, live matches and the lobby."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from server.accounts.models import Person
from server.base.clock import now
from server.base.errors import N_
from server.live.models import LiveProcess, Match
from server.live.records.judging import still_to_judge
from server.matchmaking.models import LobbyPlace
from server.study.settings import describe, kind_of, read_settings
from server.web import times

SHOWN = 100
GROUPS: Final = (
    (N_("The study now"), ("maintenance", "games", "players", "company", "programs_at_table")),
    (
        N_("Matches"),
        ("waiting_time", "grace_time", "move_clock", "animation_speed", "reveal_after_answering", "skip_after"),
    ),
    (N_("Where and how programs think"), ("programs_think", "panel_size", "proposal_time", "check_share")),
    (N_("Ratings"), ("alpha", "equivalence_margin", "meetings", "from_group", "leave_out_falsifiers")),
    (
        N_("Super experts"),
        (
            "expert_rule",
            "expert_probability",
            "expert_d_prime",
            "expert_judgements",
            "expert_margin",
            "expert_outfit_low",
            "expert_outfit_high",
            "experts_stay",
        ),
    ),
    (N_("How long data are kept"), ("inactive_after", "erase_after")),
)
"""What belongs together on the page of settings; what stands in no group comes at the end."""
OTHERS: Final = N_("Further settings")


@dataclass(frozen=True)
class Setting:
    """One study setting as a form shows it: durations as a number of a unit."""

    name: str
    title: str
    kind: str
    meaning: str
    value: Any
    default: Any
    least: Any = None
    most: Any = None
    choices: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        """In which unit a duration is shown."""
        return times.unit_of(timedelta(seconds=self.value))

    @property
    def amount(self) -> float | int:
        return times.amount(timedelta(seconds=self.value), self.unit)

    @property
    def changed(self) -> bool:
        return bool(self.value != self.default)


async def settings(session: AsyncSession) -> list[Setting]:
    values = (await read_settings(session)).model_dump(mode="json")
    return [
        Setting(
            name,
            str(about["title"]),
            kind_of(name),
            str(about["meaning"]),
            values[name],
            about["default"],
            about.get("least"),
            about.get("most"),
            tuple(about["choices"]),
        )
        for name, about in describe().items()
    ]


def grouped(settings: list[Setting]) -> list[tuple[str, list[Setting]]]:
    by_name = {setting.name: setting for setting in settings}
    found = [(title, [by_name.pop(name) for name in names if name in by_name]) for title, names in GROUPS]
    return [*found, *([(OTHERS, list(by_name.values()))] if by_name else [])]


@dataclass(frozen=True)
class Running:
    """A match that is being played."""

    id: int
    since: datetime
    moves: int
    persons: int
    gone: int
    waits_for: str
    overdue: bool
    withheld: bool
    """Whether the admin has still to judge it: then neither who plays nor what it waits for is told."""


@dataclass(frozen=True)
class Waiting:
    pseudonym: str
    since: datetime
    heard_at: datetime


@dataclass(frozen=True)
class Live:
    running: list[Running]
    running_count: int
    waiting: list[Waiting]
    processes: list[tuple[str, datetime]]


async def live(session: AsyncSession, viewer: int | None = None) -> Live:
    """What happens at the moment, as far as the person may know who looks at it.

    A match whose deadline is long past would be stuck: it is marked.
    """
    own = frozenset() if viewer is None else await still_to_judge(session, viewer)
    on = Match.ended_at.is_(None)
    query = select(Match).where(on).options(selectinload(Match.seats)).order_by(Match.id.desc()).limit(SHOWN)
    patience = now() - timedelta(seconds=30)
    waiting = select(LobbyPlace, Person.pseudonym).join(Person, Person.id == LobbyPlace.person_id)
    processes = select(LiveProcess).order_by(LiveProcess.beat_at.desc())
    return Live(
        [
            Running(
                match.id,
                match.starts_at,
                match.ply,
                sum(seat.person_id is not None for seat in match.seats),
                sum(seat.gone_at is not None for seat in match.seats),
                match.due or "",
                match.due_at is not None and match.due_at < patience,
                match.id in own,
            )
            for match in await session.scalars(query)
        ],
        await session.scalar(select(func.count()).where(on)) or 0,
        [Waiting(name, place.since, place.beat_at) for place, name in await session.execute(waiting)],
        [(process.id, process.beat_at) for process in await session.scalars(processes)],
    )
