"""Posting and delivering mails.

`post` writes the mail in the caller's transaction: it exists if and when the change that causes it does. Every server
process and every worker delivers what is due; a mail is claimed for a while before it is sent, so that two of them do
not send the same one, and tried again by anybody if the claim runs out. A process that dies between sending and noting
it therefore sends a mail twice at worst, never not at all.
"""

from __future__ import annotations

import asyncio
import smtplib
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final, Protocol

import structlog
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.background import BackgroundTask

from server.base.clock import now
from server.base.settings import Settings
from server.mail import transport
from server.mail.models import Mail
from server.storage.database import Database

log = structlog.get_logger()

CLAIM: Final = timedelta(minutes=5)
"""How long whoever sends a mail has it alone; longer than sending can take."""
FIRST_RETRY: Final = timedelta(seconds=30)
LAST_RETRY: Final = timedelta(hours=1)
"""Pauses double from the first to the last."""
GIVE_UP_AFTER: Final = timedelta(days=2)
PERMANENT: Final = range(500, 600)


class Recipient(Protocol):
    """The account of whoever gets a mail."""

    @property
    def id(self) -> int: ...

    @property
    def email(self) -> str: ...


Afterwards = Callable[[AsyncSession, Mail], Awaitable[None]]
AFTERWARDS: dict[str, Afterwards] = {}
"""Occasion → what to note, in the transaction that takes the mail out of the outbox, when it has been delivered."""


def after_delivery(occasion: str) -> Callable[[Afterwards], Afterwards]:
    def register(work: Afterwards) -> Afterwards:
        AFTERWARDS[occasion] = work
        return work

    return register


async def post(session: AsyncSession, account: Recipient, occasion: str, subject: str, body: str) -> Mail:
    """Put a mail to an account's owner into the outbox; the caller commits."""
    mail = Mail(
        account_id=account.id, occasion=occasion, recipient=account.email, subject=subject, body=body, due_at=now()
    )
    session.add(mail)
    await session.flush()
    return mail


def at_once(database: Database, settings: Settings, mail: Mail) -> BackgroundTask:
    """To be given to the response that is sent after the commit, so that nobody waits for the next round."""
    return BackgroundTask(deliver, database, settings, mail.id)


async def deliver_due(database: Database, settings: Settings) -> int:
    """Try every mail that is due, once; gives how many were delivered."""
    delivered = 0
    while (mail := await _claim(database)) is not None:
        delivered += await _try(database, settings, mail)
    return delivered


async def deliver(database: Database, settings: Settings, mail_id: int) -> None:
    """Try one mail, if nobody else is at it."""
    mail = await _claim(database, mail_id)
    if mail is not None:
        await _try(database, settings, mail)


async def _claim(database: Database, mail_id: int | None = None) -> Mail | None:
    query = select(Mail).where(Mail.due_at <= now()).order_by(Mail.due_at, Mail.id).limit(1)
    if mail_id is not None:
        query = query.where(Mail.id == mail_id)
    async with database.transaction() as session:
        mail: Mail | None = await session.scalar(query.with_for_update(skip_locked=True))
        if mail is not None:
            mail.attempts += 1
            mail.due_at = now() + CLAIM
        return mail


async def _try(database: Database, settings: Settings, mail: Mail) -> bool:
    try:
        await asyncio.to_thread(transport.send, settings, mail)
    except (OSError, smtplib.SMTPException, ValueError) as error:
        await _note_failure(database, mail.id, error)
        return False
    async with database.transaction() as session:
        sent = await session.get(Mail, mail.id, with_for_update=True)
        if sent is not None:  # else the account went meanwhile
            if (note := AFTERWARDS.get(sent.occasion)) is not None:
                await note(session, sent)
            await session.delete(sent)
    return True


async def _note_failure(database: Database, mail_id: int, error: Exception) -> None:
    """Plan the next attempt, or leave it to the admins if there is no hope."""
    async with database.transaction() as session:
        mail = await session.get(Mail, mail_id, with_for_update=True)
        if mail is None:
            return
        pause = min(FIRST_RETRY * 2 ** min(mail.attempts - 1, 20), LAST_RETRY)
        hopeless = _is_permanent(error) or now() - mail.created_at > GIVE_UP_AFTER
        mail.due_at = None if hopeless else now() + pause
        mail.error = str(error) or type(error).__name__
    # Its text may hold the address, which belongs in no log.
    log.error("mail not sent", mail=mail_id, attempt=mail.attempts, given_up=hopeless, reason=type(error).__name__)


def _is_permanent(error: Exception) -> bool:
    """Whether the recipient's server will never take it. Anything else, a wrong password even, can be mended."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code in PERMANENT for code, _ in error.recipients.values())
    return isinstance(error, ValueError)
