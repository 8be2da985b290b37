"""A Prolog rule base at a live table: it plays in a seat like anybody, and what it loses is written down."""

from __future__ import annotations

import asyncio
import os
import random
import signal

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.base.clock import now
from server.base.settings import Settings
from server.live.config import LiveConfig
from server.live.models import MatchDecision, MatchEvent, MatchMove, MatchSeat, Source
from server.matchmaking.seating import Seating
from server.matchmaking.selection import Request, Selection
from server.rule_bases.models import RuleBaseRow
from server.rule_bases.service import FAULT, live_faults
from server.storage.database import Database
from tests.server.live.clients import SeatClient, at_random, visitors
from tests.server.live.conftest import LocalServer
from tests.servers import PATIENCE

SILENT = "% The silent one\nmove(_, _) :- fail.\n"
QUICK = "% The silent one\nworth([Choice|_], Choice).\n"
NAME = "The silent one (rule base 1)"


async def with_the_silent_one(session: AsyncSession, request: Request, rng: random.Random) -> Selection:
    return Selection((NAME, "ADVANCER", "PALS"), (0, 1))


async def test_a_rule_base_plays_to_the_end_and_its_faults_are_recorded(
    server: LocalServer, database: Database, settings: Settings
) -> None:
    (person,) = await visitors(database, settings, 1)
    async with database.transaction() as session:
        session.add(
            RuleBaseRow(
                game="jostle:standard", name=NAME, script=SILENT, author="x", created_at=now(), playing=True, trial={}
            )
        )
        await session.flush()
        match = await Seating(LiveConfig(), with_the_silent_one).seat(session, [person.person_id])
        match_id = match.id
        assert match.panel[0]["player"] == f"prolog:{SILENT}", "browsers get the script"
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


async def test_when_its_time_has_come_the_lot_decides_and_the_match_goes_on(
    server: LocalServer, database: Database, settings: Settings
) -> None:
    """Its process stands still all along: who waited for it would know by the time that a program sits there."""
    (person,) = await visitors(database, settings, 1)
    async with database.transaction() as session:
        session.add(
            RuleBaseRow(
                game="jostle:standard", name=NAME, script=QUICK, author="x", created_at=now(), playing=True, trial={}
            )
        )
        await session.flush()
        match_id = (await Seating(LiveConfig(), with_the_silent_one).seat(session, [person.person_id])).id
    programs = server.live.house.clockwork.thinkers.programs
    (first, second) = programs._uploaded
    standing = (first, second)[match_id % 2]
    standing.wake()
    while standing.pid is None:  # noqa: ASYNC110 - there is no event to wait for
        await asyncio.sleep(0.01)
    os.kill(standing.pid, signal.SIGSTOP)
    client = SeatClient(server.url, str(match_id), person)
    await client.open()
    playing = asyncio.create_task(client.play_on(at_random(1)))
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                async with database.sessions() as session:
                    faults = await live_faults(session, NAME)
                if len(faults) > 1:
                    break
                await asyncio.sleep(0.1)
        assert all("no answer within 1 s" in fault.fault for fault in faults), faults
        async with database.sessions() as session:
            played = select(func.max(MatchMove.ply)).where(MatchMove.match_id == match_id)
            assert (await session.scalar(played) or 0) >= max(fault.ply for fault in faults[1:]), (
                "what was drawn was played"
            )
            seat = (await session.scalars(select(MatchSeat.seat).where(MatchSeat.strategy == NAME))).one()
            drawn = select(MatchDecision).where(MatchDecision.match_id == match_id, MatchDecision.seat == seat)
            async with asyncio.timeout(PATIENCE):
                while not (noted := (await session.scalars(drawn)).all()):
                    await session.rollback()
                    await asyncio.sleep(0.1)
            assert "drawn by lot" in noted[0].decision["explanation"]
        assert standing.pid is not None
    finally:
        if standing.pid is not None:
            os.kill(standing.pid, signal.SIGCONT)
        assert client.socket is not None
        await client.socket.close()
        await playing
