"""The demo study: one account per role, and whatever the domains add to it.

A domain adds its part with a module `demo.py` that has `async def create(session) -> None`; it runs once, in the
transaction that creates the demo accounts.
"""

from __future__ import annotations

import secrets

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts import repository, service
from server.accounts.models import Role
from server.base.domains import domain_modules
from server.storage.database import connect
from server.study import consent
from server.study.consent import ConsentKind

DEMO_LOCK = 0x64656D6F
ADDRESSES = {role: f"{role.value}@example.org" for role in Role}


async def create_demo(url: str) -> dict[str, str]:
    """Create the demo study if it is not there. Gives the passwords by address; empty if there was nothing to do."""
    async with connect(url, size=1, raw_size=1) as database, database.transaction() as session:
        await session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": DEMO_LOCK})
        if await repository.by_email(session, ADDRESSES[Role.ADMIN]) is not None:
            return {}
        passwords = {address: secrets.token_urlsafe(9) for address in ADDRESSES.values()}
        for role, address in ADDRESSES.items():
            await _create(session, role, address, passwords[address])
        for domain in domain_modules("demo"):
            await domain.create(session)
        return passwords


async def _create(session: AsyncSession, role: Role, address: str, password: str) -> None:
    account = await service.create_account(session, address, password, role=role, confirmed=True)
    assert account is not None, "nobody else creates demo accounts while we hold the lock"
    if role is Role.PROBAND:
        await consent.decide(session, account.person_id, dict.fromkeys(ConsentKind, True))
