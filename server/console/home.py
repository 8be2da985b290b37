"""What admins see first: is everything healthy, what runs, what needs somebody, when may a round's next step come."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.models import Person
from server.base.clock import now
from server.base.errors import N_
from server.base.settings import Settings
from server.console import service
from server.falsifiers.models import FalsifierFlag, FlagState
from server.jobs import queue
from server.judgements.models import JudgementRow
from server.live.models import Match
from server.mail.models import Mail
from server.rounds import repository as rounds
from server.rounds.models import Round, Schedule, Status
from server.study.settings import StudySettings, read_settings

DAY: Final = timedelta(days=1)
PACE_DAYS: Final = 7
"""Over so many days judgements are counted for the forecast."""


@dataclass(frozen=True)
class Forecast:
    """What the next step of a round lacks, and how long it takes at the pace of the last days."""

    missing: int
    missing_experts: int
    per_day: float
    days: float | None
    """None if nobody judges, or no super expert."""

    @property
    def time(self) -> timedelta:
        """As roughly as it is known: whole days, or hours if there are few."""
        assert self.days is not None
        return timedelta(days=round(self.days)) if self.days >= 2 else timedelta(hours=max(1, round(24 * self.days)))


@dataclass(frozen=True)
class Attention:
    """Something that an admin should look at, and where; `count` stands in the text."""

    text: str
    link: str
    urgent: bool = False
    count: int = 0


@dataclass(frozen=True)
class Home:
    live: service.Live
    heartbeat: datetime | None
    silent: bool
    persons: int
    matches: int
    judgements: int
    study: StudySettings
    rounds: list[tuple[Round, Forecast]]
    attention: list[Attention]
    cautions: list[str]


async def home(session: AsyncSession, settings: Settings) -> Home:
    live, jobs, study = await service.live(session), await queue.overview(session), await read_settings(session)
    active = [one for one in await rounds.all_rounds(session) if one.active]
    since = now() - DAY
    return Home(
        live,
        jobs.heartbeat,
        jobs.silent,
        await _count(session, Person.created_at >= since),
        await _count(session, Match.starts_at >= since),
        await _count(session, JudgementRow.at >= since),
        study,
        [(one, forecast(one, await _pace(session, one.game))) for one in active],
        await _attention(session, live, jobs, active, study),
        settings.cautions,
    )


def forecast(round_: Round, per_day: float) -> Forecast:
    """Lists put first what is lacking, so that nearly all judgements go where they are needed."""
    settings, known = round_.settings, list(round_.progress.get("strategies", {}).values())
    experts = settings["strip_experts"] if round_.phase == "strip" else settings["expert_judgements"]
    missing = sum(max(0, settings["judgements"] - one["judgements"]) for one in known)
    of_experts = sum(max(0.0, experts - one["expert_judgements"]) for one in known)
    judged = sum(one["judgements"] for one in known)
    share = min(1.0, sum(one["expert_judgements"] for one in known) / judged) if judged else 0.0
    return Forecast(
        missing, round(of_experts), per_day, _longest(_days(missing, per_day), _days(of_experts, share * per_day))
    )


def _days(lacking: float, per_day: float) -> float | None:
    if not lacking:
        return 0.0
    return lacking / per_day if per_day else None


def _longest(*times: float | None) -> float | None:
    return None if None in times else max(time for time in times if time is not None)


async def _pace(session: AsyncSession, game: str) -> float:
    """Judgements about programs a day."""
    recent = JudgementRow.at >= now() - PACE_DAYS * DAY
    found = await _count(session, recent, JudgementRow.game == game, JudgementRow.strategy.is_not(None))
    return found / PACE_DAYS


async def _attention(
    session: AsyncSession, live: service.Live, jobs: queue.Overview, active: list[Round], study: StudySettings
) -> list[Attention]:
    """The urgent first."""
    overdue = sum(one.overdue for one in live.running)
    failed = sum(one.status == "failed" for one in jobs.queue)
    given_up = await _count(session, Mail.due_at.is_(None))
    flags = await _count(session, FalsifierFlag.state == FlagState.RAISED.value)
    paused = sum(one.status == Status.PAUSED for one in active)
    held = sum(one.status == Status.RUNNING and one.schedule == Schedule.HELD for one in active)
    found = (
        Attention(N_("No worker gives a sign of life: jobs wait. Start one with: grintu worker"), "/admin/jobs", True)
        if jobs.silent
        else None,
        Attention(N_("Matches that no server process moves on: %(count)s"), "/admin/live", True, overdue),
        Attention(N_("Jobs that failed: %(count)s"), "/admin/jobs", True, failed),
        Attention(N_("Mails that could not be delivered: %(count)s"), "/admin/mail", True, given_up),
        Attention(N_("Maintenance is on: no new match begins."), "/admin/settings#maintenance")
        if study.maintenance
        else None,
        Attention(N_("Rounds that are paused: %(count)s"), "/admin/rounds", False, paused),
        Attention(N_("Rounds that wait for an admin to allow the next step: %(count)s"), "/admin/rounds", False, held),
        Attention(N_("Flags of possible falsifiers to decide: %(count)s"), "/research/flags", False, flags),
    )
    return [one for one in found if one is not None and (one.count or "%(count)s" not in one.text)]


async def _count(session: AsyncSession, *conditions: Any) -> int:
    return await session.scalar(select(func.count()).where(*conditions)) or 0
