"""Fuzzing the HTTP interface: every route as every role, with addresses, queries, forms and JSON that nobody expects.

The routes and their parameters are read from the application, so that a new route is fuzzed without being told. A fault
is an answer of 500 and more, an answer without the security headers, or an error in the log.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import Any, Final
from urllib.parse import quote

import httpx
from fastapi import FastAPI

from server.app import create_app
from server.base.settings import Settings
from server.storage.database import Database
from server.web.headers import HEADERS
from tests.fuzz.borders import questionnaire_seeds
from tests.fuzz.log import Complaints
from tests.fuzz.loop import Fault, Outcome
from tests.fuzz.mutation import TRICKY, VALUES, mutate
from tests.people import log_in, new_account
from tests.server.test_rights import MADE_UP, NO_NUMBER, PARAMETER, ROLES, flat
from tests.servers import PageClient

BASE_URL: Final = "http://fuzz.local"
LEAVES: Final = ("/logout", "/account/logout-everywhere", "/account/delete")
"""These end the session; they are tried, but seldom."""
PARDON_EVERY: Final = 50
"""After so many requests all budgets are full again: what lies behind a limit is to be tried, too."""
NUMBERS: Final = ("1", "2", "0", "-1", str(2**31), str(2**63), "9" * 30, "1.5", "true", "2026-01-31", "x")
ENCODINGS: Final = (
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=b",
    "text/x",
)
WORDS: Final = ("en", "de", "csv", "parquet", "ADVANCER", "publish", "copy", "pause", "human", "verdict", "profile")


@dataclass(frozen=True)
class Door:
    """A route and the names that it understands."""

    method: str
    path: str
    query: tuple[str, ...]
    fields: tuple[str, ...]


def doors(app: FastAPI) -> list[Door]:
    found = []
    for route in flat(app.routes):
        methods = getattr(route, "methods", None)
        if methods is None:
            continue
        query, fields = _names(getattr(route, "dependant", None))
        known = json.dumps(getattr(route, "openapi_extra", None) or {})
        fields |= set(re.findall(r'"(\w+)": \{"(?:type|anyOf|default|maxLength)', known))
        found += [Door(method, route.path, tuple(sorted(query)), tuple(sorted(fields))) for method in sorted(methods)]
    return found


def _names(dependant: Any) -> tuple[set[str], set[str]]:
    if dependant is None:
        return set(), set()
    query = {part.alias for part in (*dependant.query_params, *dependant.header_params)}
    fields = {part.alias for part in dependant.body_params}
    for part in (*dependant.query_params, *dependant.body_params):
        model = getattr(part.field_info, "annotation", None)
        query |= set(getattr(model, "model_fields", ()))
        fields |= set(getattr(model, "model_fields", ()))
    for inner in dependant.dependencies:
        more_query, more_fields = _names(inner)
        query, fields = query | more_query, fields | more_fields
    return query, fields


class Requests:
    """Draws requests."""

    def __init__(self, rng: Random, every: list[Door]) -> None:
        self.rng = rng
        self.doors = every
        self.documents = questionnaire_seeds()

    def text(self) -> str:
        rng = self.rng
        kind = rng.randrange(4)
        if kind == 0:
            return rng.choice(NUMBERS)
        if kind == 1:
            return rng.choice(WORDS)
        drawn = rng.choice(TRICKY) if kind == 2 else mutate(rng, rng.choice(WORDS), WORDS)
        return drawn.encode(errors="replace").decode()[:3000]

    def draw(self) -> tuple[Door, httpx.Request]:
        rng = self.rng
        door = rng.choice(self.doors)
        while door.path in LEAVES and rng.random() < 0.95:
            door = rng.choice(self.doors)
        path = PARAMETER.sub(lambda found: self._part(found.group(1)), door.path)
        if rng.random() < 0.03:
            path += quote(rng.choice(("/", "%2e%2e/", "/../..//etc/passwd", "\x00", "\n", "\u2028")), safe="/")
        query = {name: self.text() for name in door.query if rng.random() < 0.5}
        headers = {"accept": rng.choice(("text/html", "application/json", "*/*"))}
        if rng.random() < 0.05:
            headers[rng.choice(("accept-language", "content-encoding", "origin", "range", "x-forwarded-for"))] = (
                self.text().encode("ascii", "replace").decode().replace("\r", "").replace("\n", "").replace("\x00", "")
            )
        content, kind = self._body(door) if door.method not in ("GET", "HEAD") else (b"", None)
        if kind is not None:
            headers["content-type"] = kind
        return door, httpx.Request(
            door.method, httpx.URL(BASE_URL + path, params=query or None), headers=headers, content=content
        )

    def _part(self, name: str) -> str:
        if self.rng.random() < 0.5:
            return str(self.rng.choice((1, 2, 3, MADE_UP.get(name, NO_NUMBER))))
        return quote(self.text()[:200], safe="") or "0"

    def _body(self, door: Door) -> tuple[bytes, str | None]:
        rng = self.rng
        names = [name for name in door.fields if rng.random() < 0.8]
        kind = rng.choice(ENCODINGS)
        if rng.random() < 0.1:
            return self.text().encode()[:2000], kind
        if kind.startswith("application/json"):
            if rng.random() < 0.3:
                return mutate(rng, rng.choice(self.documents), self.documents).encode("utf-8", "replace"), kind
            values = {name: rng.choice((self.text(), rng.choice(VALUES))) for name in names}
            return json.dumps(values).encode(), kind
        if kind.startswith("multipart"):
            parts = [
                f'--b\r\nContent-Disposition: form-data; name="{name}"'
                f"{rng.choice(('', chr(59) + ' filename=x.json'))}\r\n\r\n{self._document()}\r\n"
                for name in (*names, "file")
            ]
            return ("".join(parts) + "--b--\r\n").encode("utf-8", "replace"), kind
        return "&".join(f"{quote(name)}={quote(self.text())}" for name in names).encode(), kind

    def _document(self) -> str:
        if self.rng.random() < 0.5:
            return self.text()
        return mutate(self.rng, self.rng.choice(self.documents), self.documents)


class WebFuzzer:
    """One client per role against the application in this process."""

    def __init__(self, app: FastAPI, clients: dict[str, PageClient], complaints: Complaints, seed: str) -> None:
        self.requests = Requests(Random(f"{seed}:web"), doors(app))
        self.database: Database = app.state.database
        self.clients = clients
        self.complaints = complaints
        self.outcome = Outcome("web")

    async def run(self, seconds: float = float("inf"), inputs: int | None = None) -> Outcome:
        started, first = time.monotonic(), self.outcome.tried
        while time.monotonic() - started < seconds and (inputs is None or self.outcome.tried - first < inputs):
            await self.one()
        self.outcome.seconds += time.monotonic() - started
        return self.outcome

    async def one(self) -> None:
        door, request = self.requests.draw()
        role = self.requests.rng.choice(ROLES)
        client = self.clients[role]
        request.headers["cookie"] = "; ".join(f"{cookie.name}={cookie.value}" for cookie in client.cookies.jar)
        if self.requests.rng.random() < 0.03:
            trick = self.requests.text().encode("ascii", "replace").decode()
            spoilt = re.sub(r"[^ -~]", "", trick)[:500]
            request.headers["cookie"] = f"session={spoilt}; csrf={spoilt}; language={spoilt}"
        if self.requests.rng.random() < 0.95:
            request.headers["x-csrf-token"] = client.csrf_token
        if self.outcome.tried % PARDON_EVERY == 0:
            await self.database.pool.execute("DELETE FROM rate_limits")
        self.outcome.tried += 1
        answer = await client._transport.handle_async_request(request)
        await answer.aread()
        self.outcome.accepted += answer.status_code < 400
        lacking = [name for name in HEADERS if name not in answer.headers]
        said = self.complaints.take()
        if answer.status_code >= 500 or lacking or said:
            where = f"{answer.status_code} {door.method} {door.path} {lacking or ''}"
            described = f"{role}: {request.method} {request.url}\n{request.headers}\n{request.content[:600]!r}"
            self.outcome.faults.setdefault(where, Fault("web", described, where, "\n".join(said)))


@asynccontextmanager
async def web_fuzzer(
    settings: Settings, database: Database, complaints: Complaints, seed: str
) -> AsyncIterator[WebFuzzer]:
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        clients = {}
        for role in ROLES:
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            clients[role] = PageClient(transport=transport, base_url=BASE_URL)
            if role == "visitor":
                await clients[role].get("/login")
            else:
                await log_in(clients[role], database, settings, await new_account(database, role))
            assert clients[role].csrf_token
        yield WebFuzzer(app, clients, complaints, seed)
        for client in clients.values():
            await client.aclose()
