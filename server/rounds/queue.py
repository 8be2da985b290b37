"""Which job a round needs next. It is put into the queue in the transaction that makes it needed."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from pgqueuer.errors import DuplicateJobError
from pydantic import JsonValue
from sqlalchemy.ext.asyncio import AsyncSession

from server.base.clock import now
from server.jobs.registry import enqueue
from server.rounds.models import Round

LOOK: Final = "rounds.look"
STEP: Final = "rounds.step"
JUDGE: Final = "rounds.judge"


async def go_on(session: AsyncSession, round_: Round) -> None:
    """The next job of a round whose next step is due.

    Simulated probands judge and steps follow, in turns. With people, the minute's look finds out when new judgements
    have come; only a population that nobody has looked at is looked at without waiting for that.
    """
    if not round_.due:
        return
    if round_.simulation is None:
        if round_.looked_at is None:
            await look(session, round_)
    elif round_.session_position > round_.log_position:
        await step(session, round_, round_.session_position)
    else:
        number = round_.sessions + 1
        await _once(session, JUDGE, {"round": round_.id, "session": number}, f"judge {round_.id} {number}")


async def look(session: AsyncSession, round_: Round) -> None:
    """Look at the round, when its step is due at a time not before."""
    wait = max(timedelta(0), round_.step_at - now()) if round_.step_at else timedelta(0)
    key = f"look {round_.id} {round_.step_at.isoformat()}" if wait and round_.step_at else f"look {round_.id}"
    await _once(session, LOOK, {"round": round_.id}, key, wait)


async def step(session: AsyncSession, round_: Round, up_to: int) -> None:
    number = round_.step + 1
    payload: JsonValue = {"round": round_.id, "step": number, "up_to": up_to}
    await _once(session, STEP, payload, f"step {round_.id} {number} {up_to}")


async def _once(
    session: AsyncSession, name: str, payload: JsonValue, key: str, after: timedelta = timedelta(0)
) -> None:
    """An equal job that is still there does the same."""
    try:
        async with session.begin_nested():
            await enqueue(session, name, payload, once=key, after=after)
    except DuplicateJobError:
        return
