"""Players that behave badly, each behind a port of its own, and one that behaves."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from games.gdl.controller.messages import Perceived, Play, read_message
from server.controller.peers import Address
from server.controller.wire import WireError, read_request

Behaviour = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def says(reply: bytes) -> Behaviour:
    """Whatever it is asked, it says the same."""

    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        writer.write(reply)

    return behave


async def says_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()  # until the other side has enough


async def trickles(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A reply that never ends, a byte at a time."""
    writer.write(b"HTTP/1.0 200 OK\r\n\r\n")
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.02)


async def never_stops(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """As much as the other side takes."""
    writer.write(b"HTTP/1.0 200 OK\r\n\r\n")
    while True:
        writer.write(b"(" * 65_536)
        await writer.drain()


async def hangs_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)


@asynccontextmanager
async def stranger(behave: Behaviour) -> AsyncIterator[Address]:
    """The address of a player that behaves so."""
    here: set[asyncio.Task[None] | None] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        here.add(asyncio.current_task())
        try:
            await behave(reader, writer)
        except (OSError, WireError):
            pass  # whoever is hung up on
        finally:
            writer.close()

    listening = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield Address("127.0.0.1", listening.sockets[0].getsockname()[1])
    finally:
        listening.close()
        for task in here:
            if task is not None:
                task.cancel()
        await asyncio.gather(*(task for task in here if task is not None), return_exceptions=True)


class Scripted:
    """Somebody beside the manager who replies what was written down, and keeps what he heard."""

    name = "scripted"

    def __init__(self, *moves: str) -> None:
        self._moves = list(moves)
        self.heard: list[str] = []

    async def ask(self, message: str, seconds: float) -> str:  # noqa: ARG002  # it is always in time
        self.heard.append(message)
        return self._moves.pop(0) if isinstance(read_message(message), Play) else "ready"

    async def close(self) -> None:
        pass

    def perceived(self) -> list[Perceived | None]:
        """What it was told of every turn in a game of GDL-II."""
        plays = [message for written in self.heard if isinstance(message := read_message(written), Play)]
        return [play.last if isinstance(play.last, Perceived) else None for play in plays]
