"""How researchers make questionnaires: drafts are edited, published, and retired when another is published.

A draft may have mistakes in it (server/questionnaires/drafts.py); what is published has none.
"""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.audit import audit
from server.base.clock import now
from server.base.errors import N_, Conflict, InvalidInput, NotFound
from server.questionnaires import drafts, repository
from server.questionnaires.content import Purpose, Questionnaire
from server.questionnaires.drafts import Mistake
from server.questionnaires.models import QuestionnaireVersion, Sheet, State


class ChangedElsewhere(Conflict):
    message = N_("This draft was changed elsewhere meanwhile.")


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
        raise InvalidInput("\n".join(mistake.english() for mistake in drafts.mistakes(error))) from error


async def create_draft(session: AsyncSession, content: dict[str, Any], author: str) -> QuestionnaireVersion:
    """A new draft with the next number of its purpose; `content` is a questionnaire, or a draft of one."""
    # One number after the other, even if two researchers start a draft at the same moment.
    await session.execute(text("SELECT pg_advisory_xact_lock(hashtext('questionnaire_versions'))"))
    newest = select(func.coalesce(func.max(QuestionnaireVersion.number), 0)).where(
        QuestionnaireVersion.purpose == content["purpose"]
    )
    draft = QuestionnaireVersion(
        purpose=content["purpose"],
        number=(await session.scalar(newest) or 0) + 1,
        content=content,
        author=author,
        created_at=now(),
    )
    session.add(draft)
    await session.flush()
    audit(session, author, "questionnaire.draft", _named(draft))
    return draft


async def change_draft(
    session: AsyncSession, version_id: int, data: dict[str, Any], actor: str, base: str | None = None
) -> tuple[QuestionnaireVersion, list[Mistake]]:
    """Keep a draft as it is written, mistakes included, and give them. What is no draft at all is not kept.

    `base` is the fingerprint of the draft that was changed: nobody overwrites what somebody else wrote meanwhile.
    """
    draft = await version(session, version_id, lock=True)
    if draft.state != State.DRAFT:
        raise Conflict(N_("A published version never changes. Make a new draft from it instead."))
    if draft.purpose != data.get("purpose"):
        raise InvalidInput(N_("A draft keeps its purpose."))
    found = drafts.mistakes_in(data)
    if not all(mistake.may_be_kept for mistake in found):
        return draft, found
    content = data if found else stored(Questionnaire.model_validate(data))
    if content != draft.content:  # else it is what was saved last, sent once more
        if base is not None and base != drafts.fingerprint(draft.content):
            raise ChangedElsewhere
        draft.content = content
        audit(session, actor, "questionnaire.change", _named(draft))
    return draft, found


async def delete_draft(session: AsyncSession, version_id: int, actor: str) -> None:
    draft = await version(session, version_id, lock=True)
    if draft.state != State.DRAFT:
        raise Conflict(N_("Only drafts can be deleted."))
    await session.delete(draft)
    audit(session, actor, "questionnaire.delete", _named(draft))


async def in_use(session: AsyncSession, chosen: QuestionnaireVersion) -> QuestionnaireVersion:
    """The version that would be retired if this one were published."""
    purpose: Purpose = "profile" if chosen.purpose == "profile" else "after_match"
    return await repository.published(session, purpose)


async def publish(session: AsyncSession, version_id: int, instead_of: int, actor: str) -> QuestionnaireVersion:
    """New sheets use this version from now on; the one before is retired. Sheets that are open keep theirs.

    `instead_of` is the version that the actor was told would go: what changed meanwhile is asked about again.
    """
    chosen = await version(session, version_id, lock=True)
    if chosen.state == State.PUBLISHED:
        return chosen
    if drafts.mistakes_in(chosen.content):
        raise Conflict(N_("This draft has mistakes. It can be published once they are corrected."))
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


def stored(content: Questionnaire) -> dict[str, Any]:
    return content.model_dump(mode="json", exclude_none=True)
