"""No other site can make a browser change anything: tried on every route that changes something."""

from __future__ import annotations

import re

import httpx
import pytest
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from server.accounts.sessions import COOKIE, forget_cookie
from server.app import create_app
from server.base.errors import BadToken
from server.base.settings import Settings
from server.storage.database import Database
from server.web import csrf
from server.web.cookies import cookie_name
from tests.people import PASSWORD, new_account
from tests.server.test_rights import MADE_UP, endpoints
from tests.servers import PageClient

FORGERIES = {
    "no token": {"x-csrf-token": "none"},
    "another site's page": {"sec-fetch-site": "cross-site"},
    "a neighbour's page": {"sec-fetch-site": "same-site"},
    "another origin": {"origin": "https://evil.example"},
    "no origin to speak of": {"origin": "null"},
}


async def test_every_changing_route_refuses_forged_requests(app: FastAPI, client: PageClient) -> None:
    await client.get("/login")
    client.headers["accept"] = "application/json"
    changing = [
        endpoint
        for endpoint in endpoints(app)
        if endpoint.method not in csrf.SAFE_METHODS and endpoint.path != csrf.REPORTS  # counts, changes nothing
    ]
    assert len(changing) > 25
    let_in = []
    for endpoint in changing:
        for how, headers in FORGERIES.items():
            answer = await client.request(endpoint.method, endpoint.address(MADE_UP), headers=headers)
            if (answer.status_code, answer.json().get("error")) != (403, "BadToken"):
                let_in.append((endpoint, how, answer.status_code))
    assert let_in == []


def test_no_reading_route_is_known_to_change_something(app: FastAPI) -> None:
    """Names that promise a change may only be asked for with POST, PUT or DELETE."""
    verbs = re.compile(r"/(delete|logout|publish|retire|import|retry|discard|pause|resume|cancel|role|schedule)\b")
    reading = [endpoint.path for endpoint in endpoints(app) if endpoint.method == "GET" and verbs.search(endpoint.path)]
    only_ask = ["/account/delete", "/research/questionnaires/{version_id}/publish"]
    assert sorted(reading) == only_ask, "which show what would happen and ask whether one is sure"


@pytest.fixture
def over_tls(settings: Settings) -> Settings:
    return settings.model_copy(update={"base_url": "https://grintu.example"})


async def test_over_tls_cookies_belong_to_this_host_alone(over_tls: Settings, database: Database) -> None:
    account = await new_account(database)
    app = create_app(over_tls)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app)
        async with PageClient(transport=transport, base_url=over_tls.base_url) as client:
            page = await client.get("/login")
            answer = await client.post("/login", data={"email": account.email, "password": PASSWORD})
            assert answer.status_code == 303
            assert (await client.get("/account")).status_code == 200
            left = await client.post("/logout")
            assert (await client.get("/account")).status_code == 303
    made = [page.headers["set-cookie"], answer.headers["set-cookie"], left.headers["set-cookie"]]
    assert [line.partition("=")[0] for line in made] == ["__Host-csrf", "__Host-session", "__Host-session"]
    for line in made:
        assert {"Secure", "HttpOnly", "Path=/"} <= set(line.split("; "))
        assert "Domain" not in line


async def test_over_tls_a_neighbours_cookies_are_not_looked_at(over_tls: Settings, database: Database) -> None:
    """A page of a neighbouring host can set a cookie for ours, but none with the prefix."""
    assert cookie_name(COOKIE, over_tls) == "__Host-session"
    value = "n" * 32
    app, token = create_app(over_tls), csrf.sign(value, over_tls.secret)
    request = Request(
        {
            "type": "http",
            "method": "POST",
            "path": "/",
            "query_string": b"",
            "server": ("grintu.example", 443),
            "scheme": "https",
            "app": app,
            "headers": [(b"cookie", f"csrf={value}".encode()), (b"x-csrf-token", token.encode())],
        }
    )
    with pytest.raises(BadToken):
        await csrf.check(request)


def test_logging_out_over_tls_forgets_the_cookie_as_browsers_want_it(over_tls: Settings) -> None:
    response = Response()
    forget_cookie(response, over_tls)
    assert response.headers["set-cookie"].startswith('__Host-session=""')
    assert "Secure" in response.headers["set-cookie"]
