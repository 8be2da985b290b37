"""Coding half-open answers: two researchers may read the same answers independently; kappa says how far they agree."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from sqlalchemy import exists, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from lab.agreement import Agreement, cohens_kappa
from server.clock import now
from server.errors import N_, InvalidInput, NotFound
from server.questionnaires.content import Questionnaire
from server.questionnaires.models import Answer, AnswerCode, Code, QuestionnaireVersion, Sheet


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


async def half_open_items(session: AsyncSession) -> dict[int, dict[str, dict[str, str]]]:
    """Per version, its half-open items with their texts."""
    found: dict[int, dict[str, dict[str, str]]] = {}
    for version in await session.scalars(select(QuestionnaireVersion)):
        content = Questionnaire.model_validate(version.content)
        items = {item.key: item.text.model_dump() for item in content.items if item.type == "half_open"}
        if items:
            found[version.id] = items
    return found


async def to_code(session: AsyncSession, coder: str, *, only_open: bool = True, limit: int = 50) -> list[Uncoded]:
    """Half-open answers that count, those this coder has not coded yet or all, oldest first."""
    items = await half_open_items(session)
    own = (
        select(AnswerCode.code)
        .where(AnswerCode.answer_id == Answer.id, AnswerCode.coder == coder)
        .order_by(AnswerCode.id.desc())
        .limit(1)
        .correlate(Answer)
        .scalar_subquery()
    )
    later = aliased(Answer)
    query = (
        select(Answer, Sheet.match_id, Sheet.version_id, QuestionnaireVersion.number, own)
        .join(Sheet, Sheet.id == Answer.sheet_id)
        .join(QuestionnaireVersion, QuestionnaireVersion.id == Sheet.version_id)
        .where(Answer.value.is_not(None), Answer.item.in_({key for keys in items.values() for key in keys}))
        .where(
            ~exists().where(
                later.sheet_id == Answer.sheet_id,
                later.item == Answer.item,
                later.seat.is_not_distinct_from(Answer.seat),
                later.id > Answer.id,
            )
        )
        .order_by(Answer.id)
        .limit(limit)
    )
    if only_open:
        query = query.where(own.is_(None))
    return [
        Uncoded(
            answer.id, answer.item, items[version_id][answer.item], str(answer.value), answer.seat, match, number, code
        )
        for answer, match, version_id, number, code in await session.execute(query)
        if answer.item in items.get(version_id, {})
    ]


async def code(session: AsyncSession, answer_id: int, coder: str, chosen: str) -> None:
    """Append a code; the coder's newest one counts."""
    if chosen not in list(Code):
        raise InvalidInput(N_("A code is right, wrong or unclear."))
    answer = await session.get(Answer, answer_id)
    if answer is None:
        raise NotFound
    session.add(AnswerCode(answer_id=answer_id, coder=coder, code=chosen, at=now()))
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
