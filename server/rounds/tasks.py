"""The jobs of rounds. Each may be killed and repeated at any point: see steps.py."""

from __future__ import annotations

from pydantic import BaseModel, JsonValue

from server.jobs.registry import Tools, job, scheduled
from server.ratings.repository import settled_position
from server.rounds import queue, repository
from server.rounds.steps import take_step

ATTEMPTS = 5


class LookAt(BaseModel):
    round: int


class TakeStep(BaseModel):
    round: int
    step: int
    up_to: int


@scheduled("rounds.follow", "* * * * *")
async def follow(tools: Tools) -> None:
    """Every minute: is there a round whose next step is due?"""
    async with tools.database.transaction() as session:
        for round_ in await repository.running(session):
            if round_.due:
                await queue.look(session, round_)


@job(queue.LOOK, attempts=ATTEMPTS)
async def look(tools: Tools, payload: JsonValue) -> None:
    """Begin a step if there are judgements that nobody has looked at for it."""
    asked = LookAt.model_validate(payload)
    async with tools.database.transaction() as session:
        round_ = await repository.find(session, asked.round)
        if round_ is None or not round_.due:
            return
        if round_.simulation is not None:
            await queue.go_on(session, round_)
            return
        position = await settled_position(session, round_.game)
        if position > round_.log_position or round_.looked_at is None:
            await queue.step(session, round_, position)


@job(queue.STEP, attempts=ATTEMPTS)
async def step(tools: Tools, payload: JsonValue) -> None:
    asked = TakeStep.model_validate(payload)
    await take_step(tools, asked.round, asked.step, asked.up_to)
