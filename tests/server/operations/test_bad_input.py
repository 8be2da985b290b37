"""Whatever is sent to the HTTP interface that its own description allows, or nearly so, nothing breaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from schemathesis import Case
from schemathesis.core.result import Ok

from server.base.settings import Settings
from server.storage.database import Database
from tests.people import new_account, session_cookie
from tests.servers import CSRF_FIELD, PATIENCE, PLAIN, LiveServer

EXAMPLES = 8
ENDS_THE_SESSION = {"/logout", "/account/logout-everywhere"}

quick = hypothesis_settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture
def browser(live_server: LiveServer) -> Iterator[httpx.Client]:
    """A client with a genuine CSRF cookie and token, so that requests come past the first door."""
    with httpx.Client(base_url=live_server.url, timeout=PATIENCE, **PLAIN) as client:
        found = CSRF_FIELD.search(client.get("/login", headers={"accept": "text/html"}).text)
        assert found is not None
        client.headers["x-csrf-token"] = found.group(1)
        yield client


def check(server: LiveServer, client: httpx.Client, *, skip: set[str]) -> int:
    """Send generated requests to every operation; gives how many operations there were."""
    schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json", timeout=PATIENCE)
    operations = [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
    for operation in operations:
        if operation.path in skip:
            continue

        @quick
        @given(case=operation.as_strategy(), page=st.booleans())
        def no_server_error(case: Case[Any], page: bool) -> None:
            headers = dict(client.headers) | {"accept": "text/html" if page else "application/json"}
            answer = case.call(headers=headers, cookies=dict(client.cookies), allow_redirects=False, timeout=PATIENCE)
            assert answer.status_code < 500, f"{case.as_curl_command()}\n{answer.text}"

        no_server_error()
    return len(operations)


@pytest.fixture
async def admins_cookie(database: Database, settings: Settings) -> str:
    return await session_cookie(database, settings, await new_account(database, "admin"))


@pytest.mark.long
def test_neither_strangers_nor_admins_cause_a_server_error(
    live_server: LiveServer, browser: httpx.Client, admins_cookie: str
) -> None:
    assert check(live_server, browser, skip=set()) > 10
    browser.cookies.set("session", admins_cookie)
    check(live_server, browser, skip=ENDS_THE_SESSION)
    answer = browser.get("/api/me")
    assert answer.json().get("role") == "admin", f"the requests were really made as an admin: {answer.text}"
