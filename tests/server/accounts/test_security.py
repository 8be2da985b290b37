"""Protection against forged requests, guessing, enumeration and strangers in the page."""

from __future__ import annotations

from datetime import timedelta

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.limits import LIMITS, network_of, take
from server.accounts.models import RateLimit
from server.base.clock import ManualClock
from server.base.errors import TooManyRequests
from server.base.settings import Settings
from server.storage.database import Database, connect
from tests.people import PASSWORD, new_account
from tests.servers import PageClient

EMAIL = "mia@example.org"


@pytest.mark.parametrize("token", ["", "forged", "0" * 64])
async def test_a_change_without_our_token_is_refused(client: PageClient, token: str) -> None:
    await client.get("/login")
    answer = await client.post("/language", data={"language": "de"}, headers={"x-csrf-token": token})
    assert answer.status_code == 403
    assert "Please reload it" in answer.text


async def test_the_token_of_another_browser_is_refused(client: PageClient, app: FastAPI) -> None:
    await client.get("/login")
    async with PageClient(transport=httpx.ASGITransport(app), base_url=str(client.base_url)) as other:
        await other.get("/login")
        answer = await client.post("/language", data={"language": "de"}, headers={"x-csrf-token": other.csrf_token})
    assert answer.status_code == 403


@pytest.mark.parametrize(
    "headers", [{"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"origin": "https://evil.example"}]
)
async def test_a_request_that_comes_from_elsewhere_is_refused(client: PageClient, headers: dict[str, str]) -> None:
    await client.get("/login")
    assert (await client.post("/language", data={"language": "de"}, headers=headers)).status_code == 403


async def test_the_token_works_as_field_and_as_header(client: PageClient) -> None:
    await client.get("/login")
    token = client.csrf_token
    as_field = await client.post(
        "/language", data={"language": "de", "csrf_token": token}, headers={"x-csrf-token": ""}
    )
    as_header = await client.post("/language", data={"language": "de"}, headers={"x-csrf-token": token})
    assert (as_field.status_code, as_header.status_code) == (303, 303)


async def test_guessing_a_password_is_slowed_down(client: PageClient, database: Database, clock: ManualClock) -> None:
    await new_account(database, email=EMAIL)
    await client.get("/login")
    limit = LIMITS["login-address"]
    for _ in range(limit.burst):
        answer = await client.post("/login", data={"email": EMAIL, "password": "guess guess"})
        assert answer.status_code == 422
    answer = await client.post("/login", data={"email": EMAIL.upper(), "password": PASSWORD})
    assert answer.status_code == 429, "even the right password, in any spelling of the address"
    assert int(answer.headers["retry-after"]) == limit.refill.total_seconds()
    clock.advance(limit.refill)
    assert (await client.post("/login", data={"email": EMAIL, "password": PASSWORD})).status_code == 303


async def test_limits_hold_over_several_processes(
    database: Database, database_url: str, settings: Settings, clock: ManualClock
) -> None:
    """Another process is another set of connections to the same database."""
    limit = LIMITS["mail-address"]
    async with connect(database_url, size=1, raw_size=1) as other:
        for number in range(limit.burst):
            await take((database, other)[number % 2], settings, "mail-address", EMAIL)
        for each in (database, other):
            with pytest.raises(TooManyRequests):
                await take(each, settings, "mail-address", EMAIL)
        await take(other, settings, "mail-address", "somebody@else.example")
        clock.advance(limit.refill * 2)
        await take(other, settings, "mail-address", EMAIL)
        await take(other, settings, "mail-address", EMAIL)
        with pytest.raises(TooManyRequests):
            await take(other, settings, "mail-address", EMAIL)


async def test_a_bucket_never_holds_more_than_its_burst(
    database: Database, settings: Settings, clock: ManualClock
) -> None:
    await take(database, settings, "mail-address", EMAIL)
    clock.advance(timedelta(days=365))
    for _ in range(LIMITS["mail-address"].burst):
        await take(database, settings, "mail-address", EMAIL)
    with pytest.raises(TooManyRequests):
        await take(database, settings, "mail-address", EMAIL)


async def test_the_limits_collect_no_addresses(client: PageClient, session: AsyncSession) -> None:
    await client.get("/login")
    await client.post("/login", data={"email": EMAIL, "password": PASSWORD})
    buckets = (await session.scalars(select(RateLimit.bucket))).all()
    assert {bucket.partition(":")[0] for bucket in buckets} == {"login-network", "login-address"}
    assert not [bucket for bucket in buckets if "mia" in bucket or "127.0.0.1" in bucket]


@pytest.mark.parametrize(
    ("host", "network"), [("192.0.2.7", "192.0.2.7"), ("2001:db8::1:2:3:4", "2001:db8::/64"), ("odd", "odd")]
)
def test_a_household_is_one_network(host: str, network: str) -> None:
    from starlette.requests import Request

    assert network_of(Request({"type": "http", "client": (host, 1), "headers": []})) == network


@pytest.mark.parametrize("path", ["/login", "/nowhere", "/health", "/assets/none.js"])
async def test_every_answer_carries_the_security_headers(client: PageClient, path: str) -> None:
    headers = (await client.get(path)).headers
    policy = headers["content-security-policy"]
    assert "script-src 'self' 'wasm-unsafe-eval'" in policy
    assert "unsafe-inline" not in policy
    assert " 'unsafe-eval'" not in policy
    assert "default-src 'none'" in policy
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-embedder-policy"] == "require-corp"
    assert headers["x-content-type-options"] == "nosniff"
    assert "strict-transport-security" not in headers, "only where the site is reached by https"


async def test_pages_are_not_kept_by_caches(client: PageClient) -> None:
    assert (await client.get("/login")).headers["cache-control"] == "no-store"


async def test_programs_get_json_and_people_get_pages(client: PageClient) -> None:
    page = await client.get("/api/me")
    assert (page.status_code, page.json()["error"]) == (401, "NotSignedIn")
    nowhere = await client.get("/nowhere")
    assert (nowhere.status_code, nowhere.headers["content-type"]) == (404, "text/html; charset=utf-8")
    plain = await client.get("/nowhere", headers={"accept": "application/json"})
    assert plain.json() == {"error": "HttpError", "message": "There is nothing at this address."}
