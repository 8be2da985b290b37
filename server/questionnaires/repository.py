"""Queries on questionnaires, sheets and answers."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import and_, func, or_, select
from sqlalchemy.dialects.postgresql import distinct_on, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import joinedload

from server.base.clock import now
from server.live.models import Match, MatchSeat
from server.live.records.judging import Judge
from server.questionnaires.content import AnswerKey, Purpose, Questionnaire
from server.questionnaires.models import Answer, QuestionnaireVersion, Sheet, State

SHIPPED = Path(__file__).parent / "shipped"


@cache
def shipped(purpose: Purpose) -> Questionnaire:
    """The questionnaire that comes with the platform."""
    return Questionnaire.model_validate(json.loads((SHIPPED / f"{purpose}.json").read_text(encoding="utf-8")))


async def published(session: AsyncSession, purpose: Purpose) -> QuestionnaireVersion:
    """The version that new sheets are opened in; before anything else was published, the one that is shipped."""
    query = select(QuestionnaireVersion).where(
        QuestionnaireVersion.purpose == purpose, QuestionnaireVersion.state == State.PUBLISHED
    )
    found = await session.scalar(query)
    if found is not None:
        return found
    # Two first requests may come at once: the unique index lets one win, and both read the same row.
    await session.execute(
        insert(QuestionnaireVersion)
        .values(
            purpose=purpose,
            number=select(func.coalesce(func.max(QuestionnaireVersion.number), 0) + 1)
            .where(QuestionnaireVersion.purpose == purpose)
            .scalar_subquery(),
            state=State.PUBLISHED.value,
            content=shipped(purpose).model_dump(mode="json"),
            author="GRINTU",
            created_at=now(),
            published_at=now(),
        )
        .on_conflict_do_nothing()
    )
    return (await session.scalars(query)).one()


async def sheet_about(session: AsyncSession, person_id: int, match_id: int, *, lock: bool = False) -> Sheet | None:
    query = (
        select(Sheet).where(Sheet.person_id == person_id, Sheet.match_id == match_id).options(joinedload(Sheet.version))
    )
    return await session.scalar(query.with_for_update(of=Sheet) if lock else query)


async def profile_sheet(session: AsyncSession, person_id: int) -> Sheet | None:
    """The newest sheet that a person has filled in about him- or herself."""
    query = (
        select(Sheet)
        .where(Sheet.person_id == person_id, Sheet.match_id.is_(None))
        .order_by(Sheet.id.desc())
        .limit(1)
        .options(joinedload(Sheet.version))
    )
    return await session.scalar(query)


async def current_answers(session: AsyncSession, sheet_id: int) -> dict[AnswerKey, Any]:
    """What counts now: the newest answer per item and seat, without those taken back."""
    query = (
        select(Answer.item, Answer.seat, Answer.value)
        .where(Answer.sheet_id == sheet_id)
        .ext(distinct_on(Answer.item, Answer.seat))
        .order_by(Answer.item, Answer.seat, Answer.id.desc())
    )
    return {(item, seat): value for item, seat, value in await session.execute(query) if value is not None}


async def answers_and_rows(session: AsyncSession, sheet_id: int) -> tuple[dict[AnswerKey, Any], int]:
    """What counts now, and how many answers were ever given, those changed and taken back included."""
    query = (
        select(Answer.item, Answer.seat, Answer.value, func.count().over())
        .where(Answer.sheet_id == sheet_id)
        .ext(distinct_on(Answer.item, Answer.seat))
        .order_by(Answer.item, Answer.seat, Answer.id.desc())
    )
    rows = (await session.execute(query)).all()
    answers = {(item, seat): value for item, seat, value, _ in rows if value is not None}
    return answers, rows[0][3] if rows else 0


async def finished_count(session: AsyncSession, person_id: int) -> int:
    query = select(func.count()).where(
        Sheet.person_id == person_id, Sheet.match_id.is_not(None), Sheet.finished_at.is_not(None)
    )
    return await session.scalar(query) or 0


async def open_sheets(session: AsyncSession, person_id: int, at: datetime) -> list[Sheet]:
    """What a person may still finish today, newest first."""
    query = (
        select(Sheet)
        .where(
            Sheet.person_id == person_id,
            Sheet.match_id.is_not(None),
            Sheet.finished_at.is_(None),
            Sheet.skipped_at.is_(None),
            Sheet.closed_at.is_(None),
            Sheet.closes_at > at,
        )
        .order_by(Sheet.id.desc())
    )
    return list(await session.scalars(query))


async def unasked_matches(session: AsyncSession, person_id: int, since: datetime) -> list[Match]:
    """Matches that ended lately and whose questionnaire the person has never opened, newest first."""
    query = (
        select(Match)
        .join(MatchSeat, MatchSeat.match_id == Match.id)
        .where(
            MatchSeat.person_id == person_id,
            MatchSeat.replaced_at.is_(None),
            Match.ended_at > since,
            ~select(Sheet.id).where(Sheet.person_id == person_id, Sheet.match_id == Match.id).exists(),
        )
        .order_by(Match.id.desc())
    )
    return list(await session.scalars(query))


async def overdue_sheets(session: AsyncSession, at: datetime, limit: int) -> list[Sheet]:
    """Unfinished sheets whose time is over; locked, so that two workers do not close one twice."""
    query = (
        select(Sheet)
        .where(
            Sheet.finished_at.is_(None), Sheet.skipped_at.is_(None), Sheet.closed_at.is_(None), Sheet.closes_at <= at
        )
        .order_by(Sheet.closes_at)
        .limit(limit)
        .with_for_update(of=Sheet, skip_locked=True)
        .options(joinedload(Sheet.version))
    )
    return list(await session.scalars(query))


async def judges(session: AsyncSession, matches: Collection[int], at: datetime, since: datetime) -> set[Judge]:
    """Who can still answer about these matches: the sheet is open, or was never opened and may still be."""
    unopened = and_(Sheet.id.is_(None), or_(Match.ended_at.is_(None), Match.ended_at > since))
    still_open = and_(
        Sheet.finished_at.is_(None), Sheet.skipped_at.is_(None), Sheet.closed_at.is_(None), Sheet.closes_at > at
    )
    query = (
        select(MatchSeat.match_id, MatchSeat.person_id)
        .join(Match, Match.id == MatchSeat.match_id)
        .outerjoin(Sheet, and_(Sheet.match_id == MatchSeat.match_id, Sheet.person_id == MatchSeat.person_id))
        .where(
            MatchSeat.match_id.in_(matches),
            MatchSeat.person_id.is_not(None),
            MatchSeat.replaced_at.is_(None),
            or_(unopened, still_open),
        )
    )
    return {Judge(match, person) for match, person in await session.execute(query) if person is not None}
