"""Reading the judgement log as lab/ wants it, and appending to it."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from lab.judgements import HUMAN, Challenge, Judgement, Verdict
from server.accounts.models import Person
from server.judgements.models import JudgementRow


async def append(session: AsyncSession, rows: list[dict[str, object]]) -> None:
    """Append judgements; a row that is in the log already stays as it is."""
    if rows:
        await session.execute(insert(JudgementRow).values(rows).on_conflict_do_nothing())


async def position(session: AsyncSession) -> int:
    """The newest position in the log, 0 while it is empty."""
    return await session.scalar(select(func.max(JudgementRow.id))) or 0


async def read_log(
    session: AsyncSession, *, up_to: int | None = None, without: Collection[int] = ()
) -> list[Judgement]:
    """The log in order, up to a position and without some persons; persons appear by pseudonym."""
    query = (
        select(JudgementRow, Person.pseudonym)
        .join(Person, Person.id == JudgementRow.person_id)
        .order_by(JudgementRow.id)
    )
    if up_to is not None:
        query = query.where(JudgementRow.id <= up_to)
    if without:
        query = query.where(JudgementRow.person_id.not_in(without))
    return [as_judgement(row, pseudonym) for row, pseudonym in await session.execute(query)]


def as_judgement(row: JudgementRow, pseudonym: str) -> Judgement:
    return Judgement(
        time=row.at.timestamp(),
        match=str(row.match_id),
        person=pseudonym,
        seat_truth=row.strategy or HUMAN,
        verdict=Verdict(row.verdict),
        sureness=row.sureness,
        enjoyment=row.enjoyment,
        challenge=None if row.challenge is None else Challenge(row.challenge),
    )
