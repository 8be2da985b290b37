"""What a person has answered, for his or her own download; and what goes when the account goes."""

from __future__ import annotations

from pydantic import JsonValue
from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.owndata import counts, erases, exports
from server.judgements.models import JudgementRow
from server.questionnaires import told
from server.questionnaires.models import Answer, QuestionnaireVersion, Sheet
from server.study.consent import ConsentKind
from server.study.withdrawal import gathered

__all__ = ["told"]  # importing it registers what the page of the own data tells


@exports("questionnaires")
async def my_questionnaires(session: AsyncSession, person_id: int) -> JsonValue:
    """Every sheet with every answer ever given on it, the profile's among them."""
    query = (
        select(Sheet, QuestionnaireVersion.purpose, QuestionnaireVersion.number)
        .join(QuestionnaireVersion, QuestionnaireVersion.id == Sheet.version_id)
        .where(Sheet.person_id == person_id)
        .order_by(Sheet.id)
    )
    sheets = [(sheet, purpose, number) for sheet, purpose, number in await session.execute(query)]
    answers: dict[int, list[JsonValue]] = {sheet.id: [] for sheet, _, _ in sheets}
    for answer in await session.scalars(select(Answer).where(Answer.sheet_id.in_(answers)).order_by(Answer.id)):
        answers[answer.sheet_id].append(
            {
                "item": answer.item,
                "seat": answer.seat,
                "value": answer.value,
                "at": answer.at.isoformat(),
                "shown_ms": answer.shown_ms,
            }
        )
    return [
        {
            "questionnaire": purpose,
            "version": number,
            "match": sheet.match_id,
            "opened_at": sheet.opened_at.isoformat(),
            "finished_at": sheet.finished_at.isoformat() if sheet.finished_at else None,
            "skipped_at": sheet.skipped_at.isoformat() if sheet.skipped_at else None,
            "answers": answers[sheet.id],
        }
        for sheet, purpose, number in sheets
    ]


@exports("judgements")
async def my_judgements(session: AsyncSession, person_id: int) -> JsonValue:
    """What I said about the seats I met. What they really were is told by the match, if at all."""
    query = select(JudgementRow).where(JudgementRow.person_id == person_id).order_by(JudgementRow.id)
    return [
        {
            "match": row.match_id,
            "game": row.game,
            "seat": row.seat,
            "verdict": row.verdict,
            "sureness": row.sureness,
            "challenge": row.challenge,
            "enjoyment": row.enjoyment,
            "at": row.at.isoformat(),
        }
        for row in await session.scalars(query)
    ]


@erases("account")
async def forget_profile(session: AsyncSession, person_id: int) -> None:
    """The profile describes a person, so it goes with the account; answers about matches stay under the pseudonym."""
    profiles = select(Sheet.id).where(Sheet.person_id == person_id, Sheet.match_id.is_(None))
    await session.execute(delete(Answer).where(Answer.sheet_id.in_(profiles)))
    await session.execute(delete(Sheet).where(Sheet.person_id == person_id, Sheet.match_id.is_(None)))


@counts("questionnaires")
@gathered(ConsentKind.PLAY_DATA, "answers")
async def number_of_answers(session: AsyncSession, person_id: int) -> int:
    query = select(func.count(Answer.id)).join(Sheet, Sheet.id == Answer.sheet_id).where(Sheet.person_id == person_id)
    return await session.scalar(query) or 0


@counts("judgements")
async def number_of_judgements(session: AsyncSession, person_id: int) -> int:
    return await session.scalar(select(func.count()).where(JudgementRow.person_id == person_id)) or 0
