"""A real server in this process for tests of live play, fifty times faster than life, and tables to play at."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
import uvicorn

from server.app import create_app
from server.base.settings import Settings
from server.live.config import LiveConfig
from server.live.runtime import Live
from server.live.wire.frames import ShortProtocol
from server.live.wire.messages import MAX_FRAME
from server.matchmaking.runtime import Matchmaking
from server.matchmaking.seating import Seating
from server.storage.database import Database
from server.study.settings import change_setting
from tests.server.live.clients import SeatClient, Visitor, visitors

PACE = "0.02"
PATIENT = "PT30M"
PATIENT_SECONDS = 1800
"""On a busy machine a quick clock or grace time may run out for no fault of the player; only tests of them hurry."""


@dataclass
class LocalServer:
    """A uvicorn server in this event loop."""

    url: str
    live: Live
    matchmaking: Matchmaking


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[LocalServer]:
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        port=0,
        ws=ShortProtocol,
        ws_per_message_deflate=False,
        ws_max_size=MAX_FRAME,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]  # the test run keeps its own
    task = asyncio.create_task(server._serve())
    while not server.started:
        if task.done():
            task.result()
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield LocalServer(f"http://127.0.0.1:{port}", app.state.live, app.state.matchmaking)
    finally:
        server.should_exit = True
        await task


@pytest.fixture
def live_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    for name in [name for name in os.environ if name.startswith("GRINTU_LIVE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GRINTU_LIVE_PACE", PACE)
    monkeypatch.setenv("GRINTU_LIVE_ASK_TIME", PATIENT)
    yield monkeypatch


@pytest.fixture
async def server(
    settings: Settings, database: Database, live_environment: pytest.MonkeyPatch
) -> AsyncIterator[LocalServer]:
    async with database.transaction() as session:
        await change_setting(session, "grace_time", PATIENT_SECONDS, changed_by="test")
    async with serving(settings) as started:
        yield started


@dataclass(frozen=True)
class Party:
    """A match and a client for each of its persons, not yet connected."""

    match: int
    clients: list[SeatClient]


Seat = Callable[..., Awaitable[Party]]


@pytest.fixture
def seat(server: LocalServer, database: Database, settings: Settings) -> Seat:
    """Seats so many persons at a new table of the server."""

    async def seat_persons(persons: int = 2, grace_seconds: int = PATIENT_SECONDS, game: str | None = None) -> Party:
        return await new_party(database, settings, server.url, persons, grace_seconds, game)

    return seat_persons


async def new_party(
    database: Database,
    settings: Settings,
    url: str,
    persons: int,
    grace_seconds: int = PATIENT_SECONDS,
    game: str | None = None,
) -> Party:
    people: list[Visitor] = await visitors(database, settings, persons)
    async with database.transaction() as session:
        await change_setting(session, "grace_time", grace_seconds, changed_by="test")
        match = await Seating(LiveConfig()).seat(session, [one.person_id for one in people], game=game)
        match_id = match.id
    return Party(match_id, [SeatClient(url, str(match_id), one) for one in people])
