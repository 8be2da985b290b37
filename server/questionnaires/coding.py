"""Coding half-open answers: two researchers may read the same answers independently; kappa says how far they agree."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.ext.asyncio import AsyncSession

from lab.agreement import Agreement, cohens_kappa
from server.accounts.audit import audit
from server.base.clock import now
from server.base.errors import N_, InvalidInput, NotFound
from server.questionnaires.free_texts import answers_to, items_of_type
from server.questionnaires.models import Answer, AnswerCode, Code


@dataclass(frozen=True)
class Uncoded:
    """An answer to code. Neither who gave it nor how others coded it is shown, so that coders stay independent."""

    answer_id: int
    item: str
    question: dict[str, str]
    text: str
    seat: int | None
    match_id: int | None
    version: int
    own_code: str | None


@dataclass(frozen=True)
class Pair:
    """How two coders agree on the answers that both have coded."""

    first: str
    second: str
    agreement: Agreement


async def to_code(session: AsyncSession, coder: str, *, only_open: bool = True, limit: int = 50) -> list[Uncoded]:
    """Half-open answers that count, those this coder has not coded yet or all, oldest first."""
    items = await items_of_type(session, "half_open")
    own = (
        select(AnswerCode.code)
        .where(AnswerCode.answer_id == Answer.id, AnswerCode.coder == coder)
        .order_by(AnswerCode.id.desc())
        .limit(1)
        .correlate(Answer)
        .scalar_subquery()
    )
    query = answers_to(items).add_columns(own).limit(limit)
    if only_open:
        query = query.where(own.is_(None))
    return [
        Uncoded(
            answer.id,
            answer.item,
            items[sheet.version_id][answer.item],
            str(answer.value),
            answer.seat,
            sheet.match_id,
            number,
            chosen,
        )
        for answer, sheet, number, chosen in await session.execute(query)
    ]


async def code(session: AsyncSession, answer_id: int, coder: str, chosen: str) -> None:
    """Append a code; the coder's newest one counts."""
    if chosen not in list(Code):
        raise InvalidInput(N_("A code is right, wrong or unclear."))
    answer = await session.get(Answer, answer_id)
    if answer is None:
        raise NotFound
    session.add(AnswerCode(answer_id=answer_id, coder=coder, code=chosen, at=now()))
    audit(session, coder, "answer.code", str(answer_id))
    await session.flush()


async def agreements(session: AsyncSession) -> list[Pair]:
    """Cohen's kappa for every two coders, over the answers that both have coded."""
    query = (
        select(AnswerCode.answer_id, AnswerCode.coder, AnswerCode.code)
        .ext(distinct_on(AnswerCode.answer_id, AnswerCode.coder))
        .order_by(AnswerCode.answer_id, AnswerCode.coder, AnswerCode.id.desc())
    )
    by_coder: dict[str, dict[int, str]] = {}
    for answer_id, coder, chosen in await session.execute(query):
        by_coder.setdefault(coder, {})[answer_id] = chosen
    pairs = []
    for first, second in combinations(sorted(by_coder), 2):
        both = sorted(by_coder[first].keys() & by_coder[second].keys())
        agreement = cohens_kappa([by_coder[first][a] for a in both], [by_coder[second][a] for a in both])
        pairs.append(Pair(first, second, agreement))
    return pairs
