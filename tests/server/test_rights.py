"""Every page and endpoint against every role, found from the routes themselves: nobody gets more than the role allows.

What is allowed is one table by the beginning of the address; an address that the table does not know fails the test.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import text
from starlette.routing import BaseRoute, Mount, WebSocketRoute

from server.accounts.limits import LIMITS, Limit
from server.base.settings import Settings
from server.storage.database import Database
from tests.conftest import BASE_URL
from tests.people import log_in, new_account
from tests.server.dashboards.study import fill
from tests.servers import PageClient

ROLES: Final = ("visitor", "proband", "researcher", "admin")

LEAST_ROLE: Final = {
    "/": "visitor",
    "/.well-known": "visitor",
    "/account": "proband",
    "/account/deleted": "visitor",
    "/admin": "admin",
    "/api/games": "visitor",
    "/api/matches": "proband",
    "/api/me": "proband",
    "/api/practice": "visitor",
    "/api/ratings": "researcher",
    "/api/replay": "visitor",
    "/api/research": "researcher",
    "/api/self-check": "visitor",
    "/assets": "visitor",
    "/confirm": "visitor",
    "/consent": "proband",
    "/findings": "visitor",
    "/manifest.webmanifest": "visitor",
    "/games": "visitor",
    "/health": "visitor",
    "/language": "visitor",
    "/lobby": "proband",
    "/login": "visitor",
    "/logout": "visitor",
    "/matches": "proband",
    "/metrics": "visitor",
    "/openapi.json": "visitor",
    "/password": "visitor",
    "/policy-reports": "visitor",
    "/practice": "visitor",
    "/privacy": "visitor",
    "/questionnaires": "proband",
    "/register": "visitor",
    "/research": "researcher",
    "/rules": "visitor",
    "/status": "visitor",
    "/tournaments": "visitor",
}
"""The beginning of an address → the least role that may use it; the longest beginning counts."""

SOCKETS: Final = {"/live/lobby", "/live/matches/{match_id:int}"}
"""Sockets let in by seat and not by role: tests/server/live/test_hostile_clients.py."""

REFUSALS: Final = {"visitor": (401, "NotSignedIn"), "proband": (403, "Forbidden"), "researcher": (403, "Forbidden")}

PARAMETER = re.compile(r"\{(\w+)(?::\w+)?\}")
ADDRESS = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")
MADE_UP: Final[dict[str, Any]] = {"name": "Nobody", "pseudonym": "nobody-0000", "action": "pause"}
"""Values for the places in addresses that lead to nothing; numbers get one that nobody has."""
NO_NUMBER: Final = 987_654_321


@dataclass(frozen=True)
class Endpoint:
    method: str
    path: str

    @property
    def least_role(self) -> str:
        parts = self.path.split("/")
        beginnings = ["/".join(parts[:length]) or "/" for length in range(len(parts), 1, -1)]
        known = next((beginning for beginning in beginnings if beginning in LEAST_ROLE), None)
        assert known is not None, f"say in LEAST_ROLE who may use {self.path}"
        return LEAST_ROLE[known]

    def address(self, values: dict[str, Any]) -> str:
        return PARAMETER.sub(lambda found: str(values.get(found.group(1), NO_NUMBER)), self.path)

    def refuses(self, role: str) -> bool:
        return ROLES.index(role) < ROLES.index(self.least_role)


def flat(routes: list[BaseRoute]) -> Iterator[Any]:
    """The routes, those of included routers among them."""
    for route in routes:
        included = getattr(route, "original_router", None)
        yield from flat(included.routes) if included is not None else (route,)


def endpoints(app: FastAPI) -> list[Endpoint]:
    found = [route for route in flat(app.routes) if not isinstance(route, Mount | WebSocketRoute)]
    return [Endpoint(method, route.path) for route in found for method in sorted(route.methods - {"HEAD"})]


@pytest.fixture(autouse=True)
def budgets_for_all_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who walks through every page at once would come to the end of a budget, which hides what the role may."""
    for kind in ("match-account", "study-account", "viewer-account"):
        monkeypatch.setitem(LIMITS, kind, Limit(10_000, timedelta(seconds=1)))


@pytest.fixture
async def existing(database: Database) -> dict[str, Any]:
    """Values for the places in addresses that lead to something."""
    await fill(database, persons=6, judgements=4, most=24)
    queries = {
        "match_id": "SELECT min(id) FROM matches",
        "pseudonym": "SELECT min(pseudonym) FROM persons",
        "person_id": "SELECT min(person_id) FROM falsifier_flags",
        "account_id": "SELECT min(id) FROM accounts",
        "round_id": "SELECT min(id) FROM rounds",
        "version_id": "SELECT min(id) FROM questionnaire_versions",
        "answer_id": "SELECT min(id) FROM answers",
    }
    async with database.sessions() as session:
        found = {name: await session.scalar(text(query)) for name, query in queries.items()}
    return found | {"name": "ADVANCER", "action": "pause"}


