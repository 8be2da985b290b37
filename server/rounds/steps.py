"""Taking a step of a round so that it happens once, whatever is killed, repeated or done at the same time.

A step is a function of the round's state, its seed and the stored rating snapshot of its game at a position of the
judgement log; a snapshot that is missing is made. The position is part of the job, so a job that is repeated after a
crash gives the same result although the log has grown. The computation needs no lock; its result is written in one
transaction that holds the round's row and first looks whether the round still waits for just this step. The job that
comes next is part of the same transaction.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from datetime import UTC, datetime

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from lab.records import settings_record
from lab.refinement import Phase, RefinementSettings, RoundState
from lab.refinement.pool import text
from server.base.clock import now
from server.jobs.registry import Tools
from server.ratings.service import Basis, basis, known_at
from server.rounds import repository
from server.rounds.deciding import Outcome, decide, progress
from server.rounds.models import Round, RoundMember, RoundStep, Schedule, Status
from server.rounds.queue import go_on
from server.rounds.simulated_probands import PATIENCE, SimulatedProbands, rhythm, span_of
from server.rules.service import open_game

log = structlog.get_logger()


def state_of(round_: Round) -> RoundState:
    return RoundState.from_json(json.dumps(round_.state))


def settings_of(round_: Round) -> RefinementSettings:
    """What was not known yet when the round began has its default: it goes on as it began."""
    return RefinementSettings(**round_.settings)


async def take_step(tools: Tools, round_id: int, number: int, up_to: int) -> None:
    """Take step `number` from the judgements up to a position, or note what it lacks. Done again, it does nothing."""
    async with tools.database.sessions() as session:
        round_ = await repository.find(session, round_id)
        if round_ is None or not _waits_for(round_, number, up_to):
            return
        ground = await basis(session)
        game = await open_game(session, round_.game)
    known = await known_at(tools.database, tools.processes, round_.game, up_to, ground)
    outcome = await asyncio.get_running_loop().run_in_executor(
        tools.processes, decide, state_of(round_), settings_of(round_), known, (game.reference, game.source)
    )
    async with tools.database.transaction() as session:
        round_ = await repository.find(session, round_id, lock=True)
        if round_ is None or not _waits_for(round_, number, up_to):
            return
        round_.looked_at, round_.log_position, round_.progress = now(), up_to, outcome.progress
        if outcome.step.waits:
            _wait(round_, outcome)
        else:
            record_step(session, round_, outcome, up_to, ground)
        await go_on(session, round_)
    log.info("round", round=round_id, step=number, kind=outcome.kind, up_to=up_to)


def _waits_for(round_: Round, number: int, up_to: int) -> bool:
    """Whether this step is the next one, and nobody has looked at these judgements for it before."""
    if not round_.due or round_.step + 1 != number:
        return False
    return up_to > round_.log_position or round_.looked_at is None


def _wait(round_: Round, outcome: Outcome) -> None:
    round_.waiting = [asdict(decision) for decision in outcome.step.decisions]
    round_.lacking = list(outcome.lacking)
    round_.waits += 1
    if round_.simulation is not None and round_.waits > PATIENCE:
        round_.status = Status.PAUSED


def record_step(session: AsyncSession, round_: Round, outcome: Outcome, up_to: int, ground: Basis) -> None:
    """Write the step and its population, and bring the round to where the step leads."""
    state = outcome.step.state
    written = json.loads(state.to_json())
    number = round_.step + 1
    session.add(
        RoundStep(
            round_id=round_.id,
            number=number,
            kind=outcome.kind,
            at=_time_of_step(round_),
            log_position=up_to,
            basis={
                "fingerprint": ground.fingerprint,
                "settings": settings_record(ground.settings),
                "left_out": list(ground.left_out),
            },
            decisions=[asdict(decision) for decision in outcome.step.decisions],
            state=written,
        )
    )
    round_.step, round_.state, round_.phase, round_.waits = number, written, state.phase.value, 0
    if state.phase is Phase.DONE:
        round_.status, round_.ended_at = Status.DONE, _time_of_step(round_)
        round_.waiting, round_.lacking = [], []
    else:
        session.add_all(members_of(round_.id, number, state))
        await_judgements(round_, state)
    if round_.schedule == Schedule.AT:
        round_.schedule, round_.step_at = Schedule.HELD, None


def _time_of_step(round_: Round) -> datetime:
    """Now; where simulated sessions take days, at the end of the last one."""
    simulation = SimulatedProbands.from_record(round_.simulation) if round_.simulation else None
    if simulation is None or not simulation.days:
        return now()
    span = span_of(simulation, round_.created_at.timestamp(), round_.sessions, now().timestamp())
    return datetime.fromtimestamp(rhythm(span.begin + span.seconds), UTC)


def await_judgements(round_: Round, state: RoundState) -> None:
    """A new population: nobody has looked at it yet, so all of it is wanted."""
    round_.looked_at = None
    round_.waiting = []
    round_.lacking = [text(elements) for elements in state.population]
    round_.progress = progress(state)


def members_of(round_id: int, step: int, state: RoundState) -> list[RoundMember]:
    return [
        RoundMember(
            round_id=round_id,
            step=step,
            strategy=text(member.elements),
            place=place,
            origin=member.origin,
            parents=[text(parent) for parent in member.parents],
            sigma=member.sigma,
        )
        for place, member in enumerate(state.members)
    ]
