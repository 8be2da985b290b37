"""Accounts under attack: an address registered by a stranger first, secrets in the log, guessing, spoofed addresses."""

from __future__ import annotations

import logging
import re
from contextvars import ContextVar

import httpx
import pytest
import structlog
from fastapi import FastAPI
from sqlalchemy import event, select
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from server.accounts import passwords
from server.accounts.limits import LIMITS, network_of
from server.accounts.models import Account
from server.accounts.passwords import LONGEST, SHORTEST
from server.base import logs
from server.base.clock import ManualClock
from server.base.settings import Settings
from server.storage.database import Database
from tests.downloads import downloaded
from tests.people import PASSWORD, new_account
from tests.server.accounts.mailbox import links, mails
from tests.servers import PageClient

EMAIL = "mia@example.org"
STRANGERS = "a stranger's password"


async def register(client: PageClient, password: str) -> None:
    await client.get("/register")
    assert (await client.post("/register", data={"email": EMAIL, "password": password})).status_code == 303


async def enter(client: PageClient, password: str) -> int:
    await client.get("/")
    return (await client.post("/login", data={"email": EMAIL, "password": password})).status_code


async def test_a_stranger_who_registers_an_address_first_does_not_get_its_owners_account(
    client: PageClient, settings: Settings
) -> None:
    await register(client, STRANGERS)
    await register(client, PASSWORD)
    to_owner = mails(settings)[-1]
    assert to_owner["Subject"] == "You have an account already"
    reset = next(link for link in links(to_owner) if "reset" in link)
    await client.get(reset)
    token = reset.partition("token=")[2]
    answer = await client.post("/password/reset", data={"token": token, "password": PASSWORD})
    assert answer.status_code == 303
    assert await enter(client, STRANGERS) == 422
    assert await enter(client, PASSWORD) == 303


async def test_nobody_confirms_a_password_that_somebody_else_has_chosen(client: PageClient, settings: Settings) -> None:
    """The owner may come upon the mail that a stranger has caused, before or after registering."""
    await register(client, STRANGERS)
    (first,) = links(mails(settings)[0])
    await register(client, PASSWORD)
    await client.get(first)
    token = first.partition("token=")[2]
    for typed in (PASSWORD, ""):
        assert (await client.post("/confirm", data={"token": token, "password": typed})).status_code == 422
    assert await enter(client, STRANGERS) == 403, "still unconfirmed"


async def test_a_link_for_a_new_password_works_once_and_survives_being_opened_by_scanners(
    client: PageClient, database: Database, settings: Settings, session: AsyncSession
) -> None:
    await new_account(database, email=EMAIL)
    await client.get("/password/forgot")
    await client.post("/password/forgot", data={"email": EMAIL})
    (link,) = links(mails(settings)[-1])
    for _ in range(3):
        answer = await client.get(link)
        assert answer.status_code == 200
        assert answer.headers["referrer-policy"] == "strict-origin", "proxies log referrers"
    token = link.partition("token=")[2]
    before = await session.scalar(select(Account.password_hash))
    assert (await client.post("/password/reset", data={"token": token, "password": "short"})).status_code == 422
    assert (await client.post("/password/reset", data={"token": token, "password": STRANGERS})).status_code == 303
    assert (await client.post("/password/reset", data={"token": token, "password": PASSWORD})).status_code == 400
    await session.rollback()
    assert await session.scalar(select(Account.password_hash)) != before
    assert await enter(client, STRANGERS) == 303


@pytest.mark.parametrize("path", ["/password/forgot", "/confirm/again", "/register"])
async def test_before_the_answer_the_same_is_done_for_addresses_with_and_without_account(
    client: PageClient, database: Database, settings: Settings, path: str
) -> None:
    """Timing is compared by counting what the database is asked, not with a stopwatch."""
    await new_account(database, email=EMAIL, confirmed=path != "/confirm/again")
    await client.get("/login")
    form = {"password": PASSWORD}
    await client.post(path, data=form | {"email": "somebody@example.org"})  # the first connection asks some things once
    written = len(mails(settings))
    work: list[list[str]] = []
    # The server does other things beside; they run in contexts that were made before.
    ours = ContextVar("ours", default=False)
    ours.set(True)
    genuine = Response.__call__

    async def answering(self: Response, scope: Scope, receive: Receive, send: Send) -> None:
        asked.append("the answer")
        await genuine(self, scope, receive, send)

    hashed: list[str] = []
    genuine_hash = passwords.hash_password

    async def hashing(password: str) -> str:
        hashed.append(password)
        return await genuine_hash(password)

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if ours.get():
            asked.append(statement)

    app_database: Database = client._transport.app.state.database  # type: ignore[attr-defined]  # the ASGI transport
    event.listen(app_database.engine.sync_engine, "before_cursor_execute", note)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Response, "__call__", answering)
        patched.setattr(passwords, "hash_password", hashing)
        for address in (EMAIL, "nobody@example.org"):
            asked: list[str] = []
            assert (await client.post(path, data=form | {"email": address})).status_code == 303
            work.append(asked)
    known, unknown = work
    assert hashed == ([PASSWORD] * 2 if path == "/register" else []), "what costs most is done for both"
    assert known[: known.index("the answer")] == unknown[: unknown.index("the answer")]
    if path == "/register":
        assert len(mails(settings)) - written == 2, "one says that there is an account, the other asks for confirmation"
    else:
        assert len(known) > len(unknown), "the mail is written afterwards"
        assert len(mails(settings)) - written == 1


