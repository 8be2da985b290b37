"""Two real server processes on one database work as one, also when one of them is killed."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from games.book import read_book, replay
from server.base.settings import Settings
from server.live.records.matches import match_book
from server.storage.database import Database
from tests.server.live.clients import SeatClient, at_random
from tests.server.live.conftest import PATIENT, new_party
from tests.server.live.test_whole_match import finished
from tests.servers import PATIENCE, LiveServer, environment_of, free_port, wait_until_healthy

PACE = "0.05"


@contextmanager
def process(settings: Settings) -> Iterator[LiveServer]:
    """`grintu serve` at a quick pace, ended at the end."""
    port = free_port()
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    log = settings.data_dir / f"server-{port}.log"
    command = [sys.executable, "-m", "server.cli", "serve", "--port", str(port)]
    environment = environment_of(settings) | {"GRINTU_LIVE_PACE": PACE, "GRINTU_LIVE_ASK_TIME": PATIENT}
    with log.open("ab") as output:
        started = subprocess.Popen(command, env=environment, stdout=output, stderr=output, start_new_session=True)
    try:
        yield LiveServer(f"http://127.0.0.1:{port}", port, started, log)
    finally:
        if started.poll() is None:
            os.killpg(started.pid, signal.SIGTERM)
            started.wait(PATIENCE)


@pytest.fixture
def two_servers(settings: Settings, live_environment: pytest.MonkeyPatch) -> Iterator[tuple[LiveServer, LiveServer]]:
    live_environment.setenv("GRINTU_LIVE_PACE", PACE)
    with ExitStack() as stack:
        first = stack.enter_context(process(settings))
        second = stack.enter_context(process(settings))
        wait_until_healthy(first)
        wait_until_healthy(second)
        yield first, second


async def test_players_on_two_processes_and_one_killed_in_mid_match(
    two_servers: tuple[LiveServer, LiveServer], database: Database, settings: Settings
) -> None:
    first, second = two_servers
    party = await new_party(database, settings, first.url, persons=2)
    struck, safe = party.clients
    safe.url = second.url
    await struck.open()
    await safe.open()
    on_first = asyncio.create_task(struck.play_on(at_random("struck", lambda rng: rng.uniform(0, 0.05))))
    on_second = asyncio.create_task(safe.play_on(at_random("safe", lambda rng: rng.uniform(0, 0.05))))
    await safe.until(lambda: safe.ply > 40)
    assert struck.moves[:30] == safe.moves[:30], "both processes tell the same match"

    os.kill(first.process.pid, signal.SIGKILL)
    first.process.wait(PATIENCE)
    await on_first
    assert struck.ended is None

    back = SeatClient(second.url, struck.match, struck.visitor, moves=list(struck.moves))
    await back.open()
    await asyncio.gather(back.play_on(at_random("back")), on_second)

    assert safe.ended is not None
    assert back.ended == safe.ended
    assert back.moves == safe.moves
    match = await finished(database, party.match)
    assert [move.move for move in match.moves] == safe.moves
    assert [move.ply for move in match.moves] == list(range(len(safe.moves)))
    assert all(seat.replaced_at is None for seat in match.seats)
    assert replay(read_book(match_book(match, None))).over


@pytest.mark.long
async def test_many_matches_survive_the_death_of_a_process(
    two_servers: tuple[LiveServer, LiveServer], database: Database, settings: Settings
) -> None:
    first, second = two_servers
    parties = [await new_party(database, settings, first.url, persons=2) for _ in range(8)]
    clients = [client for party in parties for client in party.clients]
    for number, client in enumerate(clients):
        client.url = (first, second)[number % 2].url
    killed = asyncio.Event()

    async def attend(client: SeatClient, seed: int) -> None:
        """Play; when the connection is lost, come back at the other door with what is known."""
        while client.ended is None and not client.replaced:
            try:
                await client.open()
            except OSError:
                client.url = second.url
                continue
            await client.play_on(at_random(f"{seed}:{client.ply}", lambda rng: rng.uniform(0, 0.1)))

    async def kill() -> None:
        await clients[0].until(lambda: clients[0].ply > 20)
        os.kill(first.process.pid, signal.SIGKILL)
        first.process.wait(PATIENCE)
        killed.set()

    async with asyncio.timeout(120):
        await asyncio.gather(kill(), *(attend(client, seed) for seed, client in enumerate(clients)))
    assert killed.is_set()
    for party in parties:
        match = await finished(database, party.match)
        book = replay(read_book(match_book(match, None)))
        assert book.over
        for client in party.clients:
            assert client.ended is not None
            assert client.moves == [move.move for move in match.moves], "what was told was committed, and nothing else"
