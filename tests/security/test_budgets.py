"""Every page that costs much has a budget per account, counted in the database and therefore over all processes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from server.accounts import limits
from server.accounts.dependencies import Budget
from server.accounts.limits import LIMITS, Limit
from server.base.clock import ManualClock
from tests.conftest import BASE_URL, SignIn
from tests.server.test_rights import flat
from tests.servers import PageClient

COSTLY = (
    "/research",
    "/api/research",
    "/api/ratings",
    "/games",
    "/api/games",
    "/api/practice",
    "/api/replay",
    "/account/my-data",
    "/account/downloads",
)
RATIONED_INSIDE = {"/research/exports/download"}
"""They use up a permit once the rights are checked; see tests/server/exports."""
CHEAP = {"/research/exports", "/research/findings", "/research/findings/{finding_id}/publish"}
"""They read next to nothing."""


def budgets(dependant: Any) -> set[str]:
    """Of a route, wherever in its dependencies they stand."""
    own = {dependant.call.kind} if isinstance(dependant.call, Budget) else set()
    return own.union(*(budgets(inner) for inner in dependant.dependencies))


def test_no_costly_page_is_without_a_budget(app: FastAPI) -> None:
    costly = [route for route in flat(app.routes) if getattr(route, "path", "").startswith(COSTLY)]
    assert len(costly) > 30
    lacking = {route.path for route in costly if not budgets(route.dependant)}
    assert lacking == CHEAP | RATIONED_INSIDE


@pytest.mark.parametrize(
    ("page", "kind"),
    [
        ("/research", "study-account"),
        ("/api/research/strategies", "study-account"),
        ("/research/results", "study-account"),
        ("/research/answers?words=a", "study-account"),
        ("/research/matches", "viewer-account"),
        ("/games/sources/jostle", "source-account"),
        ("/api/practice?seed=s", "practice-account"),
        ("/api/replay?moves=", "practice-account"),
        ("/account/my-data", "page-account"),
        ("/account/downloads/data", "download-account"),
        ("/research/exports/download?what=flags", "export-account"),
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
    await sign_in("researcher")
    statuses = [(await client.get(page)).status_code for _ in range(3)]
    assert statuses[2] == 429
    assert statuses[0] == statuses[1] < 400
    async with PageClient(transport=httpx.ASGITransport(app), base_url=BASE_URL) as other:
        await sign_in("researcher", client=other)
        assert (await other.get(page)).status_code == statuses[0]
    clock.advance(timedelta(minutes=1))
    assert (await client.get(page)).status_code == statuses[0]


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
