"""What a match must not leave behind in a process or in the database; both were found by the soak test."""

from __future__ import annotations

import asyncio

from server.storage.database import Database
from tests.server.live.clients import PATIENCE
from tests.server.live.conftest import LocalServer, Seat


async def test_nobody_stays_on_record_as_connected_who_leaves_after_the_end(
    server: LocalServer, seat: Seat, database: Database
) -> None:
    party = await seat(persons=1)
    (client,) = party.clients
    await client.open()
    listening = asyncio.create_task(client.listen())
    await connections_become(database, 1)
    server.live.house.tables[party.match].ended = True
    assert client.socket is not None
    await client.socket.close()
    await listening
    await connections_become(database, 0)


async def test_notices_of_matches_that_a_process_does_not_serve_are_forgotten(server: LocalServer) -> None:
    server.live.house.committed_elsewhere(4711, 0, 0.0, ["1"])
    server.live.house.changed_elsewhere(4711)
    assert not server.live.house.noticed


async def connections_become(database: Database, number: int) -> None:
    for _ in range(round(PATIENCE / 0.02)):
        if await database.pool.fetchval("SELECT count(*) FROM seat_connections") == number:
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"there should be {number} connections on record")
