"""Human thinking times are learned by the worker, because those who play must not wait for it.

A game of which little is recorded is looked at every minute, others every half hour: programs are the easier to tell
the less is known about people's times.
"""

from __future__ import annotations

import structlog

from server.jobs.memory import give_back
from server.jobs.registry import Tools, scheduled
from server.live.thinking.learning import refit

log = structlog.get_logger()


@scheduled("live.learn_times", "* * * * *")
async def learn_times(tools: Tools) -> None:
    """A minute without a match costs three queries."""
    async with tools.database.transaction() as session:
        learned = await refit(session, tools.processes)
    if learned:
        give_back()
    for game, model in learned.items():
        log.info("thinking times learned", game=game, decisions=model.observations)
