"""How the server answers when something is too large, broken or away, and what it writes down."""

from __future__ import annotations

import json
import logging

import httpx
import pytest
from fastapi import FastAPI

from server.base import logs
from server.base.settings import Settings
from server.storage.database import Database, connect
from server.web import bodies
from server.web.rendering import asset
from tests.servers import PageClient


@pytest.fixture(autouse=True)
def quiet_client(caplog: pytest.LogCaptureFixture) -> None:
    """The test's own HTTP client writes log lines too; they are not the server's."""
    caplog.set_level(logging.WARNING, logger="httpx")


async def test_a_body_that_is_too_large_is_refused(client: PageClient) -> None:
    await client.get("/login")
    answer = await client.post("/login", data={"email": "x" * (bodies.LARGEST + 1)})
    assert answer.status_code == 413
    assert "That is too much data." in answer.text


async def test_without_the_database_people_are_asked_to_come_back(client: PageClient, app: FastAPI) -> None:
    genuine = app.state.database
    async with connect("postgresql://nobody:none@127.0.0.1:1/none?sslmode=disable") as away:
        app.state.database = away
        try:
            answer = await client.get("/privacy")
            health = await client.get("/health")
        finally:
            app.state.database = genuine
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert "Please try again soon." in answer.text
    assert (health.status_code, health.json()["database"]) == (503, "unreachable")
    assert (await client.get("/privacy")).status_code == 200


async def test_without_a_free_connection_people_are_asked_to_come_back(client: PageClient, app: FastAPI) -> None:
    genuine: Database = app.state.database
    async with connect(genuine.engine.url.render_as_string(hide_password=False), size=1) as small:
        small.engine.sync_engine.pool._timeout = 0.05  # type: ignore[attr-defined]  # nobody waits for half a minute here
        app.state.database = small
        try:
            async with small.engine.connect(), small.engine.connect():
                assert small.connections_in_use == 2
                answer = await client.get("/privacy")
        finally:
            app.state.database = genuine
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")


async def test_an_unforeseen_error_is_a_page_and_a_log_line_without_secrets(
    app: FastAPI, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    async def broken() -> None:
        password = "hunter2-hunter2"
        raise RuntimeError(f"broken on purpose, {len(password)}")

    app.add_api_route("/broken", broken)
    app.router.routes.insert(0, app.router.routes.pop())
    logs.configure(settings)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with PageClient(transport=transport, base_url=settings.base_url) as client:
        answer = await client.get("/broken?token=sesame")
    assert answer.status_code == 500
    assert "Something went wrong on our side." in answer.text
    assert "on purpose" not in answer.text
    written = capsys.readouterr().err
    assert "broken on purpose" in written
    assert "hunter2" not in written.replace("password = ", "")
    assert "sesame" not in written


async def test_logs_can_be_read_by_programs(
    client: PageClient, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure(settings.model_copy(update={"log_format": "json"}))
    try:
        answer = await client.get("/confirm?token=sesame")
        logging.getLogger("some.library").warning("from %s", "elsewhere")
    finally:
        logs.configure(settings)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    request = next(line for line in lines if line["event"] == "request")
    assert (request["method"], request["route"], request["status"]) == ("GET", "/confirm", 400)
    assert request["request"] == answer.headers["x-request-id"]
    assert "from elsewhere" in [line["event"] for line in lines]
    assert "sesame" not in str(lines)


async def test_metrics_are_for_this_machine_or_for_those_with_the_token(app: FastAPI, settings: Settings) -> None:
    for client_address, status in (("127.0.0.1", 200), ("192.0.2.1", 403)):
        transport = httpx.ASGITransport(app, client=(client_address, 1))
        async with PageClient(transport=transport, base_url=settings.base_url) as client:
            assert (await client.get("/metrics")).status_code == status


async def test_built_files_are_immutable_and_compressed(client: PageClient) -> None:
    path = asset("styles/main.css")
    if (await client.get(path)).status_code == 404:
        pytest.skip("client_web is not built")
    packed = await client.get(path, headers={"accept-encoding": "br"})
    plain = await client.get(path, headers={"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "br"
    assert "content-encoding" not in plain.headers
    assert packed.text == plain.text
    for answer in (packed, plain):
        assert answer.headers["content-type"].startswith("text/css")
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["vary"] == "Accept-Encoding"
    assert (await client.get("/assets/../server/base/settings.py")).status_code == 404
