"""Who is in the middle of a match finds back to it from every page; who was replaced is told so and nothing else."""

from __future__ import annotations

from typing import Any

import httpx
from sqlalchemy import update

from server.base.clock import now
from server.base.settings import Settings
from server.live.models import MatchSeat
from server.storage.database import Database
from tests.server.live.clients import Visitor, visitors
from tests.server.live.conftest import LocalServer, Seat
from tests.server.live.test_hostile_clients import on_move_first, opened


async def asked_by(server: LocalServer, visitor: Visitor, path: str) -> httpx.Response:
    async with httpx.AsyncClient(base_url=server.url, headers=visitor.headers, verify=False) as browser:  # noqa: S501 - plain HTTP to this machine
        return await browser.get(path, headers={"accept": "text/html" if path.startswith("/matches") else "*/*"})


async def running(server: LocalServer, visitor: Visitor) -> Any:
    answer = await asked_by(server, visitor, "/api/matches/running")
    assert answer.status_code == 200
    return answer.json()


async def test_the_match_in_play_is_told_with_its_clock(
    database: Database, settings: Settings, server: LocalServer, seat: Seat
) -> None:
    [nobody] = await visitors(database, settings, 1)
    assert await running(server, nobody) is None
    async with opened(await seat(2)) as clients:
        on_move, waiting = on_move_first(clients)
        own, other = await running(server, on_move.visitor), await running(server, waiting.visitor)
        assert own["match"] == other["match"] == on_move.match
        assert (own["begins"], own["your_move"], other["your_move"]) == (False, True, False)
        assert 0 < own["left_ms"] <= 60_000


async def test_who_was_replaced_and_comes_back_is_told_that_a_stand_in_plays(
    database: Database, server: LocalServer, seat: Seat
) -> None:
    async with opened(await seat(2)) as (client, _):
        async with database.transaction() as session:
            own = MatchSeat.match_id == int(client.match), MatchSeat.person_id == client.visitor.person_id
            await session.execute(update(MatchSeat).where(*own).values(replaced_at=now()))
        page = await asked_by(server, client.visitor, f"/matches/{client.match}")
        assert page.status_code == 200
        assert "A stand-in plays on for you." in page.text
        assert "data-match" not in page.text, "nothing of the match itself"
        assert await running(server, client.visitor) is None
        assert (await asked_by(server, client.visitor, f"/api/matches/{client.match}")).status_code == 409
