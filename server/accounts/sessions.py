"""Log-ins: a random token in a signed cookie, its hash in the database, revocable there at any time."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from itsdangerous import BadSignature, Signer
from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import HTTPConnection
from starlette.responses import Response

from server.accounts import marks
from server.accounts.devices import device_of
from server.accounts.models import Account, AccountSession, Person, Role
from server.base.clock import now
from server.base.settings import Settings
from server.web import csrf
from server.web.cookies import SESSION, cookie_name

COOKIE = SESSION
SEEN_EVERY = timedelta(minutes=5)
"""How exactly it is known when a log-in was used last."""


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
    second_factor: bool
    proved_at: datetime | None
    """When this log-in's owner last gave password or code."""


def _signer(settings: Settings) -> Signer:
    return Signer(settings.secret, salt="session", digest_method=hashlib.sha256)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


async def open_session(
    session: AsyncSession,
    account: Account,
    settings: Settings,
    response: Response,
    connection: HTTPConnection | None = None,
) -> None:
    """Log an account in: a new token in the answer's cookie, and a new one against forged requests."""
    token = secrets.token_urlsafe(32)
    at = now()
    session.add(
        AccountSession(
            account_id=account.id,
            token_hash=_hash(token),
            created_at=at,
            expires_at=_expiry(at, Role(account.role), settings),
            seen_at=at,
            proved_at=at,
            device=device_of(connection) if connection else "",
        )
    )
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
    csrf.renew(response, settings)
    if connection is not None:
        await marks.remember(session, account, settings, connection, response)


def _expiry(created_at: datetime, role: Role, settings: Settings) -> datetime:
    """Who does nothing for long is logged out, researchers and admins sooner; after its lifetime everybody is."""
    idle = settings.session_idle if role is Role.PROBAND else settings.staff_idle
    return min(created_at + settings.session_lifetime, now() + idle)


def forget_cookie(response: Response, settings: Settings) -> None:
    name = cookie_name(COOKIE, settings)
    response.delete_cookie(name, httponly=True, samesite="lax", secure=settings.secure_cookies)


def cookie_of(connection: HTTPConnection, settings: Settings) -> str | None:
    """What the request's session cookie says, if it has one."""
    return connection.cookies.get(cookie_name(COOKIE, settings))


async def end_session(session: AsyncSession, session_id: int, *, of: int | None = None) -> None:
    """End one log-in, if it belongs to the account `of`."""
    ended = delete(AccountSession).where(AccountSession.id == session_id)
    await session.execute(ended.where(AccountSession.account_id == of) if of is not None else ended)


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
            Account.second_factor.is_not(None),
            AccountSession.proved_at,
            AccountSession.created_at,
            AccountSession.seen_at,
        )
        .join(AccountSession, AccountSession.account_id == Account.id)
        .join(Person, Person.id == Account.person_id)
        .where(AccountSession.token_hash == token_hash, AccountSession.expires_at > now())
    )
    row = (await session.execute(query)).one_or_none()
    if row is None:
        return None
    account_id, person_id, pseudonym, email, role, language, session_id, second_factor, proved_at, made_at, seen_at = (
        row
    )
    if seen_at is None or now() - seen_at > SEEN_EVERY:
        moved_on = {"seen_at": now(), "expires_at": _expiry(made_at, Role(role), settings)}
        await session.execute(update(AccountSession).where(AccountSession.id == session_id).values(moved_on))
    who = (account_id, person_id, pseudonym, email)
    return Identity(*who, Role(role), language, session_id, second_factor, proved_at)


async def prove(session: AsyncSession, session_id: int) -> None:
    """Password or code were given once more."""
    await session.execute(update(AccountSession).where(AccountSession.id == session_id).values(proved_at=now()))


async def sessions_of(session: AsyncSession, account_id: int) -> list[AccountSession]:
    """The log-ins that hold, the one that was used last first."""
    query = select(AccountSession).where(AccountSession.account_id == account_id, AccountSession.expires_at > now())
    return list(await session.scalars(query.order_by(AccountSession.seen_at.desc().nulls_last())))
