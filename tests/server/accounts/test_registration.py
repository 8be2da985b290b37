"""Registration, confirmation, log-in and log-out, through the pages."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import quote

import pytest
from fastapi import FastAPI
from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.models import Account, AccountSession
from server.base.clock import ManualClock
from server.base.settings import Settings
from server.storage.database import Database
from server.web.rendering import local_path
from tests.people import PASSWORD, new_account
from tests.server.accounts.mailbox import links, mails, token_of
from tests.servers import PageClient

EMAIL = "mia@example.org"


async def register(client: PageClient, email: str = EMAIL, password: str = PASSWORD) -> None:
    await client.get("/register")
    answer = await client.post("/register", data={"email": email, "password": password})
    assert (answer.status_code, answer.headers["location"]) == (303, "/register/sent")


async def log_in_by_form(client: PageClient, email: str = EMAIL, password: str = PASSWORD, **more: str) -> int:
    await client.get("/")
    return (await client.post("/login", data={"email": email, "password": password, **more})).status_code


async def test_from_registration_to_log_out(client: PageClient, settings: Settings, session: AsyncSession) -> None:
    await register(client, " Mia@Example.ORG ")
    (mail,) = mails(settings)
    assert mail["To"] == EMAIL
    (link,) = links(mail)

    assert await log_in_by_form(client) == 403, "an unconfirmed address cannot log in"
    for _ in range(2):  # a link scanner may have been there first
        page = await client.get(link)
        assert page.status_code == 200
        assert await session.scalar(select(Account.confirmed_at)) is None, "opening the link confirms nothing"
    for _ in range(2):  # nor does it hurt to come back to it
        await client.get(link)
        answer = await client.post("/confirm", data={"token": token_of(link), "password": PASSWORD})
        assert (answer.status_code, answer.headers["location"]) == (303, "/lobby"), "who registers wants to play"

    assert EMAIL in (await client.get("/account")).text
    await client.post("/logout")
    assert await log_in_by_form(client) == 303
    assert EMAIL in (await client.get("/account")).text
    await client.post("/logout")
    answer = await client.get("/account")
    assert (answer.status_code, answer.headers["location"]) == (303, "/login?next=/account")


async def test_where_somebody_wanted_to_go_is_carried_through_the_mail(client: PageClient, settings: Settings) -> None:
    wanted = "/lobby?game=jostle%3Astandard"
    page = await client.get("/practice")
    assert 'data-lobby="/register?next=/lobby%3Fgame%3Djostle%253Astandard"' in page.text
    page = await client.get("/register", params={"next": wanted})
    assert f'name="next" value="{wanted}"' in page.text
    assert f"/login?next={quote(wanted)}" in page.text
    await client.post("/register", data={"email": EMAIL, "password": PASSWORD, "next": wanted})
    (link,) = links(mails(settings)[0])
    page = await client.get(link)
    assert f'name="next" value="{wanted}"' in page.text
    form = {"token": token_of(link), "password": PASSWORD, "next": wanted}
    answer = await client.post("/confirm", data=form)
    assert (answer.status_code, answer.headers["location"]) == (303, wanted)
    answer = await client.get(wanted, headers={"accept": "text/html"})
    assert answer.headers["location"] == f"/consent?next={quote(wanted, safe='/')}"
    await client.get(answer.headers["location"])
    answer = await client.post("/consent", data={"play_data": "yes", "next": wanted})
    assert (answer.status_code, answer.headers["location"]) == (303, wanted)


@pytest.mark.parametrize("elsewhere", ["https://example.org/", "//example.org", "/\\example.org"])
async def test_nobody_is_led_elsewhere(client: PageClient, settings: Settings, elsewhere: str) -> None:
    await client.get("/register")
    await client.post("/register", data={"email": EMAIL, "password": PASSWORD, "next": elsewhere})
    (link,) = links(mails(settings)[0])
    assert "next" not in link
    answer = await client.post("/confirm", data={"token": token_of(link), "password": PASSWORD, "next": elsewhere})
    assert answer.headers["location"] == "/lobby"


async def test_passwords_are_stored_as_argon2_only(client: PageClient, session: AsyncSession) -> None:
    await register(client)
    account = (await session.scalars(select(Account))).one()
    assert account.password_hash.startswith("$argon2id$")
    assert account.role == "proband"


@pytest.mark.parametrize(
    ("email", "password", "field", "complaint"),
    [
        ("", PASSWORD, "email", "Please fill in this field."),
        ("mia", PASSWORD, "email", "This is not an email address."),
        ("mia@@example.org", PASSWORD, "email", "This is not an email address."),
        ("m" * 250 + "@example.org", PASSWORD, "email", "This may have at most 254 characters."),
        (EMAIL, "", "password", "Please fill in this field."),
        (EMAIL, "short", "password", "This needs at least 10 characters."),
        (EMAIL, "x" * 257, "password", "This may have at most 256 characters."),
    ],
)
async def test_what_is_wrong_stands_beside_the_field(
    client: PageClient, session: AsyncSession, email: str, password: str, field: str, complaint: str
) -> None:
    await client.get("/register")
    answer = await client.post("/register", data={"email": email, "password": password})
    assert answer.status_code == 422
    assert f'<p class="error" id="field-{field}-error">{complaint}</p>' in answer.text
    assert password not in answer.text or not password
    assert await session.scalar(select(func.count()).select_from(Account)) == 0


async def test_errors_are_shown_in_german_too(client: PageClient) -> None:
    await client.get("/register")
    answer = await client.post("/register", data={"email": "mia"}, headers={"accept-language": "de-AT,en;q=0.5"})
    assert "Das ist keine E-Mail-Adresse." in answer.text
    assert '<html lang="de"' in answer.text


async def test_a_known_address_is_told_to_its_owner_only(
    client: PageClient, settings: Settings, database: Database
) -> None:
    account = await new_account(database, email=EMAIL)
    await client.get("/register")
    known = await client.post("/register", data={"email": EMAIL, "password": "another password"})
    new = await client.post("/register", data={"email": "new@example.org", "password": "another password"})
    assert (known.status_code, known.headers["location"], known.text) == (
        new.status_code,
        new.headers["location"],
        new.text,
    )
    first, second = mails(settings)
    assert (first["Subject"], second["Subject"]) == ("You have an account already", "Confirm your email address")
    async with database.sessions() as session:
        unchanged = await session.get(Account, account.id)
        assert unchanged is not None
        assert unchanged.password_hash == account.password_hash


async def test_an_unknown_address_and_a_wrong_password_look_the_same(client: PageClient, database: Database) -> None:
    await new_account(database, email=EMAIL)
    await client.get("/login")
    answers = [
        await client.post("/login", data={"email": email, "password": "wrong password"})
        for email in (EMAIL, "nobody@example.org")
    ]
    assert [answer.status_code for answer in answers] == [422, 422]
    known, unknown = (answer.text.replace(EMAIL, "X").replace("nobody@example.org", "X") for answer in answers)
    assert known == unknown


async def test_the_same_work_is_done_for_unknown_addresses(
    client: PageClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Timing is compared by counting the expensive step, not with a stopwatch."""
    from server.accounts import passwords

    checked: list[bool] = []
    genuine = passwords._verify

    def counting(password: str, stored: str | None) -> bool:
        checked.append(stored is not None)
        return genuine(password, stored)

    monkeypatch.setattr(passwords, "_verify", counting)
    await new_account(database, email=EMAIL)
    await client.get("/login")
    for email in (EMAIL, "nobody@example.org"):
        await client.post("/login", data={"email": email, "password": "wrong password"})
    assert checked == [True, False]


