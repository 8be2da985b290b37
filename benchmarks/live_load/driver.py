"""The load: thousands of sockets in a process of its own, with as little work per frame as possible.

Called with a JSON job on standard input, prints a word at each stage and then a JSON result. Every table has a socket
per seat. In a closed loop whoever may choose answers at once; at a human pace after a random time. Latency is from
sending a move to its arrival at each of the sockets; where several choose at the same time, from sending the last one.
"""

from __future__ import annotations

import asyncio
import gc
import json
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, cast

import uvloop

CONNECTING_AT_ONCE = 64
LATE_SECONDS = 2.0
FINAL, TEXT, CLOSE, PING, PONG = 0x80, 1, 8, 9, 10
NOTHING = ord("]")
MASK = b"\x00\x00\x00\x00"  # masking with zeros changes nothing, and costs nothing


@dataclass
class Job:
    """What to do: `cookies` has a text per seat of each table."""

    port: int
    paths: list[str]
    cookies: list[list[str]]
    seconds: float
    pause: float
    """Mean time between a table's moves; 0 is a closed loop."""
    referee: bool
    """Whether the server is the platform, or the reference that only echoes."""
    to_the_end: bool = False
    """Whether all matches are measured from their beginning to their end, because they are short; `seconds` is the
    longest that this may take then."""


@dataclass
class Table:
    path: str
    sent_at: float = 0.0
    awaiting: int = -1
    mover: Socket | None = None
    """Who has played last and not been told yet that it counts."""
    untold: int = 0
    """Moves that were sent and not told yet."""
    arrivals: int = 0
    sockets: list[Socket] = field(default_factory=list)


@dataclass
class Totals:
    measuring: bool = False
    moves: int = 0
    latencies: list[float] = field(default_factory=list)
    problems: Counter[str] = field(default_factory=Counter)
    """By kind: what the server refused with which code, and sockets that were closed, with their closing code."""
    ended: int = 0


def frame(payload: bytes, kind: int = TEXT) -> bytes:
    size = len(payload)
    if size < 126:
        return bytes((FINAL | kind, 0x80 | size)) + MASK + payload
    return bytes((FINAL | kind, 0x80 | 126)) + size.to_bytes(2, "big") + MASK + payload


