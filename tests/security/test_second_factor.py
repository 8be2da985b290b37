"""Who has a password, or finds an open browser, has not yet an account: codes, proofs, log-ins that end, and mails."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from typer.testing import CliRunner

from server.accounts import second_factor
from server.accounts.limits import LIMITS, Limit
from server.accounts.models import Account, AccountSession, Person, SecurityEvent
from server.accounts.second_factor import code_at, step_of
from server.accounts.sessions import SEEN_EVERY
from server.base.clock import ManualClock, now
from server.base.settings import Settings
from server.cli.main import app as grintu
from server.storage.database import Database
from tests.conftest import BASE_URL, SignIn
from tests.people import PASSWORD, log_in, new_account
from tests.server.accounts.mailbox import mails
from tests.servers import PageClient, environment_of

SEALED = re.compile(r'name="sealed" value="([^"]+)"')
TOKEN = re.compile(r'name="token" value="([^"]+)"')
RECOVERY = re.compile(r"<code>([0-9a-f]{5}-[0-9a-f]{5})</code>")
NEW = "another horse battery"


@pytest.mark.parametrize(
    ("seconds", "code"),
    [(59, "94287082"), (1111111109, "07081804"), (1234567890, "89005924"), (20000000000, "65353130")],
)
def test_codes_are_those_of_rfc_6238(seconds: int, code: str) -> None:
    """Its examples have eight digits, of which ours are the last six."""
    assert code_at(b"12345678901234567890", seconds // second_factor.STEP_SECONDS) == code[-second_factor.DIGITS :]


async def turn_on(client: PageClient, settings: Settings) -> tuple[bytes, list[str]]:
    """Turn it on for whoever is logged in; gives the secret and the recovery codes."""
    page = (await client.get("/account/second-factor")).text
    sealed = SEALED.search(page)
    assert sealed
    secret = second_factor.unseal(sealed.group(1), settings)
    assert secret
    assert second_factor.written(secret) in page
    answer = await client.post(
        "/account/second-factor", data={"sealed": sealed.group(1), "code": code_at(secret, step_of(now()))}
    )
    assert answer.status_code == 200, answer.text
    return secret, RECOVERY.findall(answer.text)


async def first_step(client: PageClient, account: Account) -> str:
    """Log in by password; gives the token for the second step."""
    await client.get("/login")
    answer = await client.post("/login", data={"email": account.email, "password": PASSWORD, "next": "/account"})
    assert answer.status_code == 200
    found = TOKEN.search(answer.text)
    assert found
    return found.group(1)


async def test_a_password_alone_does_not_log_in_and_every_code_counts_once(
    clock: ManualClock, client: PageClient, app: FastAPI, sign_in: SignIn, settings: Settings
) -> None:
    account = await sign_in("researcher")
    secret, recovery = await turn_on(client, settings)
    assert len(set(recovery)) == second_factor.RECOVERY_CODES
    assert "turned on" in str(mails(settings)[-1]["Subject"])
    used = code_at(secret, step_of(now()))

    async with PageClient(transport=httpx.ASGITransport(app), base_url=BASE_URL) as other:
        token = await first_step(other, account)
        assert (await other.get("/account")).status_code == 303, "nobody is logged in yet"

        async def second_step(code: str) -> httpx.Response:
            return await other.post("/login/code", data={"token": token, "code": code, "next": "/account"})

        assert (await second_step(used)).status_code == 422, "it was used to turn it on"
        assert (await second_step("000000")).status_code == 422
        clock.advance(timedelta(minutes=5))
        answer = await second_step(code_at(secret, step_of(now())))
        assert (answer.status_code, answer.headers["location"]) == (303, "/account")
        assert (await other.get("/account")).status_code == 200
        await other.post("/logout")

        clock.advance(timedelta(minutes=5))
        token = await first_step(other, account)
        assert (await second_step(recovery[0].upper())).status_code == 303
        await other.get("/account")
        await other.post("/logout")
        token = await first_step(other, account)
        assert (await second_step(recovery[0])).status_code == 422, "used up"
        clock.advance(timedelta(minutes=11))
        assert (await second_step(recovery[1])).headers["location"] == "/login", "the first step was too long ago"


async def test_codes_cannot_be_guessed(
    clock: ManualClock, client: PageClient, app: FastAPI, sign_in: SignIn, settings: Settings
) -> None:
    account = await sign_in("admin")
    await turn_on(client, settings)
    async with PageClient(transport=httpx.ASGITransport(app), base_url=BASE_URL) as other:
        token = await first_step(other, account)
        statuses = [
            (await other.post("/login/code", data={"token": token, "code": f"{number:06}"})).status_code
            for number in range(7)
        ]
    assert statuses[0] == 422
    assert statuses[-1] == 429


async def test_turning_it_on_ends_other_log_ins_and_turning_it_off_wants_a_code(
    clock: ManualClock, client: PageClient, app: FastAPI, sign_in: SignIn, settings: Settings, database: Database
) -> None:
    account = await sign_in("researcher")
    async with PageClient(transport=httpx.ASGITransport(app), base_url=BASE_URL) as thief:
        await log_in(thief, database, settings, account)
        secret, _ = await turn_on(client, settings)
        assert (await thief.get("/account")).status_code == 303
    await client.get("/account/second-factor")
    assert (await client.post("/account/second-factor/off", data={"code": "000000"})).status_code == 422
    clock.advance(timedelta(minutes=2))
    code = code_at(secret, step_of(now()))
    assert (await client.post("/account/second-factor/off", data={"code": code})).status_code == 303
    assert "turned off" in str(mails(settings)[-1]["Subject"])


async def test_the_secret_is_sealed_in_the_database_and_useless_with_another_key(
    client: PageClient, sign_in: SignIn, settings: Settings, session: AsyncSession
) -> None:
    await sign_in("admin")
    secret, recovery = await turn_on(client, settings)
    account = (await session.scalars(select(Account))).one()
    kept = f"{account.second_factor} {account.recovery_codes}"
    for told in (second_factor.written(secret), secret.hex(), recovery[0], recovery[0].replace("-", "")):
        assert told not in kept
    other = settings.model_copy(
        update={"secret_key": type(settings.secret_key)("another key that is long enough, 0123")}
    )
    assert account.second_factor is not None
    assert second_factor.unseal(account.second_factor, other) is None


async def test_a_command_helps_who_has_lost_everything(
    client: PageClient, sign_in: SignIn, settings: Settings, session: AsyncSession
) -> None:
    account = await sign_in("admin")
    await turn_on(client, settings)
    done = await asyncio.to_thread(
        CliRunner().invoke, grintu, ["user", "second-factor-off", account.email], env=environment_of(settings)
    )
    assert done.exit_code == 0, done.output
    assert (await session.scalars(select(Account.second_factor))).one() is None


# --------------------------------------------------------------------------------------------------------------- proofs

WANTING_PROOF = (
    ("POST", "/admin/accounts/{account}/role"),
    ("POST", "/admin/accounts/{account}/delete"),
    ("POST", "/admin/accounts"),
    ("POST", "/research/exports"),
    ("GET", "/research/exports/download"),
)


@pytest.mark.parametrize(("method", "path"), WANTING_PROOF)
async def test_an_open_browser_is_not_enough_for_roles_and_exports(
    clock: ManualClock,
    client: PageClient,
    sign_in: SignIn,
    settings: Settings,
    database: Database,
    method: str,
    path: str,
) -> None:
    await sign_in("admin")
    somebody = await new_account(database)
    address = path.format(account=somebody.id)
    clock.advance(settings.proof_lifetime + timedelta(seconds=1))
    client.headers["accept"] = "application/json"
    answer = await client.request(method, address)
    assert (answer.status_code, answer.json()["error"]) == (403, "NotProved")
    client.headers["accept"] = "text/html"

    await client.get("/account/prove?next=/admin/accounts")
    assert (await client.post("/account/prove", data={"proof": "wrong password"})).status_code == 422
    answer = await client.post("/account/prove", data={"proof": PASSWORD, "next": "/admin/accounts"})
    assert answer.headers["location"] == "/admin/accounts"
    answer = await client.request(method, address, data={"role": "researcher"} if method == "POST" else None)
    assert answer.status_code in (200, 303, 422)


async def test_who_has_a_second_factor_proves_by_it(
    clock: ManualClock, client: PageClient, sign_in: SignIn, settings: Settings
) -> None:
    await sign_in("researcher")
    secret, _ = await turn_on(client, settings)
    clock.advance(settings.proof_lifetime + timedelta(seconds=1))
    answer = await client.get("/research/exports/download")
    assert answer.headers["location"].startswith("/account/prove?next=/research/exports/download")
    assert "/account/prove?next=/research/exports" in (await client.get("/research/exports")).text
    await client.get("/account/prove")
    assert (await client.post("/account/prove", data={"proof": PASSWORD})).status_code == 422
    answer = await client.post("/account/prove", data={"proof": code_at(secret, step_of(now()))})
    assert answer.status_code == 303
    assert (await client.post("/research/exports", data={"what": "flags"})).headers["location"] == "/research/exports"


@pytest.mark.parametrize("role", ["proband", "researcher", "admin"])
async def test_who_finds_an_open_browser_enrols_no_phone(
    clock: ManualClock, client: PageClient, sign_in: SignIn, settings: Settings, session: AsyncSession, role: str
) -> None:
    """A code of the thief's own phone would else be the proof for everything, and the owner would be locked out."""
    await sign_in(role)
    clock.advance(settings.proof_lifetime + timedelta(seconds=1))
    secret = second_factor.new_secret()
    own = {"sealed": second_factor.seal(secret, settings), "code": code_at(secret, step_of(now()))}
    assert (await client.get("/account/second-factor")).headers["location"].startswith("/account/prove?")
    await client.get("/account")
    answer = await client.post("/account/second-factor", data=own)
    assert answer.status_code in (303, 403)
    assert (await session.scalars(select(Account.second_factor))).one() is None
    proved_at = (await session.scalars(select(AccountSession.proved_at))).one()
    assert proved_at is not None
    assert proved_at < now() - settings.proof_lifetime
    await session.rollback()

    await client.get("/account/prove")
    await client.post("/account/prove", data={"proof": PASSWORD, "next": "/account/second-factor"})
    await turn_on(client, settings)
    clock.advance(settings.proof_lifetime + timedelta(seconds=1))
    assert (await client.get("/account/second-factor")).status_code == 200, "turning it off wants a code anyway"


