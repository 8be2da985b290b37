"""The profile: a questionnaire about oneself. Every change is kept, and clearing a value is a change like any other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from lab.falsifiers import ProfileChange
from server.base.clock import now
from server.questionnaires import repository, service
from server.questionnaires.content import AnswerKey
from server.questionnaires.models import Answer, Sheet


async def current(session: AsyncSession, person_id: int) -> tuple[Sheet, dict[AnswerKey, Any]]:
    """The person's profile sheet in the published version, with the values that count now.

    Once a new version is published, what was given before is carried over to a new sheet where it still fits.
    """
    version = await repository.published(session, "profile")
    sheet = await repository.profile_sheet(session, person_id)
    if sheet is not None and sheet.version_id == version.id:
        return sheet, await repository.current_answers(session, sheet.id)
    before = await repository.current_answers(session, sheet.id) if sheet is not None else {}
    session.add(Sheet(version_id=version.id, person_id=person_id, match_id=None, seats=[], opened_at=now()))
    await session.flush()
    opened = await repository.profile_sheet(session, person_id)
    assert opened is not None, "it was added just now"
    await save(session, opened, {item: value for (item, _), value in before.items()})
    return opened, await repository.current_answers(session, opened.id)


async def save(session: AsyncSession, sheet: Sheet, given: Mapping[str, Any]) -> dict[str, str]:
    """Append what changed. Gives what was refused, by item."""
    known = {item.key for item in service.content(sheet).items}
    values = [(item, None, value) for item, value in given.items() if item in known]
    refused = await service.save_answers(session, sheet, values)
    return {item: error.english() for (item, _), error in refused.items()}


async def changes(session: AsyncSession, person_id: int) -> list[ProfileChange]:
    """The whole change log of a person's profile, over all versions."""
    query = (
        select(Answer)
        .join(Sheet, Sheet.id == Answer.sheet_id)
        .where(Sheet.person_id == person_id, Sheet.match_id.is_(None))
        .order_by(Answer.id)
    )
    return [
        ProfileChange(answer.item, None if answer.value is None else str(answer.value), answer.at)
        for answer in await session.scalars(query)
    ]
