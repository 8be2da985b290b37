"""Writing and publishing findings."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.base.clock import now
from server.base.errors import N_, InvalidInput, NotFound
from server.findings.models import Finding

LONGEST = {"title": 200, "body": 20_000}


async def published(session: AsyncSession) -> list[Finding]:
    query = select(Finding).where(Finding.published_at.is_not(None)).order_by(Finding.published_at.desc())
    return list(await session.scalars(query))


async def all_findings(session: AsyncSession) -> list[Finding]:
    return list(await session.scalars(select(Finding).order_by(Finding.id.desc())))


async def write(
    session: AsyncSession, finding_id: int | None, title: dict[str, str], body: dict[str, str], author: str
) -> Finding:
    """A new finding, or another wording of one. Every text in both languages."""
    for name, texts in (("title", title), ("body", body)):
        if any(not text.strip() for text in texts.values()):
            raise InvalidInput(N_("Every text is needed in both languages."))
        if any(len(text) > LONGEST[name] for text in texts.values()):
            raise InvalidInput(N_("A title has at most 200 characters, a text at most 20000."))
    if finding_id is None:
        finding = Finding(title=title, body=body, author=author, created_at=now())
        session.add(finding)
    else:
        finding = await get(session, finding_id)
        finding.title, finding.body = title, body
    await session.flush()
    return finding


async def get(session: AsyncSession, finding_id: int) -> Finding:
    found = await session.get(Finding, finding_id)
    if found is None:
        raise NotFound
    return found


async def set_published(session: AsyncSession, finding_id: int, public: bool) -> None:
    finding = await get(session, finding_id)
    finding.published_at = (finding.published_at or now()) if public else None
