"""A websocket client that obeys nothing: frames are made by hand, so they can be as wrong as one likes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import struct
from dataclasses import dataclass, field
from typing import Final

TEXT: Final = 1
BINARY: Final = 2
CLOSE: Final = 8
PING: Final = 9
PONG: Final = 10
CONTINUATION: Final = 0


def frame(
    kind: int,
    payload: bytes = b"",
    *,
    final: bool = True,
    masked: bool = True,
    reserved: int = 0,
    claimed: int | None = None,
) -> bytes:
    """One frame; `claimed` is a length that is not the payload's."""
    head = bytes([(0x80 if final else 0) | reserved << 4 | kind])
    length, bit = len(payload) if claimed is None else claimed, 0x80 if masked else 0
    if length < 126:
        head += bytes([bit | length])
    elif length < 65536:
        head += bytes([bit | 126]) + struct.pack(">H", length)
    else:
        head += bytes([bit | 127]) + struct.pack(">Q", length)
    if not masked:
        return head + payload
    mask = os.urandom(4)
    return head + mask + bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))


def close_frame(code: int | None, reason: bytes = b"") -> bytes:
    return frame(CLOSE, (b"" if code is None else struct.pack(">H", code & 0xFFFF)) + reason)


@dataclass
class RawSocket:
    """The client's end. What the server sends is collected as texts and the code with which it closes."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    status: int = 0
    texts: list[str] = field(default_factory=list)
    closed_with: int | None = None

    @classmethod
    async def open(cls, host: str, port: int, path: str, headers: dict[str, str]) -> RawSocket:
        reader, writer = await asyncio.open_connection(host, port)
        lines = {
            "Host": f"{host}:{port}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version": "13",
        } | headers
        request = f"GET {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items()) + "\r\n"
        writer.write(request.encode("latin-1", "replace"))
        answer = await reader.readuntil(b"\r\n\r\n")
        return cls(reader, writer, int(answer.split(b" ", 2)[1]))

    async def send(self, data: bytes) -> bool:
        """False if the server has hung up."""
        try:
            self.writer.write(data)
            await self.writer.drain()
        except (ConnectionError, OSError):
            return False
        return not self.writer.is_closing()

    async def read(self) -> bool:
        """Take one frame in; False at the end. Raises TimeoutError by its caller's clock."""
        try:
            first, second = await self.reader.readexactly(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack(">H", await self.reader.readexactly(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", await self.reader.readexactly(8))
            payload = await self.reader.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError, OSError):
            return False
        kind = first & 0x0F
        if kind == TEXT:
            self.texts.append(payload.decode())
        elif kind == CLOSE:
            self.closed_with = struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else 1005
        return kind != CLOSE

    async def read_for(self, seconds: float) -> None:
        """Take in what comes within this time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while await self.read():
                    pass

    def cut(self) -> None:
        """Hang up without a word."""
        self.writer.transport.abort()
