"""Free texts that outlive their author: a researcher looks whether they tell who it was, and removes what does."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import exists, select, union
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.audit import audit
from server.accounts.models import Account, Person
from server.accounts.pseudonyms import SIMULATED
from server.base.clock import now
from server.base.errors import N_, InvalidInput, NotFound
from server.questionnaires.free_texts import answers_to, items_of_type
from server.questionnaires.models import Answer, Sheet
from server.retention.models import RetentionNotice

LONGEST = 5000


@dataclass(frozen=True)
class FreeText:
    """A text to check; `orphan` says that its author's account is gone already."""

    answer_id: int
    question: dict[str, str]
    text: str
    orphan: bool


async def to_check(session: AsyncSession, limit: int = 50) -> list[FreeText]:
    """Unchecked free texts of authors who are gone or have been told that they will be.

    Simulated persons without an account were never anybody, so their texts tell of nobody.
    """
    items = await items_of_type(session, "open", "half_open")
    has_account = exists().where(Account.person_id == Sheet.person_id)
    # They are few among many: so from them to their texts, not from all texts to their authors.
    gone = select(Person.id).where(
        ~exists().where(Account.person_id == Person.id), Person.pseudonym.not_like(f"{SIMULATED}%")
    )
    leaving = select(Account.person_id).join(RetentionNotice, RetentionNotice.account_id == Account.id)
    query = (
        answers_to(items)
        .add_columns(~has_account)
        .where(Answer.checked_at.is_(None), Sheet.person_id.in_(union(gone, leaving)))
        .limit(limit)
    )
    return [
        FreeText(answer.id, items[sheet.version_id][answer.item], str(answer.value), orphan)
        for answer, sheet, _, orphan in await session.execute(query)
    ]


async def check(session: AsyncSession, answer_id: int, text: str, actor: str) -> None:
    """Note that a text was looked at; if it was shortened, only the shorter one is kept, in every row that held it."""
    answer = await session.get(Answer, answer_id, with_for_update=True)
    if answer is None or not isinstance(answer.value, str):
        raise NotFound
    if len(text) > LONGEST:
        raise InvalidInput(N_("That is too much data."))
    if text != answer.value:
        audit(session, actor, "answer.redact", str(answer_id))
        same = select(Answer).where(
            Answer.sheet_id == answer.sheet_id,
            Answer.item == answer.item,
            Answer.seat.is_not_distinct_from(answer.seat),
            Answer.id < answer.id,
        )
        for earlier in await session.scalars(same):
            earlier.value = None  # an earlier wording may hold what the newest one no longer tells
        answer.value = text or None
    answer.checked_at = now()
