"""How somebody stands: matches, days in a row, and, as soon as it may be told, how well he or she judged and how often
he or she was taken for a human.

What others were is told by a number only where it tells nothing about a match that still counts:

- of the own judgements, all where the study reveals who was who after the answers, else those given before the game's
  last round ended; what comes after it changes nothing until the next one ends;
- of what others thought, always only that, and never about a match that this person can still answer about;
- neither from less than LEAST judgements, which would tell about single seats.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, and_, false, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from lab.intervals import Interval, wilson
from lab.judgements import Verdict
from server.base.clock import now
from server.judgements.models import JudgementRow
from server.live.models import Match, MatchSeat
from server.questionnaires.models import Sheet
from server.rounds.models import ACTIVE, Round
from server.study.settings import read_settings

LEAST: Final = 5
"""Judgements before a share is told."""
ANSWERABLE: Final = timedelta(days=2)
"""After a match's end nobody can answer about it any more: it is offered for a day, and then open for one at most."""


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    count: int
    of: int

    @property
    def share(self) -> float:
        return self.count / self.of

    @property
    def interval(self) -> Interval:
        return wilson(self.count, self.of)


@dataclass(frozen=True, slots=True)
class Standing:
    matches: int
    answered: int
    days: int
    """In a row, up to today or yesterday, on which questionnaires were answered."""
    hits: Share | None
    """Own judgements that were right; None as long as it may not be told."""
    missing: int | None
    """How many judgements are missing until it is told; None if a round has to end first."""
    taken: Share | None
    """Others' judgements that took this person for a human."""


async def standing_of(session: AsyncSession, person_id: int) -> Standing:
    ended = await _rounds_ended(session)
    reveals = (await read_settings(session)).reveal_after_answering
    hits = await _hits(session, person_id, None if reveals else ended)
    return Standing(
        matches=await _matches(session, person_id),
        answered=await _answered(session, person_id),
        days=days_in_a_row(await _days(session, person_id), now().date()),
        hits=hits if hits.of >= LEAST else None,
        missing=max(0, LEAST - hits.of) if reveals else None,
        taken=taken if (taken := await _taken(session, person_id, ended)).of >= LEAST else None,
    )


def days_in_a_row(days: Iterable[date], today: date) -> int:
    """Up to today; who has not come yet today has not broken the row."""
    known = set(days)
    last = today if today in known else today - timedelta(days=1)
    count = 0
    while last - timedelta(days=count) in known:
        count += 1
    return count


async def _rounds_ended(session: AsyncSession) -> dict[str, datetime]:
    """When the last round of each game ended, of those that people judged in."""
    query = select(Round.game, Round.ended_at, Round.simulation).where(Round.status.not_in(ACTIVE))
    rows = await session.execute(query.order_by(Round.ended_at))
    return {game: at for game, at, simulation in rows if at is not None and simulation is None}


async def _matches(session: AsyncSession, person_id: int) -> int:
    query = select(func.count()).select_from(MatchSeat).join(Match, Match.id == MatchSeat.match_id)
    mine = MatchSeat.person_id == person_id, MatchSeat.replaced_at.is_(None), Match.ended_at.is_not(None)
    return await session.scalar(query.where(*mine)) or 0


async def _answered(session: AsyncSession, person_id: int) -> int:
    query = select(func.count()).where(Sheet.person_id == person_id, Sheet.match_id.is_not(None))
    return await session.scalar(query.where(Sheet.finished_at.is_not(None))) or 0


async def _days(session: AsyncSession, person_id: int) -> list[date]:
    """The newest days with answers; in UTC, like everything that is counted."""
    day = func.date(func.timezone("UTC", Sheet.finished_at))
    mine = Sheet.person_id == person_id, Sheet.match_id.is_not(None), Sheet.finished_at.is_not(None)
    return list(await session.scalars(select(day).where(*mine).distinct().order_by(day.desc()).limit(1000)))


async def _hits(session: AsyncSession, person_id: int, until: Mapping[str, datetime] | None) -> Share:
    """Right ones of the own judgements that decided; up to these times by game, or all."""
    decided = JudgementRow.verdict != Verdict.CANNOT_TELL.value
    right = or_(
        and_(JudgementRow.verdict == Verdict.HUMAN.value, JudgementRow.strategy.is_(None)),
        and_(JudgementRow.verdict == Verdict.ARTIFICIAL.value, JudgementRow.strategy.is_not(None)),
    )
    query = select(func.count().filter(right), func.count()).where(JudgementRow.person_id == person_id, decided)
    if until is not None:
        query = query.where(_before(until))
    count, of = (await session.execute(query)).one()
    return Share(count, of)


async def _taken(session: AsyncSession, person_id: int, until: Mapping[str, datetime]) -> Share:
    own = select(Sheet.id).where(
        Sheet.person_id == person_id,
        Sheet.match_id == JudgementRow.match_id,
        or_(Sheet.finished_at.is_not(None), Sheet.skipped_at.is_not(None), Sheet.closed_at.is_not(None)),
    )
    seat = and_(MatchSeat.match_id == JudgementRow.match_id, MatchSeat.seat == JudgementRow.seat)
    query = (
        select(func.count().filter(JudgementRow.verdict == Verdict.HUMAN.value), func.count())
        .select_from(JudgementRow)
        .join(MatchSeat, seat)
        .join(Match, Match.id == JudgementRow.match_id)
        .where(
            MatchSeat.person_id == person_id,
            JudgementRow.strategy.is_(None),
            JudgementRow.verdict != Verdict.CANNOT_TELL.value,
            or_(Match.ended_at <= now() - ANSWERABLE, own.exists()),
            _before(until),
        )
    )
    count, of = (await session.execute(query)).one()
    return Share(count, of)


def _before(until: Mapping[str, datetime]) -> ColumnElement[bool]:
    """Judgements of these games up to these times."""
    return or_(false(), *(and_(JudgementRow.game == game, JudgementRow.at <= at) for game, at in until.items()))
