"""Letting simulated probands judge: one session is written in one transaction, once, whatever is killed or repeated."""

from __future__ import annotations

import asyncio

import structlog
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.models import Person
from server.accounts.pseudonyms import SIMULATED
from server.base.clock import now
from server.jobs.registry import Tools
from server.judgements.repository import position
from server.rounds import repository
from server.rounds.models import Round
from server.rounds.queue import go_on
from server.rounds.simulated_probands import SimulatedProbands, span_of
from server.rounds.steps import state_of
from server.rules.service import open_game
from server.simulated.judging import person_records, session_records
from server.simulated.writer import Writer

log = structlog.get_logger()


async def hold_session(tools: Tools, round_id: int, number: int) -> None:
    """Let simulated probands hold session `number` with the population of now. Done again, it does nothing."""
    async with tools.database.sessions() as session:
        round_ = await repository.find(session, round_id)
        if round_ is None or not _wants_session(round_, number):
            return
        game = await open_game(session, round_.game)
    assert round_.simulation is not None
    simulation = SimulatedProbands.from_record(round_.simulation)
    begin = round_.created_at.timestamp()
    span = span_of(simulation, begin, number, now().timestamp())
    matches = await asyncio.get_running_loop().run_in_executor(
        tools.processes,
        session_records,
        simulation,
        (game.reference, game.source),
        round_.seed,
        number,
        state_of(round_).population,
        span,
    )
    async with tools.database.transaction() as session:
        round_ = await repository.find(session, round_id, lock=True)
        if round_ is None or not _wants_session(round_, number):
            return
        writer = Writer(session, game, f"round{round_id}", sheets=simulation.days > 0)
        if number == 1:
            await writer.add_persons(person_records(simulation, round_.seed, begin), accounts=False)
        else:
            writer.persons = await _simulated_persons(session, round_id)
        for match in matches:
            await writer.add_match(match)
        await writer.flush()
        round_.sessions = number
        round_.session_position = await position(session, round_.game)
        await go_on(session, round_)
    log.info("round judged", round=round_id, session=number, matches=len(matches))


def _wants_session(round_: Round, number: int) -> bool:
    return round_.due and round_.simulation is not None and round_.sessions + 1 == number


async def _simulated_persons(session: AsyncSession, round_id: int) -> list[int]:
    query = select(Person.id).where(Person.pseudonym.like(f"{SIMULATED}round{round_id}-%")).order_by(Person.pseudonym)
    return list(await session.scalars(query))
