"""Playing the challenges of a tournament so that each counts once, whatever is killed, repeated or done at once.

A job takes a turn of some seconds. It hands pieces of work to processes, or to the cluster that is configured, and
writes down what comes back, each piece in a transaction that first looks whether the turn is still its own. At its end
it begins the next round if this one is over, and leaves the next turn in the queue, in the same transaction. A turn
that was killed is repeated by the queue: what was written is not played again, and what was not gives the same, because
all chance follows from the tournament's seed.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from concurrent.futures import Executor
from contextlib import aclosing, asynccontextmanager
from functools import cache
from typing import Final

import structlog
from pgqueuer.errors import DuplicateJobError
from pydantic import JsonValue
from sqlalchemy.ext.asyncio import AsyncSession

from lab.cluster import ADDRESS_VARIABLE, executor
from lab.tournaments.contest import Arena, Challenge, Played, play_some
from lab.tournaments.running import next_piece, put_back
from lab.tournaments.schedules import Plan, next_round
from server.base.clock import now
from server.jobs.registry import Tools, enqueue
from server.programs.engine import offer_engine
from server.rules.service import open_game
from server.tournaments import repository
from server.tournaments.models import Status, Tournament, TournamentChallenge

log = structlog.get_logger()

JOB: Final = "tournaments.turn"
TURN_SECONDS: Final = 20.0
"""So long a worker that is told to stop waits at most for what it began, and others for their jobs."""
AT_ONCE_ON_CLUSTERS: Final = 64
"""Pieces of work under way on a cluster, of which nobody knows here how large it is."""


def plan_of(tournament: Tournament, seats: int) -> Plan:
    return Plan(
        tournament.form,
        len(tournament.entrants),
        seats,
        tournament.rounds,
        tournament.seed,
        tournament.precision,
    )


async def begin_round(session: AsyncSession, tournament: Tournament, seats: int) -> None:
    """Write down the challenges of the round that comes now, or end the tournament if there is none."""
    past = await repository.past(session, tournament.id)
    challenges = await asyncio.to_thread(next_round, plan_of(tournament, seats), past)
    if not challenges:
        tournament.status, tournament.ended_at = Status.DONE, now()
        return
    written, _ = await repository.counted(session, tournament.id)
    tournament.round = len(past)
    session.add_all(
        TournamentChallenge(
            tournament_id=tournament.id,
            number=number,
            round=tournament.round,
            entrants=list(challenge.entrants),
            world=challenge.world,
        )
        for number, challenge in enumerate(challenges, start=written + 1)
    )


async def queue_turn(session: AsyncSession, tournament: Tournament) -> None:
    """Let a worker take the tournament's turn. One that is in the queue or under way already will do."""
    if tournament.status != Status.RUNNING:
        return
    payload: JsonValue = {"tournament": tournament.id, "turn": tournament.turn}
    try:
        async with session.begin_nested():
            await enqueue(session, JOB, payload, once=f"tournament {tournament.id} {tournament.turn}")
    except DuplicateJobError:
        return


async def take_turn(tools: Tools, tournament_id: int, turn: int, seconds: float = TURN_SECONDS) -> None:
    """Play for some seconds. Done again, it goes on where the first one was stopped."""
    async with tools.database.sessions() as session:
        tournament = await repository.find(session, tournament_id)
        if tournament is None or not _has(tournament, turn):
            return
        game = await open_game(session, tournament.game)
        numbers = await repository.waiting(session, tournament_id)
    arena = Arena(game.reference, game.source, tuple(tournament.entrants), tournament.seed)
    if numbers:
        async with _pool(tools) as (pool, at_once), aclosing(_pieces(pool, at_once, arena, numbers, seconds)) as pieces:
            async for played in pieces:
                async with tools.database.transaction() as session:
                    tournament = await repository.find(session, tournament_id)
                    if tournament is None or not _has(tournament, turn):
                        break
                    for one in played:
                        await repository.complete(session, tournament_id, numbers[one.challenge], one)
    async with tools.database.transaction() as session:
        tournament = await repository.find(session, tournament_id, lock=True)
        if tournament is None or tournament.turn != turn:
            return
        tournament.turn += 1
        written, played_in_all = await repository.counted(session, tournament_id)
        if tournament.status == Status.RUNNING and written == played_in_all:
            await begin_round(session, tournament, len(game.seats))
        await session.flush()
        await queue_turn(session, tournament)
    log.info("tournament", tournament=tournament_id, turn=turn, played=played_in_all, status=tournament.status)


def _has(tournament: Tournament, turn: int) -> bool:
    return tournament.status == Status.RUNNING and tournament.turn == turn


async def _pieces(
    pool: Executor, at_once: int, arena: Arena, numbers: dict[Challenge, int], seconds: float
) -> AsyncGenerator[Sequence[Played], None]:
    """What was played, piece by piece; after some seconds nothing new is begun."""
    loop, until = asyncio.get_running_loop(), time.monotonic() + seconds
    left: deque[Challenge] = deque(numbers)
    running: dict[asyncio.Future[list[Played]], tuple[Challenge, ...]] = {}
    try:
        while True:
            while left and len(running) < at_once and time.monotonic() < until:
                piece = next_piece(left, at_once)
                running[loop.run_in_executor(pool, play_piece, arena, piece)] = piece
            if not running:
                return
            for future in (await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED))[0]:
                piece, played = running.pop(future), future.result()
                put_back(left, piece, played)
                yield played
    finally:
        for future in running:
            future.cancel()


@asynccontextmanager
async def _pool(tools: Tools) -> AsyncIterator[tuple[Executor, int]]:
    """Where challenges are played, and how many pieces of work it takes at once."""
    if not os.environ.get(ADDRESS_VARIABLE):
        yield tools.processes, 2 * (os.cpu_count() or 1)
        return
    cluster = executor()
    pool = await asyncio.to_thread(cluster.__enter__)
    try:
        yield pool, AT_ONCE_ON_CLUSTERS
    finally:
        await asyncio.to_thread(cluster.__exit__, None, None, None)


def play_piece(arena: Arena, challenges: Sequence[Challenge]) -> list[Played]:
    """A piece of work, in another process: players that are scripts find their engine there."""
    _prepared()
    return play_some(arena, challenges)


@cache
def _prepared() -> None:
    offer_engine()
