"""What withdrawing a consent will do, in figures, shown before it is confirmed."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.live.models import InteractionBatch, MatchSeat
from server.questionnaires.models import Answer, Sheet
from server.study.consent import Kind


@dataclass(frozen=True, slots=True)
class Effect:
    """How much of the person's data is concerned. What happens to them is told by the page, by kind."""

    matches: int
    answers: int
    records: int


async def effect_of_withdrawing(session: AsyncSession, person_id: int, kind: Kind) -> Effect:
    if kind is Kind.INTERACTION_LOG:
        counts = select(
            func.count(InteractionBatch.match_id.distinct()), func.coalesce(func.sum(InteractionBatch.events), 0)
        )
        matches, records = (await session.execute(counts.where(InteractionBatch.person_id == person_id))).one()
        return Effect(matches, 0, int(records))
    matches = await session.scalar(select(func.count()).where(MatchSeat.person_id == person_id)) or 0
    answers = select(func.count(Answer.id)).join(Sheet, Sheet.id == Answer.sheet_id).where(Sheet.person_id == person_id)
    return Effect(matches, await session.scalar(answers) or 0, 0)
