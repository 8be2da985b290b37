"""What browsers computed in a match is explained in the record soon after its end; each match is a job of its own."""

from __future__ import annotations

import structlog
from pgqueuer.errors import DuplicateJobError
from pydantic import BaseModel, JsonValue

from server.jobs.registry import Tools, enqueue, job, scheduled
from server.viewer.proposals import explain_proposals, waiting

log = structlog.get_logger()

EXPLAIN = "viewer.explain"


class Explain(BaseModel):
    match: int


@scheduled("viewer.follow", "*/5 * * * *")
async def follow(tools: Tools) -> None:
    """Without matches of the last day it costs one query."""
    async with tools.database.transaction() as session:
        for match in await waiting(session):
            try:
                async with session.begin_nested():
                    await enqueue(session, EXPLAIN, {"match": match}, once=f"explain {match}")
            except DuplicateJobError:
                continue  # it is under way, or has failed and is held for an admin


@job(EXPLAIN, attempts=3)
async def explain(tools: Tools, payload: JsonValue) -> None:
    """The decisions of one match."""
    asked = Explain.model_validate(payload)
    async with tools.database.transaction() as session:
        made = await explain_proposals(session, tools.processes, asked.match)
    log.info("proposals explained", match=asked.match, decisions=made)
