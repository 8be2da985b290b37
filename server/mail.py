"""Mails: to an SMTP server if one is set, else into the outbox folder. Sent after the answer, so they delay nobody."""

from __future__ import annotations

import asyncio
import smtplib
import ssl
import uuid
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

import structlog
from starlette.background import BackgroundTask

from server.clock import now
from server.settings import Settings

log = structlog.get_logger()
ATTEMPTS = 3
PAUSE = 5.0
TIMEOUT = 30.0


def mailing(settings: Settings, to: str, subject: str, body: str) -> BackgroundTask:
    """The task that sends a mail, to be given to a response: `Response(..., background=mailing(...))`."""
    message = EmailMessage()
    message["From"] = settings.mail_from
    message["To"] = to
    message["Subject"] = subject
    message["Date"] = formatdate(now().timestamp())
    message["Message-ID"] = make_msgid(domain=settings.mail_from.partition("@")[2] or "localhost")
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(body)
    return BackgroundTask(deliver, settings, message)


async def deliver(settings: Settings, message: EmailMessage) -> None:
    if settings.smtp_host is None:
        await asyncio.to_thread(_drop, settings, message)
        return
    for attempt in range(1, ATTEMPTS + 1):
        try:
            await asyncio.to_thread(_send, settings, message)
        except (OSError, smtplib.SMTPException) as error:
            log.error("mail not sent", attempt=attempt, of=ATTEMPTS, reason=repr(error), host=settings.smtp_host)
            if attempt < ATTEMPTS:
                await asyncio.sleep(PAUSE * attempt)
        else:
            log.info("mail sent", subject=message["Subject"])
            return


def _drop(settings: Settings, message: EmailMessage) -> None:
    settings.outbox.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = settings.outbox / f"{now():%Y%m%dT%H%M%S}-{uuid.uuid4().hex[:8]}.eml"
    draft = path.with_suffix(".part")
    draft.write_bytes(message.as_bytes())
    draft.rename(path)
    log.info("mail written to the outbox", path=str(path), subject=message["Subject"])


def _send(settings: Settings, message: EmailMessage) -> None:
    assert settings.smtp_host is not None
    context = ssl.create_default_context()
    connection: smtplib.SMTP
    if settings.smtp_security == "tls":
        connection = smtplib.SMTP_SSL(settings.smtp_host, settings.smtp_port, timeout=TIMEOUT, context=context)
    else:
        connection = smtplib.SMTP(settings.smtp_host, settings.smtp_port, timeout=TIMEOUT)
    with connection:
        if settings.smtp_security == "starttls":
            connection.starttls(context=context)
        if settings.smtp_user is not None and settings.smtp_password is not None:
            connection.login(settings.smtp_user, settings.smtp_password.get_secret_value())
        connection.send_message(message)
