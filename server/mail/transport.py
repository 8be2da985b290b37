"""How a mail leaves: to the SMTP server if one is set, else into the outbox folder."""

from __future__ import annotations

import smtplib
import ssl
from email.message import EmailMessage
from email.utils import formatdate

import structlog

from server.base.settings import Settings
from server.mail import folder
from server.mail.models import Mail

log = structlog.get_logger()
TIMEOUT = 30.0


def compose(settings: Settings, mail: Mail) -> EmailMessage:
    """The message. Trying again gives the same one, so that a mailbox can tell a repetition."""
    made_at = mail.created_at.timestamp()
    message = EmailMessage()
    message["From"] = settings.mail_from
    message["To"] = mail.recipient
    message["Subject"] = mail.subject
    message["Date"] = formatdate(made_at)
    message["Message-ID"] = f"<{made_at:.6f}.{mail.id}@{settings.mail_from.partition('@')[2] or 'localhost'}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(mail.body)
    return message


def send(settings: Settings, mail: Mail) -> None:
    """Blocks. Raises OSError, SMTPException or, for what cannot be a mail, ValueError."""
    message = compose(settings, mail)
    if settings.smtp_host is None:
        folder.drop(settings.outbox, f"{mail.created_at:%Y%m%dT%H%M%S}-{mail.id:06}.eml", message)
    else:
        _send(settings, message)
    log.info("mail sent", occasion=mail.occasion, by=settings.smtp_host or "outbox folder")


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
