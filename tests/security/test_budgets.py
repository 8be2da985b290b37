"""Every page that costs more than next to nothing has a budget per account, counted over all processes."""

from __future__ import annotations

import threading
from datetime import timedelta
from functools import partial
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from server.accounts import limits
from server.accounts.dependencies import Budget
from server.accounts.limits import LIMITS, Limit
from server.base.clock import ManualClock
from server.base.settings import Settings
from server.live.records import matches
from server.storage.database import Database
from tests.conftest import BASE_URL, SignIn
from tests.server.live.clients import visitors
from tests.server.live.test_record import Reader, answered, batch, played_match
from tests.server.test_rights import flat
from tests.servers import PageClient

RATIONED_INSIDE = {
    "/account/delete",
    "/account/password",
    "/account/prove",
    "/account/second-factor",
    "/account/second-factor/off",
    "/confirm",
    "/confirm/again",
    "/login",
    "/login/code",
    "/password/forgot",
    "/password/reset",
    "/register",
    "/research/exports/download",
}
"""They use up a permit once they know whose, or what for; see security/test_accounts.py and server/exports."""
CHEAP = {
    "/",
    "/.well-known/security.txt",
    "/account",
    "/account/deleted",
    "/account/logout-everywhere",
    "/account/profile",
    "/account/sessions/{session_id}/end",
    "/admin/consent",
    "/admin/consent/{kind}",
    "/api/me",
    "/api/self-check",
    "/consent",
    "/findings",
    "/health",
    "/language",
    "/lobby",
    "/logout",
    "/manifest.webmanifest",
    "/matches/{match_id}/questionnaire",
    "/matches/{match_id}/questionnaire/answers",
    "/matches/{match_id}/thanks",
    "/metrics",
    "/policy-reports",
    "/practice",
    "/privacy",
    "/questionnaires",
    "/register/sent",
    "/research/exports",
    "/research/findings",
    "/research/findings/{finding_id}/publish",
    "/rules",
    "/status",
}
"""They read a few rows, or what was computed once, and replay nothing."""


def budgets(dependant: Any) -> set[str]:
    """Of a route, wherever in its dependencies they stand."""
    own = {dependant.call.kind} if isinstance(dependant.call, Budget) else set()
    return own.union(*(budgets(inner) for inner in dependant.dependencies))


def test_every_page_has_a_budget_or_is_known_to_be_cheap(app: FastAPI) -> None:
    """A new one fails here until somebody has thought about what it costs."""
    pages = [route for route in flat(app.routes) if hasattr(route, "dependant")]
    assert len(pages) > 100
    assert {route.path for route in pages if not budgets(route.dependant)} <= CHEAP | RATIONED_INSIDE


@pytest.mark.parametrize(
    ("page", "kind"),
    [
        ("/research", "study-account"),
        ("/api/research/strategies", "study-account"),
        ("/research/results", "study-account"),
        ("/research/answers?words=a", "study-account"),
        ("/research/matches", "viewer-account"),
        ("/admin/audit", "study-account"),
        ("/admin/accounts", "study-account"),
        ("/admin/rounds", "study-account"),
        ("/admin/live", "study-account"),
        ("/api/matches/running", "match-account"),
        ("/games/sources/jostle", "source-account"),
        ("/api/practice?seed=s", "practice-account"),
        ("/api/replay?moves=", "practice-account"),
        ("/account/my-data", "page-account"),
        ("/account/downloads/data", "download-account"),
        ("/research/exports/download", "export-account"),
    ],
)
async def test_who_asks_too_often_waits_and_nobody_else(
    clock: ManualClock,
    client: PageClient,
    app: FastAPI,
    sign_in: SignIn,
    monkeypatch: pytest.MonkeyPatch,
    page: str,
    kind: str,
) -> None:
    assert kind in LIMITS
    monkeypatch.setitem(limits.LIMITS, kind, Limit(2, timedelta(minutes=1)))
    await sign_in("admin")
    statuses = [(await client.get(page)).status_code for _ in range(3)]
    assert statuses[2] == 429
    assert statuses[0] == statuses[1] < 400
    async with PageClient(transport=httpx.ASGITransport(app), base_url=BASE_URL) as other:
        await sign_in("admin", client=other)
        assert (await other.get(page)).status_code == statuses[0]
    clock.advance(timedelta(minutes=1))
    assert (await client.get(page)).status_code == statuses[0]


async def test_books_and_logs_of_matches_have_a_budget(
    clock: ManualClock, client: PageClient, database: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(limits.LIMITS, "match-account", Limit(2, timedelta(minutes=1)))
    for path in ("interactions", "book", "verify", "dice"):
        (person,) = await visitors(database, settings, 1)
        match = await played_match(database, [person])
        await answered(database, match, person)
        reader = Reader(client, person)
        api = "/api" if path in ("dice", "interactions") else ""
        asks = partial(reader.send, body=batch(0)) if path == "interactions" else reader.get
        statuses = [(await asks(f"{api}/matches/{match}/{path}")).status_code for _ in range(3)]
        assert statuses[:2] in ([200, 200], [204, 204])
        assert statuses[2] == 429


async def test_a_book_is_written_beside_the_event_loop(
    client: PageClient, database: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []
    genuine = matches.match_book

    def noting(*arguments: Any, **named: Any) -> str:
        threads.append(threading.current_thread())
        return genuine(*arguments, **named)

    monkeypatch.setattr(matches, "match_book", noting)
    (person,) = await visitors(database, settings, 1)
    match = await played_match(database, [person])
    assert (await Reader(client, person).get(f"/matches/{match}/book")).status_code == 200
    assert threads
    assert threading.main_thread() not in threads


async def test_who_is_not_logged_in_is_counted_by_network(
    app: FastAPI, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(limits.LIMITS, "source-account", Limit(1, timedelta(minutes=1)))
    statuses = []
    for address in ("203.0.113.1", "203.0.113.1", "203.0.113.2"):
        transport = httpx.ASGITransport(app, client=(address, 1))
        async with PageClient(transport=transport, base_url=BASE_URL) as visitor:
            statuses.append((await visitor.get("/games/sources/jostle")).status_code)
    assert statuses == [200, 429, 200]
