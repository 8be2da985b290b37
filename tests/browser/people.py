"""Accounts for browser tests, logged in without a form: a confirmed account and the cookie of a session of it."""

from __future__ import annotations

import secrets
from http.cookies import SimpleCookie

from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import Response

from server.accounts import repository
from server.accounts.models import Account, Person, Role
from server.accounts.sessions import COOKIE, open_session
from server.base.clock import now
from server.base.settings import Settings
from server.storage.database import connect
from server.study import consent

ROLES = tuple(role.value for role in Role)


async def logged_in(
    settings: Settings, role: str = "proband", email: str | None = None, *, consents: bool = True
) -> str:
    """The session cookie of the account with that address; if there is none, a confirmed one is created."""
    assert settings.database_url is not None
    async with (
        connect(settings.database_url.get_secret_value(), size=1, raw_size=1) as database,
        database.transaction() as session,
    ):
        existing = await repository.by_email(session, email) if email else None
        if existing is not None:
            return await _session_of(session, existing, settings)
        person = Person(pseudonym=secrets.token_hex(6), created_at=now())
        session.add(person)
        await session.flush()
        account = Account(
            person_id=person.id,
            email=email or f"{role}-{secrets.token_hex(4)}@example.org",
            password_hash="!",  # no password fits: these accounts never see the form
            role=role,
            created_at=now(),
            confirmed_at=now(),
        )
        session.add(account)
        await session.flush()
        if consents:
            await consent.decide(session, person.id, dict.fromkeys(consent.ConsentKind, True))
        return await _session_of(session, account, settings)


async def _session_of(session: AsyncSession, account: Account, settings: Settings) -> str:
    answer = Response()
    await open_session(session, account, settings, answer)
    return SimpleCookie(answer.headers["set-cookie"])[COOKIE].value