async def test_an_old_or_forged_confirmation_link_offers_a_new_one(
    client: PageClient, settings: Settings, clock: ManualClock
) -> None:
    await register(client)
    (link,) = links(mails(settings)[0])
    clock.advance(settings.confirm_lifetime + timedelta(minutes=2))
    assert "New confirmation link" in (await client.get(link)).text
    assert (await client.post("/confirm", data={"token": token_of(link)})).status_code == 400
    assert (await client.get("/confirm?token=forged")).status_code == 400

    answer = await client.post("/confirm/again", data={"email": EMAIL})
    assert answer.headers["location"] == "/register/sent"
    (fresh,) = links(mails(settings)[-1])
    answer = await client.post("/confirm", data={"token": token_of(fresh), "password": PASSWORD})
    assert answer.status_code == 303


async def test_links_are_for_one_purpose(client: PageClient, settings: Settings) -> None:
    await register(client)
    (link,) = links(mails(settings)[0])
    answer = await client.post("/password/reset", data={"token": token_of(link), "password": PASSWORD})
    assert answer.status_code == 400


async def test_after_log_in_people_come_back_to_where_they_were(client: PageClient, database: Database) -> None:
    await new_account(database, email=EMAIL)
    page = await client.get("/account/delete")
    assert page.headers["location"] == "/login?next=/account/delete"
    answer = await client.post(
        "/login", data={"email": EMAIL, "password": PASSWORD, "next": "/account/delete"}, headers=await csrf(client)
    )
    assert answer.headers["location"] == "/account/delete"


