"""One open socket: sends without waiting for slow readers, and counts what comes in."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from typing import Any, Final, cast

from starlette.types import Message as Event
from starlette.types import Send

from server.live.wire.frames import Encoded, ShortWay
from server.live.wire.messages import Message

LONGEST_BACKLOG: Final = 64
LARGEST_BACKLOG: Final = 512 * 1024
"""Messages, and characters of them, that may wait for a slow reader before the socket is given up; the browser then
comes back."""
WRITE_SECONDS: Final = 30.0
"""So long may one message take to be written; who reads nothing for longer is hung up on, else a few hundred of them
would hold all descriptors."""


class Connection:
    """A socket of one person, with its place at a table (seat) or in the lobby (no seat)."""

    __slots__ = (
        "_abort", "_finishing", "_send", "_short", "backlog", "budget", "closed", "counted_at", "person_id", "seat",
        "session_id", "waiting"
    )  # fmt: skip

    def __init__(
        self,
        send: Send,
        person_id: int,
        session_id: int,
        seat: int = -1,
        *,
        budget: float = 0.0,
        short: ShortWay | None = None,
        abort: Callable[[], None] | None = None,
    ):
        self._send = send
        self._short = short
        self._abort = abort
        self.person_id = person_id
        self.session_id = session_id
        self.seat = seat
        self.closed = False
        self.backlog: deque[Event] = deque()
        self.waiting = 0
        """Characters in the backlog."""
        self._finishing: asyncio.Task[None] | None = None
        self.budget = budget
        self.counted_at = time.monotonic()

    def send(self, message: Message) -> None:
        self.send_text(message.__pydantic_serializer__.to_json(message).decode())

    def send_text(self, text: str) -> None:
        self._post({"type": "websocket.send", "text": text})

    def send_encoded(self, message: Encoded) -> None:
        """The short way, unless there is none or something is still waiting to be sent."""
        if self._short is None or self._finishing is not None or self.closed:
            self.send_text(message.text)
            return
        try:
            written = self._short.write_frame(message.frame)
        except (RuntimeError, OSError):  # the other side is gone; the reading side will notice, too
            self.closed = True
            return
        if not written:
            self.send_text(message.text)

    def close(self, code: int, reason: str = "") -> None:
        """Close after what is still to be sent."""
        if not self.closed:
            self._post({"type": "websocket.close", "code": code, "reason": reason})
            self.closed = True

    def allow(self, per_second: float, burst: float) -> bool:
        """Whether one more message is within the limits."""
        now = time.monotonic()
        self.budget = min(burst, self.budget + (now - self.counted_at) * per_second)
        self.counted_at = now
        self.budget -= 1
        return self.budget >= 0

    def _post(self, event: Event) -> None:
        """Write at once if the transport takes it; only a slow reader costs a task."""
        if self.closed:
            return
        if self._finishing is not None:
            self.waiting += len(event.get("text", ""))
            if len(self.backlog) >= LONGEST_BACKLOG or self.waiting > LARGEST_BACKLOG:
                self.closed = True
                self.backlog.clear()
                self.backlog.append({"type": "websocket.close", "code": 1013, "reason": "too slow"})
                return
            self.backlog.append(event)
            return
        sending = cast("Coroutine[Any, Any, None]", self._send(event))
        try:
            waiting_for = sending.send(None)
        except StopIteration:
            return
        except (RuntimeError, OSError):  # the other side is gone; the reading side will notice, too
            self.closed = True
            return
        self._finishing = asyncio.get_running_loop().create_task(self._finish(Started(sending, waiting_for)))

    async def _finish(self, first: Started) -> None:
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                await first
            while self.backlog:
                event = self.backlog.popleft()
                self.waiting -= len(event.get("text", ""))
                async with asyncio.timeout(WRITE_SECONDS):
                    await self._send(event)
        except TimeoutError:
            self.closed = True
            self.backlog.clear()
            if self._abort is not None:
                self._abort()
        except (RuntimeError, OSError):
            self.closed = True
        finally:
            self._finishing = None


class Started:
    """A coroutine that has already run up to its first wait, and can be awaited for the rest."""

    def __init__(self, coroutine: Coroutine[Any, Any, None], waiting_for: Any):
        self.coroutine = coroutine
        self.waiting_for = waiting_for

    def __await__(self) -> Generator[Any, Any, None]:
        waiting_for = self.waiting_for
        while True:
            try:
                yield waiting_for
            except BaseException as error:
                try:
                    waiting_for = self.coroutine.throw(error)
                except StopIteration:
                    return
            else:
                try:
                    waiting_for = self.coroutine.send(None)
                except StopIteration:
                    return
