"""kill -9 at several points of a round: the result is the one that the pure state machine gives without any kill.

A trigger in the database holds the worker at a point until it has been killed there; the worker itself knows nothing
about it.
"""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from typing import Any, Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import psutil
import pytest

from games.registry import game
from lab.judgements import Judgement, in_order
from lab.ratings import rate
from lab.refinement import Phase, pool_of, start
from server.base.settings import Settings
from server.judgements.repository import read_log
from server.ratings.evidence import evidence
from server.rounds import repository
from server.rounds.deciding import Outcome, decide
from server.rounds.simulated_probands import Span
from server.simulated.judging import session_records
from server.storage.database import Database, plain_url
from tests.server.rounds.conftest import GAME, POPULATION, QUICK, SEED, SMALL, find, is_done, new_round, until
from tests.workers import running_worker

GATE: Final = 4711
QUICK_BY_NAMES: Final = replace(QUICK, merge_alike=False)
"""Simulated probands go by the names of elements."""
FUNCTION: Final = f"""
CREATE FUNCTION wait_at_the_gate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_advisory_xact_lock_shared({GATE}); RETURN NULL; END $$
"""
POINTS: Final = {
    "writing judgements": ("judgements", "AFTER INSERT ON judgements FOR EACH STATEMENT"),
    "writing the step": ("round_steps", "AFTER INSERT ON round_steps FOR EACH STATEMENT"),
    "writing the population": ("round_members", "AFTER INSERT ON round_members FOR EACH STATEMENT"),
    "committing": ("round_steps", "AFTER INSERT ON round_steps DEFERRABLE INITIALLY DEFERRED FOR EACH ROW"),
    "telling the queue": ("pgqueuer", "AFTER DELETE ON pgqueuer FOR EACH STATEMENT"),
}
"""Where the worker is killed, in this order: table, and when the trigger fires."""


@asynccontextmanager
async def gate(connection: asyncpg.Connection, point: str) -> AsyncIterator[None]:
    """Within the block nobody gets past the point."""
    table, when = POINTS[point]
    kind = "CONSTRAINT TRIGGER" if "DEFERRABLE" in when else "TRIGGER"
    await connection.execute(f"CREATE {kind} gate {when} EXECUTE FUNCTION wait_at_the_gate()")
    await connection.execute("SELECT pg_advisory_lock($1)", GATE)
    yield
    await connection.execute("SELECT pg_advisory_unlock($1)", GATE)
    await connection.execute(f"DROP TRIGGER gate ON {table}")


async def somebody_waits(connection: asyncpg.Connection) -> None:
    query = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted"
    async with asyncio.timeout(120):
        while not await connection.fetchval(query, GATE):  # noqa: ASYNC110 - another process asks for the lock
            await asyncio.sleep(0.05)


def kill(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """kill -9; gives the children that it leaves behind."""
    children = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGKILL)
    process.wait(60)
    return children


@pytest.mark.long
async def test_killed_at_every_point_a_round_comes_to_the_same_result(
    database: Database, database_url: str, settings: Settings
) -> None:
    number = await new_round(database)
    connection = await asyncpg.connect(plain_url(database_url))
    await connection.execute(FUNCTION)
    for point in POINTS:
        async with gate(connection, point):
            with running_worker(settings) as process:
                await somebody_waits(connection)
                orphans = kill(process)
        assert not psutil.wait_procs(orphans, timeout=30)[1], "the pool's processes end with their worker"
        assert (await find(database, number)).status == "running"
    with running_worker(settings):
        await until(database, number, is_done)
    await connection.close()
    await assert_equal_to_pure(database, number)


async def assert_equal_to_pure(database: Database, number: int) -> None:
    round_ = await find(database, number)
    log, outcomes = pure(number, round_.created_at.timestamp())
    async with database.sessions() as session:
        steps = await repository.steps(session, number)
        members = await repository.members(session, number)
        stored = await read_log(session, GAME)
    assert [content(one) for one in stored] == [content(one) for one in log], "every judgement once, in order"
    taken = [outcome for outcome in outcomes if not outcome.step.waits]
    assert [step.number for step in steps] == list(range(len(taken) + 1)), "every step once"
    for step, outcome in zip(steps[1:], taken, strict=True):
        assert step.kind == outcome.kind
        assert step.decisions == [asdict(decision) for decision in outcome.step.decisions]
        assert step.state == json.loads(outcome.step.state.to_json())
    assert [step.kind for step in steps] == ["start", "strip", "strip", "done"]
    assert steps[-1].state["final"][0]["elements"] == ["Observing", "Lingering", "ADVANCER"], "the planted set is found"
    for step in steps[:-1]:
        names = [" ".join(member["elements"]) for member in step.state["members"]]
        assert [member.strategy for member in members if member.step == step.number] == names
    assert round_.sessions == len(outcomes)


def pure(number: int, begin: float) -> tuple[list[Judgement], list[Outcome]]:
    """The same round without a database: sessions and steps as plain functions.

    Experts are found by other matches than those that they count for, so every match needs a name of its own.
    """
    pool, rules = pool_of(game(GAME)), (GAME, game(GAME).source)
    state = start(SEED, QUICK_BY_NAMES, [pool.named(name) for name in POPULATION], pool)
    log, outcomes = list[Judgement](), list[Outcome]()
    while state.phase is not Phase.DONE:
        session = len(outcomes) + 1
        for match in session_records(SMALL, rules, SEED, session, state.population, Span(begin + session, 1.0)):
            for one in match.judgements:
                judgement = one.judgement(match.number)
                fields: dict[str, Any] = {name: getattr(judgement, name) for name in judgement.__slots__}
                named = {"person": f"simulated-round{number}-{one.person:06}", "match": f"{session}:{match.number}"}
                log.append(Judgement(**fields | named))
        ordered = in_order(log)
        outcomes.append(decide(state, QUICK_BY_NAMES, evidence(ordered, rate(ordered)), rules))
        state = outcomes[-1].step.state
    return log, outcomes


def content(judgement: Judgement) -> tuple[object, ...]:
    return (judgement.person, judgement.seat_truth, judgement.verdict, judgement.challenge, judgement.enjoyment)
