"""One's own account: password, reset, consents, download and deletion."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import httpx
from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.models import Account, Person
from server.accounts.owndata import ERASERS
from server.base.clock import ManualClock
from server.base.settings import Settings
from server.storage.database import Database
from server.study import consent
from server.study.consent import ConsentKind
from tests.conftest import SignIn
from tests.downloads import downloaded
from tests.people import PASSWORD, log_in, new_account
from tests.server.accounts.mailbox import links, mails
from tests.servers import PageClient

NEW = "another long password"


async def test_a_forgotten_password_is_replaced_once(
    client: PageClient, database: Database, settings: Settings, app: FastAPI
) -> None:
    account = await new_account(database)
    async with PageClient(transport=httpx.ASGITransport(app), base_url=settings.base_url) as thief:
        await log_in(thief, database, settings, account)
        await client.get("/password/forgot")
        answer = await client.post("/password/forgot", data={"email": account.email})
        assert answer.headers["location"] == "/register/sent"
        (link,) = links(mails(settings)[0])
        assert (await client.get(link)).status_code == 200
        token = parse_qs(urlsplit(link).query)["token"][0]
        short = await client.post("/password/reset", data={"token": token, "password": "short"})
        assert short.status_code == 422
        assert "at least 10 characters" in short.text
        assert (await client.post("/password/reset", data={"token": token, "password": NEW})).status_code == 303
        assert (await thief.get("/account")).status_code == 303, "every old log-in has ended"
    again = await client.post("/password/reset", data={"token": token, "password": PASSWORD})
    assert again.status_code == 400, "the link works once"
    for password, status in ((PASSWORD, 422), (NEW, 303)):
        answer = await client.post("/login", data={"email": account.email, "password": password})
        assert answer.status_code == status


async def test_asking_for_a_link_tells_nothing_about_the_address(
    client: PageClient, database: Database, settings: Settings
) -> None:
    account = await new_account(database)
    await client.get("/password/forgot")
    answers = [
        await client.post("/password/forgot", data={"email": email}) for email in (account.email, "no@example.org")
    ]
    assert len({(answer.status_code, answer.headers["location"], answer.text) for answer in answers}) == 1
    assert len(mails(settings)) == 1


async def test_a_reset_link_grows_old(
    client: PageClient, database: Database, settings: Settings, clock: ManualClock
) -> None:
    account = await new_account(database)
    await client.get("/password/forgot")
    await client.post("/password/forgot", data={"email": account.email})
    (link,) = links(mails(settings)[0])
    clock.advance(settings.reset_lifetime + timedelta(seconds=1))
    assert "too old" in (await client.get(link)).text


async def test_changing_the_password_needs_the_present_one(
    client: PageClient, sign_in: SignIn, app: FastAPI, database: Database, settings: Settings
) -> None:
    account = await sign_in()
    async with PageClient(transport=httpx.ASGITransport(app), base_url=settings.base_url) as elsewhere:
        await log_in(elsewhere, database, settings, account)
        wrong = await client.post("/account/password", data={"current": "not it at all", "password": NEW})
        assert wrong.status_code == 422
        assert "This is not your present password." in wrong.text
        assert (await elsewhere.get("/account")).status_code == 200
        right = await client.post("/account/password", data={"current": PASSWORD, "password": NEW})
        assert right.headers["location"] == "/account?done=password"
        assert (await client.get("/account")).status_code == 200
        assert (await elsewhere.get("/account")).status_code == 303


async def test_logging_out_everywhere(
    client: PageClient, sign_in: SignIn, app: FastAPI, database: Database, settings: Settings
) -> None:
    account = await sign_in()
    async with PageClient(transport=httpx.ASGITransport(app), base_url=settings.base_url) as elsewhere:
        await log_in(elsewhere, database, settings, account)
        await client.post("/account/logout-everywhere")
        assert (await client.get("/account")).status_code == 303
        assert (await elsewhere.get("/account")).status_code == 303


async def test_the_download_holds_account_and_consents(client: PageClient, sign_in: SignIn, database: Database) -> None:
    account = await sign_in()
    answer = await downloaded(client, database)
    assert "attachment" in answer.headers["content-disposition"]
    data = answer.json()
    assert data["account"]["email"] == account.email
    assert {(given["kind"], given["given"]) for given in data["consents"]} == {
        ("play_data", True),
        ("interaction_log", True),
    }
    assert "password" not in answer.text.lower().replace("your mail address, your password (only as a hash", "")


async def test_deletion_leaves_a_pseudonym_with_nobody_behind_it(
    client: PageClient, sign_in: SignIn, session: AsyncSession
) -> None:
    account = await sign_in()
    wrong = await client.post("/account/delete", data={"current": "not it at all"})
    assert wrong.status_code == 422
    answer = await client.post("/account/delete", data={"current": PASSWORD})
    assert answer.headers["location"] == "/account/deleted"
    assert await session.get(Account, account.id) is None
    assert await session.get(Person, account.person_id) is not None
    assert (await client.get("/account")).status_code == 303


async def test_the_consent_page_asks_decides_and_remembers(
    client: PageClient, sign_in: SignIn, database: Database
) -> None:
    await sign_in(consenting=False)
    page = await client.get("/consent")
    assert "Version 1" in page.text
    assert "checked" not in page.text.partition("<main")[2].partition("</main")[0]
    refused = await client.post("/consent", data={"interaction_log": "yes"})
    assert refused.status_code == 422
    assert "Without this consent you cannot play." in refused.text
    answer = await client.post("/consent", data={"play_data": "yes", "next": "/lobby"})
    assert answer.headers["location"] == "/lobby"
    history = (await downloaded(client, database)).json()["consents"]
    assert [(event["kind"], event["version"], event["given"]) for event in history] == [
        ("play_data", 1, True),
        ("interaction_log", 1, False),
    ]


async def test_a_new_version_asks_again(database: Database) -> None:
    account = await new_account(database)
    async with database.transaction() as session:
        assert await consent.may_play(session, account.person_id)
        words = {"title": "New", "body": "New"}
        await consent.publish_text(session, ConsentKind.PLAY_DATA, {"en": words, "de": words})
        assert not await consent.may_play(session, account.person_id)
        assert await consent.has_consent(session, account.person_id, "interaction_log")
        await consent.decide(session, account.person_id, {ConsentKind.PLAY_DATA: True})
        assert await consent.may_play(session, account.person_id)


async def test_withdrawing_erases_what_was_gathered_under_it(database: Database) -> None:
    account = await new_account(database)
    erased: list[int] = []

    async def forget(session: AsyncSession, person_id: int) -> None:
        erased.append(person_id)

    ERASERS["interaction_log"].append(forget)
    try:
        for given in (False, False, True, False):
            async with database.transaction() as session:
                await consent.decide(session, account.person_id, {ConsentKind.INTERACTION_LOG: given})
    finally:
        ERASERS["interaction_log"].remove(forget)
    assert erased == [account.person_id] * 2
    async with database.sessions() as session:
        assert not await consent.has_consent(session, account.person_id, "interaction_log")
        assert await consent.has_consent(session, account.person_id, "play_data")


async def test_the_language_is_chosen_by_browser_and_can_be_switched(client: PageClient) -> None:
    for header, language in (("de-CH, en;q=0.8", "de"), ("fr, de;q=0.3, en;q=0.2", "de"), ("fr", "en"), ("*", "en")):
        page = await client.get("/login", headers={"accept-language": header})
        assert f'<html lang="{language}"' in page.text
    answer = await client.post("/language", data={"language": "de", "next": "/register?a=b"})
    assert answer.headers["location"] == "/register?a=b"
    assert '<html lang="de"' in (await client.get("/login")).text
