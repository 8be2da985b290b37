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
from dataclasses import asdict
from typing import Any, Final

import asyncpg  # type: ignore[import-untyped]  # it comes without type information
import psutil
import pytest

from lab.judgements import Judgement
from lab.ratings import RatingSettings
from lab.refinement import Phase, start
from server.database import Database, plain_url
from server.rounds import repository
from server.rounds.deciding import Outcome, decide
from server.rounds.simulation import Span, session_records
from server.settings import Settings
from tests.server.rounds.conftest import POPULATION, QUICK, SEED, SMALL, find, is_done, new_round, until
from tests.workers import running_worker

GATE: Final = 4711
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
    stored = await repository.read_log(database, 2**62, ())
    assert [content(one) for one in stored] == [content(one) for one in log], "every judgement once, in order"
    taken = [outcome for outcome in outcomes if not outcome.step.waits]
    assert [step.number for step in steps] == list(range(len(taken) + 1)), "every step once"
    for step, outcome in zip(steps[1:], taken, strict=True):
        assert step.kind == outcome.kind
        assert step.decisions == [asdict(decision) for decision in outcome.step.decisions]
        assert step.state == json.loads(outcome.step.state.to_json())
    assert [step.kind for step in steps] == ["start", "evolve", "strip", "done"]
    for step in steps[:-1]:
        names = [" ".join(member["elements"]) for member in step.state["members"]]
        assert [member.strategy for member in members if member.step == step.number] == names
    assert round_.sessions == len(outcomes)


def pure(number: int, begin: float) -> tuple[list[Judgement], list[Outcome]]:
    """The same round without a database: sessions and steps as plain functions."""
    state, log, outcomes = start(SEED, QUICK, POPULATION), list[Judgement](), list[Outcome]()
    while state.phase is not Phase.DONE:
        session = len(outcomes) + 1
        for match in session_records(SMALL, SEED, session, state.population, Span(begin + session, 1.0)):
            for one in match.judgements:
                judgement = one.judgement(match.number)
                fields: dict[str, Any] = {name: getattr(judgement, name) for name in judgement.__slots__}
                log.append(Judgement(**fields | {"person": f"simulated-round{number}-{one.person:06}"}))
        outcomes.append(decide(state, QUICK, log, RatingSettings()))
        state = outcomes[-1].step.state
    return log, outcomes


def content(judgement: Judgement) -> tuple[object, ...]:
    return (judgement.person, judgement.seat_truth, judgement.verdict, judgement.challenge, judgement.enjoyment)