async def test_who_is_required_to_enrol_and_is_not_proved_finds_the_way(
    clock: ManualClock, client: PageClient, app: FastAPI, sign_in: SignIn, settings: Settings
) -> None:
    app.state.settings = settings.model_copy(update={"require_second_factor": True})
    await sign_in("researcher")
    clock.advance(settings.proof_lifetime + timedelta(seconds=1))
    way = (await client.get("/research")).headers["location"]
    assert way.startswith("/account/second-factor?")
    way = (await client.get(way)).headers["location"]
    assert way.startswith("/account/prove?")
    await client.get(way)
    answer = await client.post("/account/prove", data={"proof": PASSWORD, "next": "/account/second-factor"})
    assert answer.headers["location"] == "/account/second-factor"
    await turn_on(client, settings)
    assert (await client.get("/research")).status_code in (200, 303)


async def test_an_installation_can_require_it(
    client: PageClient, app: FastAPI, sign_in: SignIn, settings: Settings
) -> None:
    app.state.settings = settings.model_copy(update={"require_second_factor": True})
    await sign_in("researcher")
    assert (await client.get("/research")).headers["location"].startswith("/account/second-factor?")
    await turn_on(client, settings)
    assert (await client.get("/research")).status_code in (200, 303)
    await sign_in("proband")
    assert (await client.get("/lobby")).status_code == 200, "probands need none"


