"""Workers deliver mails too: those that the nightly chores write, and what servers left."""

from __future__ import annotations

from server.jobs.registry import Tools, scheduled
from server.mail.outbox import deliver_due


@scheduled("mail", "* * * * *")
async def mail(tools: Tools) -> None:
    await deliver_due(tools.database, tools.settings)