async def test_the_log_of_a_whole_visit_holds_no_secret(
    client: PageClient,
    database: Database,
    settings: Settings,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING, logger="httpx")  # the test's own client writes lines too
    logs.configure(settings.model_copy(update={"log_level": "debug"}))
    await register(client, PASSWORD)
    (link,) = links(mails(settings)[-1])
    token = link.partition("token=")[2]
    await client.get(link)
    await client.post("/confirm", data={"token": token, "password": PASSWORD})
    assert await enter(client, "wrong " + PASSWORD) == 422
    assert await enter(client, PASSWORD) == 303
    cookies = dict(client.cookies)
    await client.get("/nowhere%0d%0aforged%1b[31m?password=" + PASSWORD.replace(" ", "+"))
    await client.post("/account/password", data={"current": PASSWORD, "password": STRANGERS})
    assert (await downloaded(client, database)).status_code == 200
    assert await enter(client, STRANGERS) == 303
    logs.configure(settings)
    written = capsys.readouterr().err
    assert written.count("\n") > 10
    address = settings.database_url.get_secret_value() if settings.database_url else ""
    for secret in (PASSWORD, STRANGERS, token, EMAIL, client.csrf_token, *cookies.values(), settings.secret, address):
        assert secret
        assert secret not in written
    assert all(re.match(r"\d{4}-|\{", line) for line in written.splitlines()), "every line is one event"


async def test_what_came_from_outside_stays_on_its_line_in_the_log(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = ("\r\n2026-01-01 [error] forged", "\x1b[31m", "\x00", "\u2028", "\u202e")
    for form in ("console", "json"):
        logs.configure(settings.model_copy(update={"log_format": form}))
        for text in odd:
            structlog.get_logger().warning("odd", path=f"/a{text}b")
            logging.getLogger("some.library").warning("odd %s", text)
    logs.configure(settings)
    written = capsys.readouterr().err
    assert len(written.splitlines()) == 4 * len(odd)
    assert written.replace("\n", "").isprintable()


async def test_the_callers_address_cannot_be_made_up() -> None:
    """What stands in X-Forwarded-For counts only as far as proxies wrote it that the settings name."""
    seen = []

    async def app(scope: dict[str, object], _receive: object, _send: object) -> None:
        seen.append(network_of(HTTPConnection(scope)))

    proxied = ProxyHeadersMiddleware(app, trusted_hosts="127.0.0.1,10.0.0.2")  # type: ignore[arg-type]  # plain ASGI
    for peer, claimed in (
        ("203.0.113.9", "198.51.100.1"),
        ("127.0.0.1", "198.51.100.1, 203.0.113.9"),
        ("127.0.0.1", "127.0.0.1, 203.0.113.9, 10.0.0.2"),
    ):
        headers = [(b"x-forwarded-for", claimed.encode())]
        scope = {"type": "http", "client": (peer, 1), "headers": headers, "scheme": "http", "path": "/"}
        await proxied(scope, None, None)  # type: ignore[arg-type]  # nothing is received or sent
    assert seen == ["203.0.113.9"] * 3


async def test_every_address_of_a_bot_net_still_has_one_bucket_per_account(
    app: FastAPI, database: Database, clock: ManualClock
) -> None:
    await new_account(database, email=EMAIL)
    statuses = []
    for number in range(LIMITS["login-address"].burst + 2):
        transport = httpx.ASGITransport(app, client=(f"198.51.100.{number}", 1))
        async with PageClient(transport=transport, base_url="http://testserver.local") as bot:
            statuses.append(await enter(bot, f"guess number {number}"))
    assert statuses[-1] == 429
    assert statuses[0] == 422


@pytest.mark.parametrize("password", ["Password123", "1234567890", "aaaaaaaaaaaa", "abababababab", "Willkommen1"])
async def test_what_is_guessed_first_is_no_password(client: PageClient, password: str) -> None:
    await client.get("/register")
    answer = await client.post("/register", data={"email": EMAIL, "password": password})
    assert answer.status_code == 422
    assert "first passwords that people try" in answer.text


def test_passwords_are_long_enough_to_resist_and_short_enough_to_hash() -> None:
    assert SHORTEST >= 10
    assert LONGEST <= 1024
