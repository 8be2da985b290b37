"""No request's head may fill the memory or hold a connection, and nobody who asks and then does not read may hold the
answer: uvicorn itself limits neither size nor time."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LARGEST: Final = 64 * 1024
"""Bytes of a request line with all headers; browsers and proxies stay far below."""
SECONDS: Final = 30.0
"""From the first byte, or from the connection's begin, to the end of the head."""
UNREAD_SECONDS: Final = 30.0
"""So long may what is to be sent wait for a reader; each of them holds a connection, and a file that is sent to it."""


class BoundedHeads(HttpToolsProtocol):
    """uvicorn's protocol for HTTP/1.1, with a limit for what comes before the body, and for those who do not read."""

    largest = LARGEST
    seconds = SECONDS
    unread_seconds = UNREAD_SECONDS

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._in_head = False
        self._head = 0
        self._deadline: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._has_read()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait_for_reader()

    def resume_writing(self) -> None:
        self._has_read()
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        if self.transport.get_write_buffer_size():  # the end of an answer; closing waits until it is read
            self._wait_for_reader()

    def data_received(self, data: bytes) -> None:
        self._head += len(data)
        super().data_received(data)
        if self._in_head and self._head > self.largest and not self.transport.is_closing():
            self.logger.info("Request with a head of more than %d bytes refused.", self.largest)
            self.send_400_response("The head of the request is too large.")

    def on_message_begin(self) -> None:
        """What came in the same piece may belong to the request before, so it does not count."""
        self._in_head, self._head = True, 0
        self._wait()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._stop_waiting()
        super().on_headers_complete()

    def _wait(self) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(self.seconds, self._too_slow)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _wait_for_reader(self) -> None:
        self._has_read()
        self._unread = self.loop.call_later(self.unread_seconds, self.transport.abort)

    def _has_read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _too_slow(self) -> None:
        self._deadline = None
        if not self.transport.is_closing():
            self.transport.close()
