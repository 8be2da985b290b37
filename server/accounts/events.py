"""Security events: wrong passwords and codes, refused tokens, limits, browsers' reports; counted by hour and pseudonym.

They are gathered in memory and written every few seconds, so that a flood of them costs no more than one, and no answer
waits for it, or tells by its time whether an address has an account.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

import structlog
from sqlalchemy import select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.models import Account, Person, SecurityEvent
from server.base.clock import now
from server.base.errors import N_
from server.storage.database import Database

log = structlog.get_logger()

WRITE_SECONDS: Final = 5.0
MOST_SUBJECTS: Final = 10_000
"""Kept in memory between two writings; further ones are counted under nobody."""
KEPT: Final = timedelta(days=90)

KINDS: Final[Mapping[str, str]] = {
    "login.failed": N_("Wrong password at log-in"),
    "code.failed": N_("Wrong code of the second factor"),
    "token.refused": N_("Request with a wrong token, or from another site"),
    "right.refused": N_("Page of another role"),
    "limit.reached": N_("Too many attempts"),
    "proxy.untrusted": N_("Forwarded address from a proxy that is not trusted"),
    "policy.violated": N_("Script or file that a browser refused to load"),
    "password.changed": N_("Password changed"),
    "factor.on": N_("Second factor turned on"),
    "factor.off": N_("Second factor turned off"),
}

NOTE = text("""
INSERT INTO security_events AS old (hour, kind, subject, times, last_at) VALUES (:hour, :kind, :subject, :times, :last)
ON CONFLICT (hour, kind, subject) DO UPDATE SET times = old.times + excluded.times, last_at = excluded.last_at
""")
FORGET = text("DELETE FROM security_events WHERE hour < :before")


class Tally:
    """What one process has noticed since it last wrote."""

    def __init__(self, database: Database):
        self.database = database
        self._noticed: Counter[tuple[datetime, str, str]] = Counter()

    def notice(self, kind: str, subject: str = "") -> None:
        """`subject` is a pseudonym, or an address, of which only the pseudonym behind it is ever written."""
        assert kind in KINDS
        key = (now().replace(minute=0, second=0, microsecond=0), kind, subject)
        if key not in self._noticed and len(self._noticed) >= MOST_SUBJECTS:
            key = (*key[:2], "")
        self._noticed[key] += 1

    async def write(self) -> None:
        noticed, self._noticed = self._noticed, Counter()
        if not noticed:
            return
        try:
            async with self.database.transaction() as session:
                names = await _pseudonyms(session, {subject for *_, subject in noticed if "@" in subject})
                for (hour, kind, subject), times in noticed.items():
                    named = names.get(subject, "") if "@" in subject else subject
                    values = {"hour": hour, "kind": kind, "subject": named, "times": times, "last": now()}
                    await session.execute(NOTE, values)
        except (SQLAlchemyError, OSError) as error:
            log.warning("security events wait for the database", reason=repr(error))
            self._noticed.update(noticed)

    async def keep_writing(self) -> None:
        while True:
            await asyncio.sleep(WRITE_SECONDS)
            await self.write()


async def _pseudonyms(session: AsyncSession, addresses: set[str]) -> dict[str, str]:
    query = select(Account.email, Person.pseudonym).join(Account.person).where(Account.email.in_(addresses))
    return dict((await session.execute(query)).all()) if addresses else {}


async def recent(session: AsyncSession, kind: str = "", *, limit: int = 200) -> list[SecurityEvent]:
    """The newest, of one kind or of all."""
    query = select(SecurityEvent).order_by(SecurityEvent.last_at.desc()).limit(limit)
    return list(await session.scalars(query.where(SecurityEvent.kind == kind) if kind else query))


async def forget_old(session: AsyncSession) -> None:
    await session.execute(FORGET, {"before": now() - KEPT})