class Socket(asyncio.Protocol):
    """A websocket client that reads what it needs by searching the bytes."""

    def __init__(self, driver: Driver, table: Table, cookie: str):
        self.driver, self.table, self.cookie = driver, table, cookie
        self.buffer = b""
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.upgraded = False
        self.seat = -1
        self.answered = -1
        """The newest ply at which this seat has chosen."""
        self.closing = "lost without a close frame"
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)  # uvloop's own class, which is none of asyncio's
        port = self.driver.job.port
        self.transport.write(
            f"GET {self.table.path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n{self.cookie}\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.upgraded:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head:
                self.opened.set_exception(RuntimeError(head.decode()))
                return
            self.upgraded, self.buffer = True, rest
            self.opened.set_result(None)
        buffer, at = self.buffer, 0
        while len(buffer) - at >= 2:
            size, start = buffer[at + 1] & 127, at + 2
            if size == 126:
                size, start = int.from_bytes(buffer[at + 2 : at + 4], "big"), at + 4
            if len(buffer) < start + size:
                break
            if (kind := buffer[at] & 15) == TEXT:
                self.driver.received(self, buffer[start : start + size])
            elif kind == CLOSE:
                self.closing = f"closed with {int.from_bytes(buffer[start : start + 2], 'big')}"
            elif kind == PING:
                self.transport.write(frame(buffer[start : start + size], PONG))
            at = start + size
        self.buffer = buffer[at:]

    def connection_lost(self, error: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(error or ConnectionError("closed during the handshake"))
        if not self.driver.finished:
            self.driver.totals.problems[self.closing] += 1
            if not self.ready.done():
                self.ready.set_result(None)

    def write(self, text: bytes) -> None:
        if not self.transport.is_closing():  # why it was closed has been counted
            self.transport.write(frame(text))


class Driver:
    def __init__(self, job: Job):
        self.job = job
        self.totals = Totals()
        self.running = self.finished = False
        self.rng = random.Random(1)
        self.loop = asyncio.get_running_loop()

    async def run(self) -> dict[str, Any]:
        began = time.perf_counter()
        gate = asyncio.Semaphore(CONNECTING_AT_ONCE)
        tables = [Table(path) for path in self.job.paths]
        pairs = zip(tables, self.job.cookies, strict=True)
        await asyncio.gather(*(self.connect(gate, table, cookie) for table, group in pairs for cookie in group))
        connecting = time.perf_counter() - began
        print("connected", flush=True)
        sockets = [socket for table in tables for socket in table.sockets]
        self.running = True
        if self.job.to_the_end:
            self.totals.measuring = True
            print("measuring", flush=True)
        start = time.perf_counter()
        if self.job.referee:
            for socket in sockets:
                socket.write(b'{"type":"hello","ply":0}')
            await asyncio.gather(*(socket.ready for socket in sockets))
        else:
            for table in tables:
                self.loop.call_later(self.pause() if self.job.pause else 0.0, self.echo, table)
        if self.job.to_the_end:
            while self.totals.ended < len(sockets) and time.perf_counter() - start < self.job.seconds:  # noqa: ASYNC110 - a loop costs the sockets nothing
                await asyncio.sleep(0.02)
        else:
            gc.collect()
            gc.freeze()
            await asyncio.sleep(min(2.0, self.job.seconds / 3) + self.job.pause)
            self.totals.measuring = True
            print("measuring", flush=True)
            start = time.perf_counter()
            await asyncio.sleep(self.job.seconds)
        self.totals.measuring = self.running = False
        took = time.perf_counter() - start
        print("measured", flush=True)
        late = time.perf_counter() - LATE_SECONDS
        unanswered = sum(table.mover is not None and table.sent_at < late for table in tables)
        self.totals.problems += Counter({f"no answer for {LATE_SECONDS:.0f} s": unanswered} if unanswered else {})
        self.finished = True
        for socket in sockets:
            socket.transport.abort()
        return {
            "seconds": took,
            "connecting": connecting,
            "moves": self.totals.moves,
            "problems": dict(self.totals.problems),
            "ended": self.totals.ended,
            "latencies": [round(value * 1000, 3) for value in sorted(self.totals.latencies)],
        }

    async def connect(self, gate: asyncio.Semaphore, table: Table, cookie: str) -> None:
        async with gate:
            _, socket = await self.loop.create_connection(
                lambda: Socket(self, table, cookie), "127.0.0.1", self.job.port
            )
            table.sockets.append(socket)
            await socket.opened

    def pause(self) -> float:
        return self.rng.expovariate(1 / self.job.pause)

    def received(self, socket: Socket, payload: bytes) -> None:
        table = socket.table
        if not self.job.referee:
            self.arrived(table)
            table.arrivals += 1
            if table.arrivals % len(table.sockets) == 0 and self.running:
                self.totals.moves += self.totals.measuring
                if self.job.pause:
                    self.loop.call_later(self.pause(), self.echo, table)
                else:
                    self.echo(table)
            return
        kind = payload[9:12]
        if kind == b"mov":
            ply = number_after(payload, b'"ply":')
            if ply == table.awaiting:
                self.arrived(table)
                if socket is table.mover:
                    self.totals.moves += table.untold if self.totals.measuring else 0
                    table.mover, table.untold = None, 0
        elif kind == b"sta":
            if socket.seat < 0:
                socket.seat = number_after(payload, b'"you":')
                socket.ready.set_result(None)
            ply = -1
        elif kind == b"end":
            self.totals.ended += 1
            return
        else:
            if kind == b"err":
                self.totals.problems[f"refused: {json.loads(payload)['code']}"] += 1
            return
        start = payload.index(b'"legal":[') + 9
        if payload[start] != NOTHING and self.running:
            legal = payload[start : payload.index(b"]", start)].split(b",")
            moves = payload.index(b'"moves":[') + 9
            count = payload.count(b'"', moves, payload.index(b"]", moves)) // 2
            next_ply = number_after(payload, b'"ply":') + (count if kind == b"mov" else 0)
            if next_ply <= socket.answered:  # a state may repeat what was told already
                return
            socket.answered = next_ply
            move = self.rng.choice(legal)
            if self.job.pause:
                self.loop.call_later(self.pause(), self.play, socket, next_ply, move)
            else:
                self.play(socket, next_ply, move)

    def arrived(self, table: Table) -> None:
        if self.totals.measuring and table.sent_at:
            self.totals.latencies.append(time.perf_counter() - table.sent_at)

    def play(self, socket: Socket, ply: int, move: bytes) -> None:
        if not self.running:
            return
        table = socket.table
        table.awaiting, table.sent_at, table.mover = ply, time.perf_counter(), socket
        table.untold += 1
        socket.write(b'{"type":"play","ply":%d,"move":%b}' % (ply, move))

    def echo(self, table: Table) -> None:
        if not self.running:
            return
        table.sent_at = time.perf_counter()
        table.sockets[0].write(ECHOED)


ECHOED = (
    b'{"type":"moves","ply":57,"moves":["p3","5"],"position":"4,12,-1/1,17,-1/3,-1,26 r 5","acting":[0],"over":false,'
    b'"legal":["p0","p1","p2"],"shown":{"grid": null, "facts": []},"clock_ms":60000,"events":[["move","3","12","17"]]}'
)
"""As long as what the platform sends for a move."""


def number_after(payload: bytes, key: bytes) -> int:
    start = payload.index(key) + len(key)
    end = start
    while payload[end] in b"-0123456789":
        end += 1
    return int(payload[start:end])


async def work() -> None:
    job = Job(**json.loads(sys.stdin.read()))
    gc.set_threshold(100_000, 20, 1000)
    print(json.dumps(await Driver(job).run()))


def main() -> None:
    uvloop.run(work())


if __name__ == "__main__":
    main()
