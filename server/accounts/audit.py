"""The audit log: every action of an admin, in the same transaction as the action itself."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.models import AuditEntry
from server.accounts.sessions import Identity

COMMAND_LINE = "command line"


def audit(
    session: AsyncSession, actor: Identity | str, action: str, target: str, details: dict[str, object] | None = None
) -> None:
    """Write down who did what to whom. Use pseudonyms, not addresses, so that the log outlives accounts.

    audit(session, who, "account.role", "jade-otter-0042", {"from": "proband", "to": "researcher"})
    """
    name = actor if isinstance(actor, str) else actor.pseudonym
    session.add(AuditEntry(actor=name, action=action, target=target, details=details or {}))


async def recent_entries(session: AsyncSession, *, before: int | None = None, limit: int = 100) -> list[AuditEntry]:
    """The newest entries, or those older than the entry with id `before`."""
    query = select(AuditEntry).order_by(AuditEntry.id.desc()).limit(limit)
    if before is not None:
        query = query.where(AuditEntry.id < before)
    return list(await session.scalars(query))
