"""Log-ins: a random token in a signed cookie, its hash in the database, revocable there at any time."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from itsdangerous import BadSignature, Signer
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import HTTPConnection
from starlette.responses import Response

from server.accounts.models import Account, AccountSession, Person, Role
from server.clock import now
from server.cookies import cookie_name
from server.settings import Settings

COOKIE = "session"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who makes a request. Research data belong to `person_id`, never to the account."""

    account_id: int
    person_id: int
    pseudonym: str
    email: str
    role: Role
    language: str
    session_id: int


def _signer(settings: Settings) -> Signer:
    return Signer(settings.secret, salt="session", digest_method=hashlib.sha256)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


async def open_session(session: AsyncSession, account: Account, settings: Settings, response: Response) -> None:
    """Log an account in: a new token in the answer's cookie."""
    token = secrets.token_urlsafe(32)
    at = now()
    expires = at + settings.session_lifetime
    session.add(AccountSession(account_id=account.id, token_hash=_hash(token), created_at=at, expires_at=expires))
    account.last_login_at = at
    await session.execute(delete(AccountSession).where(AccountSession.expires_at < at))
    response.set_cookie(
        cookie_name(COOKIE, settings),
        _signer(settings).sign(token).decode(),
        max_age=int(settings.session_lifetime.total_seconds()),
        httponly=True,
        samesite="lax",
        secure=settings.secure_cookies,
    )


def forget_cookie(response: Response, settings: Settings) -> None:
    name = cookie_name(COOKIE, settings)
    response.delete_cookie(name, httponly=True, samesite="lax", secure=settings.secure_cookies)


def cookie_of(connection: HTTPConnection, settings: Settings) -> str | None:
    """What the request's session cookie says, if it has one."""
    return connection.cookies.get(cookie_name(COOKIE, settings))


async def end_session(session: AsyncSession, session_id: int) -> None:
    await session.execute(delete(AccountSession).where(AccountSession.id == session_id))


async def end_all_sessions(session: AsyncSession, account_id: int, *, but: int | None = None) -> None:
    """Log an account out everywhere, except for one session if given."""
    await session.execute(
        delete(AccountSession).where(AccountSession.account_id == account_id, AccountSession.id != (but or 0))
    )


def token_hash_of(connection: HTTPConnection, settings: Settings) -> bytes | None:
    """By what the database knows the session of the request's cookie, if that is genuine."""
    try:
        return _hash(_signer(settings).unsign(cookie_of(connection, settings) or "").decode())
    except (BadSignature, UnicodeError):
        return None


async def find_identity(session: AsyncSession, connection: HTTPConnection, settings: Settings) -> Identity | None:
    """Who the request's cookie belongs to, if it is genuine, not expired and not revoked."""
    token_hash = token_hash_of(connection, settings)
    if token_hash is None:
        return None
    query = (
        select(
            Account.id,
            Account.person_id,
            Person.pseudonym,
            Account.email,
            Account.role,
            Account.language,
            AccountSession.id,
        )
        .join(AccountSession, AccountSession.account_id == Account.id)
        .join(Person, Person.id == Account.person_id)
        .where(AccountSession.token_hash == token_hash, AccountSession.expires_at > now())
    )
    row = (await session.execute(query)).one_or_none()
    if row is None:
        return None
    account_id, person_id, pseudonym, email, role, language, session_id = row
    return Identity(account_id, person_id, pseudonym, email, Role(role), language, session_id)
