"""Keeping no personal data longer than the consent text says."""

from __future__ import annotations

import structlog
from sqlalchemy import delete, func, select

from server.accounts.models import Account, AccountSession, RateLimit, Role
from server.accounts.service import delete_account
from server.clock import now
from server.jobs.registry import Tools, scheduled
from server.study.settings import read_settings

log = structlog.get_logger()


@scheduled("accounts.retention", "15 3 * * *")
async def retention(tools: Tools) -> None:
    """Delete accounts nobody used for long or ever confirmed, ended log-ins and full buckets. Admins are kept."""
    async with tools.database.transaction() as session:
        study = await read_settings(session)
        last_used = func.coalesce(Account.last_login_at, Account.created_at)
        unused = last_used < now() - study.erase_after
        unconfirmed = Account.confirmed_at.is_(None) & (
            Account.created_at < now() - 2 * tools.settings.confirm_lifetime
        )
        query = select(Account.id).where(unused | unconfirmed, Account.role != Role.ADMIN.value)
        gone = (await session.scalars(query)).all()
        for account_id in gone:
            await delete_account(session, account_id, actor="retention")
        await session.execute(delete(AccountSession).where(AccountSession.expires_at < now()))
        await session.execute(delete(RateLimit).where(RateLimit.updated_at < now() - study.inactive_after))
    if gone:
        log.info("personal data deleted", accounts=len(gone))
