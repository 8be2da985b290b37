"""Answers in people's own words: which items ask for them, and the ones that count."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, exists, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from server.questionnaires.content import Questionnaire
from server.questionnaires.models import Answer, QuestionnaireVersion, Sheet

Items = dict[int, dict[str, dict[str, str]]]
"""Per version, the keys of its items with their texts."""


async def items_of_type(session: AsyncSession, *types: str) -> Items:
    found: Items = {}
    for version in await session.scalars(select(QuestionnaireVersion)):
        content = Questionnaire.model_validate(version.content)
        items = {item.key: item.text.model_dump() for item in content.items if item.type in types}
        if items:
            found[version.id] = items
    return found


def answers_to(items: Items) -> Select[Answer, Sheet, int]:
    """The answers to these items that count, with their sheet and the number of the version, oldest first."""
    return (
        select(Answer, Sheet, QuestionnaireVersion.number)
        .join(Sheet, Sheet.id == Answer.sheet_id)
        .join(QuestionnaireVersion, QuestionnaireVersion.id == Sheet.version_id)
        .where(Answer.value.is_not(None), _is_one_of(items), ~_was_replaced())
        .order_by(Answer.id)
    )


def _is_one_of(items: Items) -> ColumnElement[bool]:
    return or_(
        False,
        *(and_(Sheet.version_id == version, Answer.item.in_(keys)) for version, keys in items.items()),
    )


def _was_replaced() -> Any:
    later = aliased(Answer)
    return exists().where(
        later.sheet_id == Answer.sheet_id,
        later.item == Answer.item,
        later.seat.is_not_distinct_from(Answer.seat),
        later.id > Answer.id,
    )
