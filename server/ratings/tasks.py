"""Ratings follow the log by themselves: every minute, if there are new judgements, settings or decided flags.

Every game is a job of its own, so that several workers share the work and a large game delays no small one.
"""

from __future__ import annotations

import structlog
from pgqueuer.errors import DuplicateJobError
from pydantic import BaseModel, JsonValue

from server.base.clock import now
from server.jobs.memory import give_back
from server.jobs.registry import Tools, enqueue, job, scheduled
from server.ratings.service import behind, refresh

log = structlog.get_logger()

COMPUTE = "ratings.compute"


class Compute(BaseModel):
    game: str


@scheduled("ratings.follow", "* * * * *")
async def follow(tools: Tools) -> None:
    """A minute without news costs two queries, and two more for each game."""
    async with tools.database.transaction() as session:
        for game in await behind(session):
            try:
                async with session.begin_nested():
                    await enqueue(session, COMPUTE, {"game": game}, once=f"ratings {game}")
            except DuplicateJobError:
                continue  # it is still being computed; the next minute looks again


@job(COMPUTE, attempts=3)
async def compute(tools: Tools, payload: JsonValue) -> None:
    """The ratings of one game; also on demand, for those who do not want to wait for the minute."""
    asked, began = Compute.model_validate(payload), now()
    snapshot = await refresh(tools.database, tools.processes, asked.game)
    if snapshot is not None and snapshot.computed_at >= began:
        give_back()
        log.info(
            "ratings computed",
            game=snapshot.game,
            snapshot=snapshot.id,
            position=snapshot.log_position,
            judgements=snapshot.judgements,
        )
