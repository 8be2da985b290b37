"""A Prolog rule base at a live table: it plays in a seat like anybody, and what it loses is written down."""

from __future__ import annotations

import random

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.clock import now
from server.database import Database
from server.live.config import LiveConfig
from server.live.models import MatchEvent, MatchMove, MatchSeat, Source
from server.live.seating import Seating
from server.live.selection import Request, Selection
from server.rule_bases.models import RuleBaseRow
from server.rule_bases.service import FAULT, live_faults
from server.settings import Settings
from tests.server.live.clients import SeatClient, at_random, visitors
from tests.server.live.conftest import LocalServer

SILENT = "% The silent one\nmove(_, _) :- fail.\n"
NAME = "The silent one (rule base 1)"


async def with_the_silent_one(session: AsyncSession, request: Request, rng: random.Random) -> Selection:
    return Selection((NAME, "ADVANCER", "PALS"), (0, 1))


async def test_a_rule_base_plays_to_the_end_and_its_faults_are_recorded(
    server: LocalServer, database: Database, settings: Settings
) -> None:
    (person,) = await visitors(database, settings, 1)
    async with database.transaction() as session:
        session.add(RuleBaseRow(name=NAME, script=SILENT, author="x", created_at=now(), playing=True, trial={}))
        await session.flush()
        match = await Seating(LiveConfig(), with_the_silent_one).seat(session, [person.person_id])
        match_id = match.id
        assert match.panel[0]["strategy"] == SILENT, "browsers get the script"
    client = SeatClient(server.url, str(match_id), person)
    await client.open()
    await client.play_on(at_random(1))
    assert client.ended is not None, "a script that never answers blocks no game"

    async with database.sessions() as session:
        seat = (await session.scalars(select(MatchSeat).where(MatchSeat.strategy == NAME))).one()
        played = select(MatchMove.source).where(MatchMove.match_id == match_id, MatchMove.seat == seat.seat)
        assert set(await session.scalars(played)) <= {Source.SERVER, Source.FORCED}
        faults = await live_faults(session, NAME)
        assert any("failed" in fault.fault for fault in faults), faults
        assert {fault.match for fault in faults} == {match_id}
        others = select(MatchEvent).where(MatchEvent.kind == FAULT, MatchEvent.seat != seat.seat)
        assert (await session.scalars(others)).all() == []
