"""Where simulated probands judge a round, a job holds each of their sessions."""

from __future__ import annotations

from pydantic import BaseModel, JsonValue

from server.jobs.registry import Tools, job
from server.rounds.queue import JUDGE
from server.rounds.tasks import ATTEMPTS
from server.simulated.sessions import hold_session


class HoldSession(BaseModel):
    round: int
    session: int


@job(JUDGE, attempts=ATTEMPTS)
async def judge(tools: Tools, payload: JsonValue) -> None:
    asked = HoldSession.model_validate(payload)
    await hold_session(tools, asked.round, asked.session)
