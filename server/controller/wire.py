"""The HTTP of game managers and players: one message per connection, read leniently and within bounds.

They are small programs that people wrote by hand: lines may end with a bare LF, a length may count characters instead
of bytes or be missing, and some messages come in the address of a GET. Whoever reads sets a limit of time around it.
"""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple
from urllib.parse import unquote_plus

LONGEST_HEAD: Final = 16_384
LONGEST_LINE: Final = 8_192
"""Of the head, as long as it is no GET; a stream is opened with this limit."""
LONGEST_REQUEST: Final = 4_000_000
"""Bytes; a description has at most half as many characters."""
LONGEST_REPLY: Final = 65_536
CHUNK: Final = 65_536
BROWSER_HEADERS: Final = ("origin", "sec-fetch-site")
"""Browsers send them, and nobody else does: a page in somebody's browser shall not play matches here."""


class WireError(Exception):
    """What came is no message. The text says what was expected and what came."""


class Head(NamedTuple):
    first: str
    headers: dict[str, str]

    @property
    def length(self) -> int | None:
        """Raises WireError if a length is told that is none."""
        told = self.headers.get("content-length")
        if told is None:
            return None
        if not (told.isascii() and told.isdigit() and len(told) < 12):
            raise WireError(f"a Content-Length is a number, not {told[:40]!r}")
        return int(told)


async def read_request(reader: asyncio.StreamReader) -> str:
    """The message of a manager. Raises WireError."""
    head = await _head(reader)
    method, _, rest = head.first.partition(" ")
    if any(name in head.headers for name in BROWSER_HEADERS):
        raise WireError("messages come from game managers, not from web pages")
    if method.upper() == "GET":
        return unquote_plus(rest.rpartition(" ")[0].removeprefix("/"))
    if method.upper() != "POST":
        raise WireError(f"a POST is expected, not {head.first[:40]!r}")
    return await _body(reader, head.length, LONGEST_REQUEST, ends_when_complete=True)


async def read_reply(reader: asyncio.StreamReader) -> str:
    """What a player says. Redirections are not followed. Raises WireError."""
    head = await _head(reader)
    version, _, status = head.first.partition(" ")
    if not version.upper().startswith("HTTP/") or not status.lstrip().startswith("2"):
        raise WireError(f"HTTP/1.0 200 is expected, not {head.first[:60]!r}")
    return (await _body(reader, head.length, LONGEST_REPLY)).strip()


def request_bytes(host: str, receiver: str, message: str) -> bytes:
    body = message.encode()
    head = (
        f"POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {host}\r\nSender: GAMESERVER\r\nReceiver: {receiver}\r\n"
        f"Content-Type: text/acl\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def reply_bytes(message: str, status: str = "200 OK") -> bytes:
    body = message.encode()
    head = f"HTTP/1.0 {status}\r\nContent-Type: text/acl\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return head.encode() + body


async def _head(reader: asyncio.StreamReader) -> Head:
    lines: list[str] = []
    size = 0
    while True:
        try:
            line = await reader.readline()
        except ValueError:
            raise WireError(f"a line of the head has more than {LONGEST_LINE} bytes") from None
        size += len(line)
        if size > LONGEST_HEAD:
            raise WireError(f"the head has more than {LONGEST_HEAD} bytes")
        if not line:
            raise WireError("the connection was closed before anything was said" if not lines else "half a head came")
        words = line.decode("latin-1").strip()
        if words:
            lines.append(words)
        elif lines:
            break
    parted = [line.partition(":") for line in lines[1:]]
    return Head(lines[0], {name.strip().lower(): value.strip() for name, _, value in parted})


async def _body(
    reader: asyncio.StreamReader, length: int | None, most: int, *, ends_when_complete: bool = False
) -> str:
    """So many bytes; or, if they are not the whole, as many as belong to it; or, without a length, all that come."""
    if length is not None and length > most:
        raise WireError(f"{length} bytes are announced; {most} are allowed")
    parts: list[bytes] = []
    size = depth = 0
    plain = True
    while length is None or size < length or depth > 0:
        missing = 0 if length is None else length - size
        part = await reader.read(min(missing, CHUNK) if missing > 0 else CHUNK)
        if not part:
            break
        parts.append(part)
        size += len(part)
        plain = plain and part.isascii()
        depth += part.count(b"(") - part.count(b")")
        if size > most:
            raise WireError(f"more than {most} bytes came")
        if length is None and ends_when_complete and depth <= 0 and part.strip():
            break
        if length is not None and size >= length and plain:
            break  # bytes or characters, it is the same
    try:
        return b"".join(parts).decode()
    except UnicodeDecodeError:
        raise WireError("a message is a text in UTF-8") from None
