"""Queries on rounds, their steps and members, and the judgement log as a step reads it."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from lab.judgements import HUMAN, Challenge, Judgement, Verdict
from server.database import Database
from server.rounds.models import ACTIVE, Round, RoundMember, RoundStep, Status

CHUNK = 20_000
"""Rows that are turned into judgements without a pause: a blocked event loop looks like a dead worker."""

LOG = """
SELECT extract(epoch FROM j.at)::float8, j.match_id, p.pseudonym, j.strategy, j.verdict, j.sureness, j.enjoyment,
       j.challenge
FROM judgements j JOIN persons p ON p.id = j.person_id
WHERE j.id <= $1 AND j.person_id <> ALL($2::bigint[]) ORDER BY j.id
"""


async def find(session: AsyncSession, round_id: int, *, lock: bool = False) -> Round | None:
    query = select(Round).where(Round.id == round_id)
    return await session.scalar(query.with_for_update() if lock else query)


async def all_rounds(session: AsyncSession) -> list[Round]:
    """The newest first."""
    return list(await session.scalars(select(Round).order_by(Round.id.desc())))


async def active(session: AsyncSession, game: str) -> Round | None:
    """The round whose population plays this game now."""
    return await session.scalar(select(Round).where(Round.game == game, Round.status.in_(ACTIVE)))


async def running(session: AsyncSession) -> list[Round]:
    return list(await session.scalars(select(Round).where(Round.status == Status.RUNNING).order_by(Round.id)))


async def steps(session: AsyncSession, round_id: int) -> list[RoundStep]:
    query = select(RoundStep).where(RoundStep.round_id == round_id).order_by(RoundStep.number)
    return list(await session.scalars(query))


async def members(session: AsyncSession, round_id: int) -> list[RoundMember]:
    """Every population of the round, in order."""
    query = select(RoundMember).where(RoundMember.round_id == round_id)
    return list(await session.scalars(query.order_by(RoundMember.step, RoundMember.place)))


async def read_log(database: Database, up_to: int, without: Sequence[int]) -> list[Judgement]:
    """The log up to a position, without some persons; read piece by piece."""
    log: list[Judgement] = []
    async with database.pool.acquire() as connection, connection.transaction(readonly=True):
        cursor = await connection.cursor(LOG, up_to, list(without))
        while rows := await cursor.fetch(CHUNK):
            log += [
                Judgement(
                    time=row[0],
                    match=str(row[1]),
                    person=row[2],
                    seat_truth=row[3] or HUMAN,
                    verdict=Verdict(row[4]),
                    sureness=row[5],
                    enjoyment=row[6],
                    challenge=None if row[7] is None else Challenge(row[7]),
                )
                for row in rows
            ]
    return log
