"""People for tests: confirmed accounts and quick log-ins without the form."""

from __future__ import annotations

import secrets

from starlette.responses import Response

from server.accounts import service
from server.accounts.models import Account, Role
from server.accounts.sessions import COOKIE, open_session
from server.base.settings import Settings
from server.storage.database import Database
from server.study import consent
from server.study.consent import ConsentKind
from tests.servers import PageClient

PASSWORD = "correct horse battery"


async def new_account(
    database: Database,
    role: Role | str = Role.PROBAND,
    *,
    email: str | None = None,
    consenting: bool = True,
    confirmed: bool = True,
) -> Account:
    """An account with the password PASSWORD, committed."""
    address = email or f"{Role(role).value}-{secrets.token_hex(4)}@example.org"
    async with database.transaction() as session:
        account = await service.create_account(session, address, PASSWORD, role=Role(role), confirmed=confirmed)
        assert account is not None, f"{address} is taken"
        if consenting:
            await consent.decide(session, account.person_id, dict.fromkeys(ConsentKind, True))
    return account


async def session_cookie(database: Database, settings: Settings, account: Account) -> str:
    """The value of the cookie of a new log-in of `account`."""
    answer = Response()
    async with database.transaction() as session:
        await open_session(session, await session.merge(account), settings, answer)
    return answer.headers["set-cookie"].partition("=")[2].partition(";")[0]


async def log_in(client: PageClient, database: Database, settings: Settings, account: Account) -> None:
    """Give the client the cookies of a logged-in browser, and a CSRF token."""
    value = await session_cookie(database, settings, account)
    client.cookies.set(COOKIE, value, domain=client.base_url.host, path="/")
    await client.get("/account")