# -------------------------------------------------------------------------------------------------------------- log-ins


@pytest.mark.parametrize("role", ["proband", "researcher", "admin"])
async def test_who_does_nothing_for_long_is_logged_out(
    clock: ManualClock, client: PageClient, sign_in: SignIn, settings: Settings, role: str
) -> None:
    await sign_in(role)
    idle = settings.session_idle if role == "proband" else settings.staff_idle
    for _ in range(2):  # who comes back in time stays
        clock.advance(idle - SEEN_EVERY - timedelta(seconds=1))
        assert (await client.get("/account")).status_code == 200
    clock.advance(idle + timedelta(seconds=1))
    assert (await client.get("/account")).status_code == 303


async def test_nobody_stays_for_ever_by_coming_often(
    clock: ManualClock, client: PageClient, sign_in: SignIn, settings: Settings
) -> None:
    await sign_in("proband")
    for _ in range(settings.session_lifetime.days):
        assert (await client.get("/account")).status_code == 200
        clock.advance(timedelta(days=1))
    assert (await client.get("/account")).status_code == 303


async def test_ones_log_ins_are_listed_and_can_be_ended_each(
    client: PageClient, app: FastAPI, database: Database, settings: Settings, session: AsyncSession
) -> None:
    account = await new_account(database, email="mia@example.org")
    stranger = await new_account(database)
    phone = {"user-agent": "Mozilla/5.0 (Linux; Android 16) Chrome/150.0 Mobile Safari/537.36"}
    async with PageClient(transport=httpx.ASGITransport(app), base_url=BASE_URL) as other:
        for browser, headers in ((client, {}), (other, phone)):
            await browser.get("/login")
            sent = await browser.post("/login", data={"email": account.email, "password": PASSWORD}, headers=headers)
            assert sent.status_code == 303
        page = (await client.get("/account")).text
        assert "Chrome, Android" in page
        ended = re.findall(r'action="(/account/sessions/\d+/end)"', page)
        assert len(ended) == 1, "the own one is ended by logging out"

        await log_in(other, database, settings, stranger)
        assert (await other.post(ended[0])).status_code == 303
        query = select(AccountSession.id).where(AccountSession.account_id == account.id)
        assert len((await session.scalars(query)).all()) == 2, "not by somebody else"
        await client.get("/account")
        await client.post(ended[0])
        await session.rollback()
        assert len((await session.scalars(query)).all()) == 1


