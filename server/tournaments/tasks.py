"""The jobs of tournaments. Each may be killed and repeated at any point: see playing.py."""

from __future__ import annotations

from pydantic import BaseModel, JsonValue

from server.jobs.registry import Tools, job, scheduled
from server.tournaments import repository
from server.tournaments.playing import JOB, queue_turn, take_turn

ATTEMPTS = 5


class Turn(BaseModel):
    tournament: int
    turn: int


@scheduled("tournaments.follow", "* * * * *")
async def follow(tools: Tools) -> None:
    """Every minute: is there a tournament that nobody plays?"""
    async with tools.database.transaction() as session:
        for tournament in await repository.running(session):
            await queue_turn(session, tournament)


@job(JOB, attempts=ATTEMPTS)
async def turn(tools: Tools, payload: JsonValue) -> None:
    asked = Turn.model_validate(payload)
    await take_turn(tools, asked.tournament, asked.turn)
