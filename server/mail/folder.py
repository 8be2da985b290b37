"""The outbox folder, where mails go as files while no mail server is set."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path

SHOWN = 100


@dataclass(frozen=True)
class WrittenMail:
    file: str
    to: str
    subject: str
    date: datetime | None
    body: str


def drop(place: Path, name: str, message: EmailMessage) -> None:
    """Write a mail, whole or not at all."""
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    message.set_content(message.get_content(), cte="8bit")  # so that links can be copied out of the file as they are
    draft = place / f"{name}.part"
    draft.write_bytes(message.as_bytes())
    draft.rename(place / name)


def written(place: Path) -> list[WrittenMail]:
    """The newest mails in the folder."""
    if not place.is_dir():
        return []
    return [_read(path) for path in sorted(place.glob("*.eml"), reverse=True)[:SHOWN]]


def _read(path: Path) -> WrittenMail:
    message = BytesParser(policy=policy.default).parsebytes(path.read_bytes())
    body = message.get_body(("plain",))
    text = body.get_content() if body is not None else ""
    date = message["Date"].datetime if message["Date"] else None
    if date is not None and date.tzinfo is None:
        date = date.replace(tzinfo=UTC)  # as our own mails are: their zone "-0000" says UTC and nothing of the place
    return WrittenMail(path.name, str(message["To"]), str(message["Subject"]), date, str(text))