async def test_the_owner_learns_of_a_new_password_by_mail(
    client: PageClient, database: Database, settings: Settings, sign_in: SignIn
) -> None:
    account = await sign_in()
    await client.post("/account/password", data={"current": PASSWORD, "password": NEW})
    told = mails(settings)[-1]
    assert (told["To"], told["Subject"]) == (account.email, "The password of your account was changed")
    assert NEW not in told.get_content()


async def test_a_token_is_good_for_one_log_in_and_its_cookie_is_new_then(
    client: PageClient, database: Database
) -> None:
    await new_account(database, email="mia@example.org")
    await client.get("/login")
    before, token = client.cookies["csrf"], client.csrf_token
    assert (await client.post("/login", data={"email": "mia@example.org", "password": PASSWORD})).status_code == 303
    assert client.cookies["csrf"] != before, "whoever set or knew it before is none the wiser"
    assert (await client.post("/language", data={"language": "de"})).status_code == 403, "the page of before the log-in"
    await client.get("/account")
    assert client.csrf_token != token
    assert (await client.post("/language", data={"language": "de"})).status_code == 303
    fixed = client.cookies["csrf"]
    client.cookies.delete("session")
    assert (await client.post("/language", data={"language": "de"})).status_code == 403, "bound to the log-in"
    assert client.cookies["csrf"] == fixed


async def test_the_same_host_without_tls_is_another_origin(
    client: PageClient, app: FastAPI, settings: Settings
) -> None:
    await client.get("/login")
    for scheme, status in (("http", 303), ("https", 403)):
        headers = {"origin": f"{scheme}://testserver.local"}
        answer = await client.post("/language", data={"language": "de"}, headers=headers)
        assert answer.status_code == status, scheme


# --------------------------------------------------------------------------------------------------------------- events


async def test_admins_see_what_was_refused_by_pseudonym_and_never_an_address(
    client: PageClient, app: FastAPI, database: Database, session: AsyncSession, sign_in: SignIn
) -> None:
    victim = await new_account(database, email="mia@example.org")
    await client.get("/login")
    for email in (victim.email, victim.email, "nobody@example.org"):
        await client.post("/login", data={"email": email, "password": "wrong password"})
    await client.post("/language", data={"language": "de"}, headers={"x-csrf-token": "forged"})
    report = {"csp-report": {"effective-directive": "script-src-elem", "blocked-uri": "https://evil.example/x.js"}}
    assert (await client.post("/policy-reports", json=report, headers={"x-csrf-token": ""})).status_code == 204
    for rubbish in (b"", b"[]", b"{}", b'{"csp-report": 1}', b"[" * 10_000, b"\xff"):
        assert (await client.post("/policy-reports", content=rubbish)).status_code == 400
    await sign_in("proband")
    assert (await client.get("/admin/security")).status_code == 403
    await sign_in("admin")
    page = (await client.get("/admin/security")).text
    assert "@example.org" not in page.replace("admin-", "")
    found = {(event.kind, event.subject): event.times for event in await session.scalars(select(SecurityEvent))}
    names = {name for _, name in found}
    assert sum(times for (kind, _), times in found.items() if kind == "login.failed") == 3
    assert max(times for (kind, name), times in found.items() if kind == "login.failed" and name) == 2
    assert found["token.refused", ""] == 1
    assert found["policy.violated", ""] == 1
    assert all("@" not in name for name in names)
    assert "Wrong password at log-in" in page


async def test_refused_rights_and_limits_are_counted_by_pseudonym(
    client: PageClient, session: AsyncSession, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIMITS, "page-account", Limit(1, timedelta(hours=1)))
    account = await sign_in("proband")
    assert (await client.get("/admin")).status_code == 403
    statuses = [(await client.get("/account/my-data")).status_code for _ in range(3)]
    assert statuses == [200, 429, 429]
    await sign_in("admin")
    page = (await client.get("/admin/security")).text
    pseudonym = await session.scalar(select(Person.pseudonym).where(Person.id == account.person_id))
    found = {(event.kind, event.subject): event.times for event in await session.scalars(select(SecurityEvent))}
    assert found == {("right.refused", pseudonym): 1, ("limit.reached", pseudonym): 2}
    assert str(pseudonym) in page


async def test_there_is_an_address_for_holes(client: PageClient, settings: Settings) -> None:
    answer = await client.get("/.well-known/security.txt")
    assert answer.headers["content-type"].startswith("text/plain")
    lines = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert lines["Contact"] == f"{settings.base_url}/privacy"
    assert lines["Expires"] > f"{now():%Y-%m-%d}"