@pytest.mark.parametrize(("role", "start"), [("proband", "/"), ("researcher", "/research"), ("admin", "/admin")])
async def test_who_wanted_no_page_comes_to_where_the_work_is(
    client: PageClient, database: Database, role: str, start: str
) -> None:
    await new_account(database, role, email=EMAIL)
    for wanted in ("", "//evil.example"):
        await client.get("/")
        answer = await client.post("/login", data={"email": EMAIL, "password": PASSWORD, "next": wanted})
        assert answer.headers["location"] == start
    assert (await client.get("/login")).headers["location"] == start, "who is logged in already"


@pytest.mark.parametrize(
    ("referrer", "way"),
    [
        ("http://testserver.local/account?done=x", "/login?next=%2Faccount%3Fdone%3Dx"),
        ("https://evil.example/account", "/login"),
        ("", "/login"),
    ],
)
async def test_a_form_that_was_sent_after_the_log_in_ended_leads_to_a_new_one(
    client: PageClient, referrer: str, way: str
) -> None:
    await client.get("/login")
    answer = await client.post("/account/password", headers={"referer": referrer})
    assert answer.status_code == 401
    assert f'class="button primary" href="{way}"' in answer.text


async def csrf(client: PageClient) -> dict[str, str]:
    await client.get("/login")
    return {"x-csrf-token": client.csrf_token}


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:1", "a", "", "/a\nb"]
)
def test_only_paths_of_this_site_are_followed(elsewhere: str) -> None:
    assert local_path(elsewhere, "/home") == "/home"
    assert local_path("/match/1?ply=2", "/home") == "/match/1?ply=2"


async def test_nobody_is_sent_to_another_site(client: PageClient, database: Database) -> None:
    elsewhere = "//evil.example"
    await new_account(database, email=EMAIL)
    await client.get("/login")
    answer = await client.post("/login", data={"email": EMAIL, "password": PASSWORD, "next": elsewhere})
    assert answer.headers["location"] == "/"
    await client.get("/")
    assert (await client.post("/language", data={"language": "de", "next": elsewhere})).headers["location"] == "/"


async def test_the_session_cookie_is_signed_http_only_and_same_site(client: PageClient, database: Database) -> None:
    await new_account(database, email=EMAIL)
    await client.get("/login")
    answer = await client.post("/login", data={"email": EMAIL, "password": PASSWORD})
    (cookie,) = [line for line in answer.headers.get_list("set-cookie") if line.startswith("session=")]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    value = cookie.partition("=")[2].partition(";")[0]
    client.cookies.set("session", value[:-2] + ("AA" if not value.endswith("AA") else "BB"), domain="testserver.local")
    assert (await client.get("/account")).status_code == 303, "a changed signature is not accepted"


async def test_cookies_are_secure_behind_https(settings: Settings) -> None:
    assert not settings.secure_cookies
    assert settings.model_copy(update={"base_url": "https://example.org"}).secure_cookies


async def test_a_log_in_can_be_revoked_and_ends_by_itself(
    client: PageClient, database: Database, session: AsyncSession, clock: ManualClock, settings: Settings
) -> None:
    await new_account(database, email=EMAIL)
    assert await log_in_by_form(client) == 303
    clock.advance(settings.session_idle - timedelta(minutes=1))
    assert (await client.get("/account")).status_code == 200
    clock.advance(settings.session_lifetime - settings.session_idle - timedelta(minutes=1))
    assert (await client.get("/account")).status_code == 200
    clock.advance(timedelta(minutes=3))
    assert (await client.get("/account")).status_code == 303

    assert await log_in_by_form(client) == 303
    await session.execute(delete(AccountSession))
    await session.commit()
    assert (await client.get("/account")).status_code == 303


async def test_logging_in_again_replaces_the_session(client: PageClient, database: Database, app: FastAPI) -> None:
    await new_account(database, email=EMAIL)
    assert await log_in_by_form(client) == 303
    first = client.cookies["session"]
    await client.get("/")
    token = client.csrf_token
    answer = await client.post("/login", data={"email": EMAIL, "password": PASSWORD}, headers={"x-csrf-token": token})
    assert answer.status_code == 303
    assert client.cookies["session"] != first
    async with database.sessions() as session:
        assert await session.scalar(select(func.count()).select_from(AccountSession)) == 1
