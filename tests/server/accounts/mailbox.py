"""Reading the mails that the server wrote to its outbox."""

from __future__ import annotations

import asyncio
import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from urllib.parse import parse_qs, urlsplit

from server.base.settings import Settings

LINK = re.compile(r"https?://[^/\s]+(/\S+)")


def mails(settings: Settings) -> list[EmailMessage]:
    """All mails, oldest first."""
    paths = sorted(settings.outbox.glob("*.eml"), key=lambda path: path.stat().st_mtime_ns)
    return [message_from_bytes(path.read_bytes(), policy=policy.default) for path in paths]


async def arrived(settings: Settings, count: int = 1) -> list[EmailMessage]:
    """All mails, once there are so many: a real server delivers after its answer."""
    for _ in range(2400):
        if len(mails(settings)) >= count:
            break
        await asyncio.sleep(0.05)
    return mails(settings)


def links(mail: EmailMessage) -> list[str]:
    """The paths of our pages that a mail points to."""
    return LINK.findall(mail.get_content())


def token_of(link: str) -> str:
    return parse_qs(urlsplit(link).query)["token"][0]
