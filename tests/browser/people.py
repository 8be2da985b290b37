"""Accounts for browser tests, logged in without a form: a confirmed account and the cookie of a session of it."""

from __future__ import annotations

import secrets
from http.cookies import SimpleCookie

from starlette.responses import Response

from server.accounts.models import Account, Person, Role
from server.accounts.sessions import COOKIE, open_session
from server.clock import now
from server.database import connect
from server.settings import Settings
from server.study import consent

ROLES = tuple(role.value for role in Role)


async def logged_in(
    settings: Settings, role: str = "proband", email: str | None = None, *, consents: bool = True
) -> str:
    """Creates a confirmed account in the database of `settings` and gives the value of its session cookie."""
    assert settings.database_url is not None
    async with (
        connect(settings.database_url.get_secret_value(), size=1, raw_size=1) as database,
        database.transaction() as session,
    ):
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
            await consent.decide(session, person.id, dict.fromkeys(consent.Kind, True))
        answer = Response()
        await open_session(session, account, settings, answer)
    return SimpleCookie(answer.headers["set-cookie"])[COOKIE].value
