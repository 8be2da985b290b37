"""Mails leave through a real SMTP conversation, or land in the outbox."""

from __future__ import annotations

import asyncio
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message

from server import mail
from server.settings import Settings
from tests.server.accounts.mailbox import mails
from tests.servers import free_port


class Inbox(Message):
    def __init__(self) -> None:
        super().__init__(EmailMessage)
        self.received: list[EmailMessage] = []

    def handle_message(self, message: EmailMessage) -> None:  # type: ignore[override]  # it is the class given above
        self.received.append(message)


def settings_for(folder: Path, **more: Any) -> Settings:
    return Settings(_env_file=None, demo=True, data_dir=folder, mail_from="grintu@example.org", **more)


async def test_with_an_smtp_server_mails_are_sent(tmp_path: Path) -> None:
    inbox = Inbox()
    port = free_port()
    controller = Controller(inbox, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        settings = settings_for(tmp_path, smtp_host="127.0.0.1", smtp_port=port, smtp_security="none")
        await mail.mailing(settings, "mia@example.org", "Grüße", "Wörter\n")()
    finally:
        controller.stop()
    (received,) = inbox.received
    assert received["To"] == "mia@example.org"
    assert "auto-generated" in received["Auto-Submitted"]
    assert not settings.outbox.exists()


async def test_without_one_they_are_written_to_the_outbox(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    await mail.mailing(settings, "mia@example.org", "Grüße", "Wörter\n")()
    (written,) = mails(settings)
    assert (written["Subject"], written.get_content()) == ("Grüße", "Wörter\n")


async def test_an_unreachable_server_is_tried_again_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(mail, "PAUSE", 0)
    settings = settings_for(tmp_path, smtp_host="127.0.0.1", smtp_port=1, smtp_security="none")
    await asyncio.wait_for(mail.mailing(settings, "mia@example.org", "Hello", "Hello\n")(), 60)
    said = capsys.readouterr()
    assert (said.out + said.err).count("mail not sent") == mail.ATTEMPTS
