"""Every answer carries the security headers and says no more than it must: pages, files, refusals, our own errors."""

from __future__ import annotations

import re

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession

from server.base.settings import ROOT, Settings
from server.web.bodies import LARGEST
from server.web.headers import HEADERS, headers_for
from tests.conftest import SignIn
from tests.server.test_rights import MADE_UP, endpoints
from tests.servers import PageClient

TEMPLATES = ROOT / "client_web" / "templates"
SOURCES = ROOT / "client_web" / "src"


def lacking(answer: httpx.Response) -> list[str]:
    return [name for name, value in HEADERS.items() if answer.headers.get(name) != value]


async def test_every_route_answers_with_the_headers_whatever_it_says(
    app: FastAPI, client: PageClient, sign_in: SignIn
) -> None:
    await sign_in("admin")
    wrong = []
    for endpoint in endpoints(app):
        if endpoint.path not in ("/logout", "/account/logout-everywhere"):
            answer = await client.request(endpoint.method, endpoint.address(MADE_UP))
            if lacking(answer) or not answer.headers.get("cache-control"):
                wrong.append((endpoint, answer.status_code, lacking(answer)))
    assert wrong == []


async def test_errors_of_ours_carry_them_too(app: FastAPI, settings: Settings) -> None:
    async def broken() -> None:
        raise RuntimeError("on purpose")

    app.add_api_route("/broken", broken)
    app.router.routes.insert(0, app.router.routes.pop())
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with PageClient(transport=transport, base_url=settings.base_url) as client:
        for accept in ("text/html", "application/json"):
            answer = await client.get("/broken", headers={"accept": accept})
            assert answer.status_code == 500
            assert lacking(answer) == []
            assert "purpose" not in answer.text
        for answer in (
            await client.get("/nowhere"),
            await client.request("TRACE", "/login"),
            await client.get("/assets/../../etc/passwd"),
            await client.get("/assets/%2e%2e/%2e%2e/pyproject.toml"),
            await client.post("/login", content=b"x" * (LARGEST + 1), headers={"content-type": "text/plain"}),
        ):
            assert answer.status_code >= 400
            assert lacking(answer) == []


def test_over_tls_browsers_are_told_to_stay_there() -> None:
    assert "Strict-Transport-Security" in headers_for(https=True)
    assert "Strict-Transport-Security" not in headers_for(https=False)


async def test_what_the_database_cannot_keep_is_refused_and_no_error_of_ours(
    client: PageClient, sign_in: SignIn, session: AsyncSession
) -> None:
    await sign_in("researcher")
    client.headers["accept"] = "application/json"
    words = {"title_en": "a\x00b", "title_de": "x", "body_en": "x", "body_de": "x"}
    answer = await client.post("/research/findings", data=words)
    assert (answer.status_code, answer.json()["error"]) == (422, "InvalidInput")


async def test_an_error_of_the_database_does_not_print_what_was_to_be_stored(session: AsyncSession) -> None:
    with pytest.raises(DBAPIError) as caught:
        await session.execute(text("SELECT CAST(:secret AS integer)"), {"secret": "hunter2@example.org"})
    assert "hunter2" not in str(caught.value).partition("[SQL")[2]


def test_no_template_switches_escaping_off_for_what_came_from_outside() -> None:
    """`safe` stands only behind shapes that are written in the template itself."""
    found = {
        line.strip()
        for path in TEMPLATES.rglob("*.html")
        for line in re.findall(r"\{\{[^}]*\|\s*safe[^}]*\}\}|\{%\s*autoescape.*", path.read_text(encoding="utf-8"))
    }
    assert found == {"{{ ALERT_SHAPES[kind] | safe }}", "{{ SHAPES[letter] | safe }}"}


def test_no_script_turns_texts_into_elements() -> None:
    ways = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|ContextualFragment|\beval\(|new Function"
    )
    found = [
        f"{path.name}:{number}"
        for path in SOURCES.rglob("*.ts")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if ways.search(line)
    ]
    assert found == []
