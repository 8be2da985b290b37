"""What admins do with rounds: create, schedule, pause, resume, cancel. Each is in the audit log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from lab.refinement import Pool, RefinementSettings, pool_of, population_of
from lab.refinement import start as start_state
from lab.refinement.pool import text
from server.accounts.audit import audit
from server.accounts.sessions import Identity
from server.base.clock import now
from server.base.errors import N_, Conflict, InvalidInput, NotFound
from server.judgements.repository import people_have_judged
from server.rounds import queue, repository
from server.rounds.models import Round, RoundStep, Schedule, Status
from server.rounds.simulated_probands import SimulatedProbands, usual_factor
from server.rounds.steps import await_judgements, members_of
from server.rules.service import open_game

Actor = Identity | str


async def create(
    session: AsyncSession,
    actor: Actor,
    *,
    name: str,
    game: str,
    seed: int,
    settings: RefinementSettings,
    population: Sequence[str] = (),
    schedule: Schedule = Schedule.SATISFIED,
    step_at: datetime | None = None,
    simulation: SimulatedProbands | None = None,
) -> Round:
    """A new round, whose start population plays from now on: the game's own where none is given.

    Raises InvalidInput, Conflict, or NotFound for a game that nobody knows.
    """
    rules = await open_game(session, game)
    game, pool = rules.reference, pool_of(rules)
    if await repository.active(session, game) is not None:
        raise Conflict(N_("A round of this game is running already. Cancel it first, or wait until it is done."))
    if simulation is not None and await people_have_judged(session):
        raise Conflict(N_("People have judged here; simulated judgements would spoil their ratings."))
    try:
        begin = [pool.named(line) for line in population] or population_of(rules)
        state = start_state(seed, settings, begin, pool)
    except ValueError as error:
        raise InvalidInput(N_("Start population: %(reason)s"), reason=error) from error
    if simulation is not None:
        simulation = planting(simulation, pool)
        settings = replace(settings, merge_alike=False)  # simulated probands go by the names of elements
    round_ = Round(
        name=name,
        game=game,
        seed=seed,
        settings=asdict(settings),
        created_by=actor if isinstance(actor, str) else actor.pseudonym,
        phase=state.phase.value,
        state=json.loads(state.to_json()),
        schedule=schedule,
        step_at=_time(schedule, step_at),
        simulation=simulation.to_record() if simulation else None,
        status=Status.RUNNING,
        step=0,
        log_position=0,
        sessions=0,
        session_position=0,
        waits=0,
    )
    await_judgements(round_, state)
    session.add(round_)
    await session.flush()
    session.add(
        RoundStep(
            round_id=round_.id, number=0, kind="start", log_position=0, basis={}, decisions=[], state=round_.state
        )
    )
    session.add_all(members_of(round_.id, 0, state))
    details: dict[str, object] = {
        "seed": seed,
        "settings": round_.settings,
        "population": [text(elements) for elements in state.population],
        "simulation": round_.simulation,
    }
    audit(session, actor, "round.create", _named(round_), details)
    await _begin(session, round_)
    return round_


def planting(simulation: SimulatedProbands, pool: Pool) -> SimulatedProbands:
    """The simulation with a human factor that the game's strategies can carry: its usual one where none is given."""
    simulation = simulation if simulation.planted else replace(simulation, planted=usual_factor(pool))
    try:
        simulation.factor(pool)
    except ValueError as error:
        raise InvalidInput(N_("Planted human factor: %(reason)s"), reason=error) from error
    return simulation


async def schedule(
    session: AsyncSession, actor: Actor, round_id: int, when: Schedule, step_at: datetime | None = None
) -> Round:
    """When the next step shall be taken. At a time that is over means now."""
    round_ = await _locked(session, round_id, Status.RUNNING, Status.PAUSED)
    round_.schedule, round_.step_at = when, _time(when, step_at)
    audit(session, actor, "round.schedule", _named(round_), {"when": when.value, "at": str(step_at or "")})
    await _begin(session, round_)
    return round_


async def pause(session: AsyncSession, actor: Actor, round_id: int) -> Round:
    """No further step; the population goes on playing."""
    round_ = await _locked(session, round_id, Status.RUNNING)
    round_.status = Status.PAUSED
    audit(session, actor, "round.pause", _named(round_))
    return round_


async def resume(session: AsyncSession, actor: Actor, round_id: int) -> Round:
    round_ = await _locked(session, round_id, Status.PAUSED)
    round_.status, round_.waits = Status.RUNNING, 0
    audit(session, actor, "round.resume", _named(round_))
    await _begin(session, round_)
    return round_


async def cancel(session: AsyncSession, actor: Actor, round_id: int) -> Round:
    """The end without a result; what was decided stays on record."""
    round_ = await _locked(session, round_id, Status.RUNNING, Status.PAUSED)
    round_.status, round_.ended_at = Status.CANCELLED, now()
    audit(session, actor, "round.cancel", _named(round_))
    return round_


async def _begin(session: AsyncSession, round_: Round) -> None:
    """Let the queue take the round up, now or when its time has come."""
    await session.flush()
    if round_.status == Status.RUNNING and round_.schedule != Schedule.HELD:
        await queue.look(session, round_)


async def _locked(session: AsyncSession, round_id: int, *allowed: Status) -> Round:
    round_ = await repository.find(session, round_id, lock=True)
    if round_ is None:
        raise NotFound
    if round_.status not in allowed:
        raise Conflict
    return round_


def _time(when: Schedule, step_at: datetime | None) -> datetime | None:
    return (step_at or now()) if when is Schedule.AT else None


def _named(round_: Round) -> str:
    return f"{round_.id} {round_.name}"