@pytest.fixture
async def browsers(app: FastAPI, database: Database, settings: Settings) -> AsyncIterator[dict[str, PageClient]]:
    """A client per role, each with a genuine CSRF token; programs get errors instead of being led to the log-in."""
    opened = {role: PageClient(transport=httpx.ASGITransport(app), base_url=BASE_URL) for role in ROLES}
    for role, client in opened.items():
        if role == "visitor":
            await client.get("/login")
        else:
            await log_in(client, database, settings, await new_account(database, role))
        assert client.csrf_token
        client.headers["accept"] = "application/json"
    yield opened
    for client in opened.values():
        await client.aclose()


def test_every_address_is_in_the_table_and_nothing_else(app: FastAPI) -> None:
    for endpoint in endpoints(app):
        assert endpoint.least_role in ROLES
    paths = [route.path for route in flat(app.routes)]
    unused = [
        known for known in LEAST_ROLE if not any(f"{path}/".startswith(f"{known.rstrip('/')}/") for path in paths)
    ]
    assert unused == []
    assert {route.path for route in flat(app.routes) if isinstance(route, WebSocketRoute)} == SOCKETS


async def test_who_may_not_is_refused_alike_whether_the_thing_exists(
    app: FastAPI, browsers: dict[str, PageClient], existing: dict[str, Any]
) -> None:
    wrong = []
    for endpoint in endpoints(app):
        for role in ROLES:
            if not endpoint.refuses(role):
                continue
            for values in (existing, MADE_UP):
                answer = await browsers[role].request(endpoint.method, endpoint.address(values))
                said = (answer.status_code, answer.json().get("error"))
                if said != REFUSALS[role]:
                    wrong.append((endpoint, role, said))
    assert wrong == []


async def test_who_may_change_is_let_in_as_far_as_the_form(
    app: FastAPI, browsers: dict[str, PageClient], database: Database, settings: Settings
) -> None:
    """With made-up things and empty forms nothing is changed, but the door must open."""
    wrong = []
    for endpoint in endpoints(app):
        for role in ROLES:
            if endpoint.method == "GET" or endpoint.refuses(role):
                continue
            client = browsers[role]
            answer = await client.request(endpoint.method, endpoint.address(MADE_UP))
            if answer.status_code in (401, 403) or answer.status_code >= 500:
                wrong.append((endpoint, role, answer.status_code, answer.text[:200]))
            if role != "visitor" and endpoint.path in ("/logout", "/account/logout-everywhere"):
                client.headers["accept"] = "text/html"
                await log_in(client, database, settings, await new_account(database, role))
                client.headers["accept"] = "application/json"
    assert wrong == []


async def test_a_match_of_others_looks_like_one_that_does_not_exist(
    app: FastAPI, browsers: dict[str, PageClient], existing: dict[str, Any]
) -> None:
    """A proband who was not there learns nothing by trying numbers."""
    for endpoint in endpoints(app):
        if "{match_id}" in endpoint.path and endpoint.least_role == "proband":
            there = await browsers["proband"].request(endpoint.method, endpoint.address(existing))
            nowhere = await browsers["proband"].request(endpoint.method, endpoint.address(MADE_UP))
            assert there.status_code == nowhere.status_code >= 400, endpoint
            assert there.json() == nowhere.json(), endpoint


async def test_who_may_read_is_let_in_and_sees_addresses_only_as_an_admin(
    app: FastAPI, browsers: dict[str, PageClient], database: Database, existing: dict[str, Any]
) -> None:
    async with database.sessions() as session:
        known = set(await session.scalars(text("SELECT email FROM accounts")))
    seen: dict[str, set[str]] = {}
    wrong = []
    for role, client in browsers.items():
        client.headers["accept"] = "text/html"
        own = set(ADDRESS.findall((await client.get("/account")).text))
        seen[role] = set()
        for endpoint in endpoints(app):
            if endpoint.method == "GET" and not endpoint.refuses(role):
                answer = await client.get(endpoint.address(existing))
                seen[role] |= (set(ADDRESS.findall(answer.text)) & known) - own
                if answer.status_code in (401, 403) or answer.status_code >= 500:
                    wrong.append((endpoint, role, answer.status_code))
    assert wrong == []
    assert seen["visitor"] | seen["proband"] | seen["researcher"] == set()
    assert seen["admin"], "the search finds addresses where they are shown"
