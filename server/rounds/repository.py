"""Queries on rounds, their steps and members."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.rounds.models import ACTIVE, Round, RoundMember, RoundStep, Status


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
