"""Queries on tournaments and their challenges."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from lab.tournaments.contest import Challenge, Played
from lab.tournaments.ratings import Result
from lab.tournaments.running import to_record
from server.base.clock import now
from server.tournaments.models import Status, Tournament, TournamentChallenge

PAGE = 100


async def find(session: AsyncSession, tournament_id: int, *, lock: bool = False) -> Tournament | None:
    query = select(Tournament).where(Tournament.id == tournament_id)
    return await session.scalar(query.with_for_update() if lock else query)


async def listed(session: AsyncSession, *, public_only: bool) -> list[Tournament]:
    """The newest first."""
    query = select(Tournament).order_by(Tournament.id.desc())
    return list(await session.scalars(query.where(Tournament.public) if public_only else query))


async def running(session: AsyncSession) -> list[Tournament]:
    query = select(Tournament).where(Tournament.status == Status.RUNNING).order_by(Tournament.id)
    return list(await session.scalars(query))


async def waiting(session: AsyncSession, tournament_id: int) -> dict[Challenge, int]:
    """The challenges that are not played yet, in their order, with their numbers."""
    columns = TournamentChallenge.number, TournamentChallenge.entrants, TournamentChallenge.world
    query = (
        select(*columns)
        .where(TournamentChallenge.tournament_id == tournament_id, TournamentChallenge.played_at.is_(None))
        .order_by(TournamentChallenge.number)
    )
    rows = (await session.execute(query)).all()
    return {Challenge(tuple(row.entrants), row.world): row.number for row in rows}


async def counted(session: AsyncSession, tournament_id: int) -> tuple[int, int]:
    """How many challenges are written down, and how many of them are played."""
    query = select(func.count(), func.count(TournamentChallenge.played_at))
    written, played = (await session.execute(query.where(TournamentChallenge.tournament_id == tournament_id))).one()
    return written, played


async def complete(session: AsyncSession, tournament_id: int, number: int, played: Played) -> None:
    """What became of a challenge; what was written before stays."""
    record = to_record(played)
    await session.execute(
        update(TournamentChallenge)
        .where(
            TournamentChallenge.tournament_id == tournament_id,
            TournamentChallenge.number == number,
            TournamentChallenge.played_at.is_(None),
        )
        .values(sums=record["sums"], matches=record["matches"], played_at=now())
    )


async def past(session: AsyncSession, tournament_id: int) -> list[list[Result]]:
    """The results by round, as far as challenges are played."""
    columns = TournamentChallenge.round, TournamentChallenge.entrants, TournamentChallenge.sums
    query = (
        select(*columns)
        .where(TournamentChallenge.tournament_id == tournament_id, TournamentChallenge.played_at.is_not(None))
        .order_by(TournamentChallenge.number)
    )
    rounds: list[list[Result]] = []
    for row in await session.execute(query):
        rounds.extend([] for _ in range(row.round + 1 - len(rounds)))
        rounds[row.round].append((tuple(row.entrants), tuple(row.sums)))
    return rounds


async def challenge(session: AsyncSession, tournament_id: int, number: int) -> TournamentChallenge | None:
    return await session.get(TournamentChallenge, (tournament_id, number))


async def challenges(
    session: AsyncSession, tournament_id: int, *, among: Sequence[int] = (), after: int = 0, most: int = PAGE
) -> list[TournamentChallenge]:
    """Those that are played, in their order; only those of certain entrants if they are named."""
    query = select(TournamentChallenge).where(
        TournamentChallenge.tournament_id == tournament_id,
        TournamentChallenge.number > after,
        TournamentChallenge.played_at.is_not(None),
    )
    for entrant in among:
        query = query.where(TournamentChallenge.entrants.contains([entrant]))
    return list(await session.scalars(query.order_by(TournamentChallenge.number).limit(most)))
