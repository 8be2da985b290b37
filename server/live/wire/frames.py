"""The short way between a match and its sockets: whole frames, past the layers that only open and close them.

Uvicorn hands every frame through a parser, a queue, a task and ten layers of middleware. That is right for opening a
socket, and costs more than the referee does for every move. `ShortProtocol` is uvicorn's protocol with two additions
that an application finds in its scope: a listener is called with each whole text frame as it arrives, and a frame that
is encoded already is written as it is, for all sockets of a table the same bytes. Everything unusual (a message in
several frames, a long one, a control frame, a slow reader) goes the way it always went, and the order is kept.

It also pings only those who have been silent: whoever has just sent something is alive.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import lru_cache
from json.encoder import encode_basestring_ascii as quoted
from typing import Any, Final, NamedTuple, Protocol, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # the quickest of its versions is found there
from websockets.http11 import Request

EXTENSION: Final = "grintu.frames"
"""Where an application finds its `ShortWay`: an entry of the scope's extensions."""

TEXT_FRAME: Final = 0x81
FINAL: Final = 0x80
MASKED: Final = 0x80
RESERVED: Final = 0x70
OPCODE: Final = 0x0F
LONGEST_SHORT: Final = 125
"""A frame up to this size has its size in the second byte."""
TWO_BYTES: Final = 126
"""Stands there if the size follows in two bytes."""
LONGEST: Final = 16_384
"""In bytes. A longer frame takes the long way, where uvicorn refuses it."""

Listener = Callable[[str], None]


class Encoded(NamedTuple):
    """A message as text and as the frame that carries it to a client."""

    text: str
    frame: bytes


def encoded(text: str) -> Encoded:
    """Encode once what several sockets are told."""
    payload = text.encode()
    size = len(payload)
    if size <= LONGEST_SHORT:
        return Encoded(text, bytes((TEXT_FRAME, size)) + payload)
    if size < 1 << 16:
        return Encoded(text, b"\x81\x7e" + size.to_bytes(2, "big") + payload)
    return Encoded(text, b"\x81\x7f" + size.to_bytes(8, "big") + payload)


@lru_cache(maxsize=10_000)
def listed(strings: tuple[str, ...]) -> str:
    """Moves as the inside of a JSON list; there are few different ones."""
    return ",".join([quoted(one) for one in strings])


class ShortWay(Protocol):
    """What an application may do with its socket beside receiving and sending events."""

    listener: Listener | None

    def write_frame(self, frame: bytes) -> bool:
        """Write an encoded frame; False if it cannot be written now, and then nothing was."""

    def abort(self) -> None:
        """Hang up at once, without waiting for what is still to be sent."""


def short_way(scope: Mapping[str, Any]) -> ShortWay | None:
    """The short way of a socket, where the server has one."""
    return cast("ShortWay | None", scope.get("extensions", {}).get(EXTENSION))


log = logging.getLogger("uvicorn.error.sockets")
log.setLevel(logging.WARNING)  # that a socket was opened is no news, and a line for each costs more than opening it


class ShortProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's websocket protocol with a short way for whole text frames."""

    def __init__(self, *arguments: Any, **named: Any):
        super().__init__(*arguments, **named)
        self.logger = self.conn.logger = log
        self.conn.debug = False  # it would write every head, with its cookies, and every frame
        self.listener: Listener | None = None
        self.whole = True
        """Whether all frames so far came whole: the parser of the long way then stands between two of them."""
        self.begun = b""
        """The beginning of a frame whose rest has not come yet."""
        self.heard_at = self.loop.time()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            cast("dict[str, Any]", self.scope["extensions"])[EXTENSION] = self

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        # Let go of each other, so that a closed socket is freed at once and not by the garbage collector.
        self.listener = None
        if self.handshake_initiated and self.response.status_code == 101:
            cast("dict[str, Any]", self.scope["extensions"]).pop(EXTENSION, None)
        self.conn.parser.close()

    # ------------------------------------------------------------------------------------------------------ frames

    def write_frame(self, frame: bytes) -> bool:
        if self.close_sent or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True

    def abort(self) -> None:
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        self.heard_at = self.loop.time()
        if self.whole and self.handshake_initiated:
            data, self.begun = self.begun + data, b""
            if self.listener is not None and (read := short_texts(data)) is not None and self.queue.empty():
                texts, self.begun = read
                for text in texts:
                    if self.listener is not None and not self.close_sent:
                        self.listener(text)
                return
            self.whole = whole_frames(data)
        super().data_received(data)

    def send_receive_event_to_app(self) -> None:
        """Broken text and a goodbye in one piece: uvicorn then wants to close what is closing already."""
        try:
            super().send_receive_event_to_app()
        except InvalidState:
            self.transport.close()

    # ---------------------------------------------------------------------------------------------------- keepalive

    def send_keepalive_ping(self) -> None:
        assert self.ping_interval is not None, "without an interval no ping is scheduled"
        silent = self.loop.time() - self.heard_at
        if silent < self.ping_interval:
            self.ping_timer = self.loop.call_later(self.ping_interval - silent, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()


def short_texts(data: bytes) -> tuple[list[str], bytes] | None:
    """The texts of these bytes and the beginning of the next one, if they are text frames that the short way takes and
    nothing else."""
    texts = []
    at, end = 0, len(data)
    while at < end:
        if data[at] != TEXT_FRAME:
            return None
        if end - at < 2:
            break
        size, start = data[at + 1] - MASKED, at + 6
        if size == TWO_BYTES:
            if end - at < 4:
                break
            size, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 8
            if not LONGEST_SHORT < size <= LONGEST:
                return None
        elif not 0 <= size <= LONGEST_SHORT:
            return None
        if start + size > end:
            break
        try:
            texts.append(apply_mask(data[start : start + size], data[start - 4 : start]).decode())
        except UnicodeDecodeError:
            return None
        at = start + size
    return texts, data[at:]


def whole_frames(data: bytes) -> bool:
    """Whether these bytes are frames that each end here and carry a whole message."""
    at, end = 0, len(data)
    while end - at >= 2:
        size, header = data[at + 1] & 0x7F, 2
        if size > LONGEST_SHORT:
            header += 2 if size == TWO_BYTES else 8
            size = int.from_bytes(data[at + 2 : at + header], "big")
        if not data[at] & FINAL or data[at] & RESERVED or not data[at + 1] & MASKED or not data[at] & OPCODE:
            return False
        at += header + 4 + size
    return at == end
