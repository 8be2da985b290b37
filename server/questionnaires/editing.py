"""How researchers make questionnaires: drafts are edited, published, and retired when another is published."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.audit import audit
from server.base.clock import now
from server.base.errors import N_, Conflict, InvalidInput, NotFound
from server.questionnaires import repository
from server.questionnaires.content import Purpose, Questionnaire
from server.questionnaires.models import QuestionnaireVersion, Sheet, State


async def versions(session: AsyncSession) -> list[tuple[QuestionnaireVersion, int]]:
    """Every version with the number of sheets opened in it, newest first; the shipped ones are always among them."""
    for purpose in ("after_match", "profile"):
        await repository.published(session, purpose)
    sheets = (
        select(func.count())
        .where(Sheet.version_id == QuestionnaireVersion.id)
        .correlate(QuestionnaireVersion)
        .scalar_subquery()
    )
    query = select(QuestionnaireVersion, sheets).order_by(
        QuestionnaireVersion.purpose, QuestionnaireVersion.number.desc()
    )
    return [(version, count) for version, count in await session.execute(query)]


async def version(session: AsyncSession, version_id: int, *, lock: bool = False) -> QuestionnaireVersion:
    found = await session.get(QuestionnaireVersion, version_id, with_for_update=lock)
    if found is None:
        raise NotFound
    return found


def check(data: object) -> Questionnaire:
    """A questionnaire from untrusted JSON, or an error that names every place where it is wrong."""
    try:
        return Questionnaire.model_validate(data)
    except ValidationError as error:
        raise InvalidInput("\n".join(problems(error))) from error


PLAIN = {"string_too_short": "a text is missing", "missing": "this is missing", "extra_forbidden": "this is not known"}
"""What some of the checker's own words mean to people who write questions."""


def problems(error: ValidationError) -> list[str]:
    """One line per mistake: where it is and what was expected."""
    return [
        f"{'.'.join(map(str, found['loc'])) or 'questionnaire'}: "
        + PLAIN.get(found["type"], found["msg"].removeprefix("Value error, "))
        for found in error.errors()
    ]


async def create_draft(session: AsyncSession, content: Questionnaire, author: str) -> QuestionnaireVersion:
    """A new draft with the next number of its purpose."""
    # One number after the other, even if two researchers start a draft at the same moment.
    await session.execute(text("SELECT pg_advisory_xact_lock(hashtext('questionnaire_versions'))"))
    newest = select(func.coalesce(func.max(QuestionnaireVersion.number), 0)).where(
        QuestionnaireVersion.purpose == content.purpose
    )
    draft = QuestionnaireVersion(
        purpose=content.purpose,
        number=(await session.scalar(newest) or 0) + 1,
        content=_stored(content),
        author=author,
        created_at=now(),
    )
    session.add(draft)
    await session.flush()
    audit(session, author, "questionnaire.draft", _named(draft))
    return draft


async def change_draft(
    session: AsyncSession, version_id: int, content: Questionnaire, actor: str
) -> QuestionnaireVersion:
    draft = await version(session, version_id, lock=True)
    if draft.state != State.DRAFT:
        raise Conflict(N_("A published version never changes. Make a new draft from it instead."))
    if draft.purpose != content.purpose:
        raise InvalidInput(N_("A draft keeps its purpose."))
    draft.content = _stored(content)
    audit(session, actor, "questionnaire.change", _named(draft))
    return draft


async def delete_draft(session: AsyncSession, version_id: int, actor: str) -> None:
    draft = await version(session, version_id, lock=True)
    if draft.state != State.DRAFT:
        raise Conflict(N_("Only drafts can be deleted."))
    await session.delete(draft)
    audit(session, actor, "questionnaire.delete", _named(draft))


async def in_use(session: AsyncSession, chosen: QuestionnaireVersion) -> QuestionnaireVersion:
    """The version that would be retired if this one were published."""
    purpose: Purpose = Questionnaire.model_validate(chosen.content).purpose
    return await repository.published(session, purpose)


async def publish(session: AsyncSession, version_id: int, instead_of: int, actor: str) -> QuestionnaireVersion:
    """New sheets use this version from now on; the one before is retired. Sheets that are open keep theirs.

    `instead_of` is the version that the actor was told would go: what changed meanwhile is asked about again.
    """
    chosen = await version(session, version_id, lock=True)
    if chosen.state == State.PUBLISHED:
        return chosen
    before = await in_use(session, chosen)
    if before.id != instead_of:
        raise Conflict(N_("Another version has been published meanwhile. Look again at what changes."))
    before.state, before.retired_at = State.RETIRED, now()
    await session.flush()
    chosen.state, chosen.published_at, chosen.retired_at = State.PUBLISHED, now(), None
    audit(session, actor, "questionnaire.publish", _named(chosen), {"before": before.number})
    await session.flush()
    return chosen


async def retire(session: AsyncSession, version_id: int, actor: str) -> None:
    """Take a published version out of use; until another is published, the shipped questionnaire is asked again."""
    chosen = await version(session, version_id, lock=True)
    if chosen.state != State.PUBLISHED:
        raise Conflict(N_("Only the published version can be retired."))
    chosen.state, chosen.retired_at = State.RETIRED, now()
    audit(session, actor, "questionnaire.retire", _named(chosen))
    await session.flush()


def _named(chosen: QuestionnaireVersion) -> str:
    return f"{chosen.purpose} {chosen.number}"


def _stored(content: Questionnaire) -> dict[str, Any]:
    return content.model_dump(mode="json", exclude_none=True)
