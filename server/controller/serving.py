"""Our player behind a port: carries messages of managers to it and its replies back."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from games.protocol import NotationError
from server.controller.answering import OurPlayer
from server.controller.wire import LONGEST_LINE, WireError, read_request, reply_bytes

log = structlog.get_logger(__name__)

READ_SECONDS: Final = 10.0
"""For a whole message: whoever trickles it in does not hold a place for longer."""
MOST_CONNECTIONS: Final = 32
REFUSED: Final = "400 Bad Request"


class Reception:
    """Takes connections while it is served; more than there are places for are closed at once."""

    def __init__(self, player: OurPlayer, read_seconds: float = READ_SECONDS) -> None:
        self._player = player
        self._read_seconds = read_seconds
        self._connections = 0

    async def open(self, host: str, port: int) -> asyncio.Server:
        return await asyncio.start_server(self._connected, host, port, limit=LONGEST_LINE)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._connections >= MOST_CONNECTIONS:
            writer.transport.abort()
            return
        self._connections += 1
        try:
            writer.write(await self._replied(reader))
            async with asyncio.timeout(self._read_seconds):
                await writer.drain()
                writer.close()
                await writer.wait_closed()
        except (OSError, TimeoutError) as error:
            log.info("gdl.connection_lost", reason=str(error) or "a reply was not taken in time")
        finally:
            self._connections -= 1
            writer.transport.abort()

    async def _replied(self, reader: asyncio.StreamReader) -> bytes:
        try:
            async with asyncio.timeout(self._read_seconds):
                message = await read_request(reader)
            return reply_bytes(await self._player.answer(message))
        except TimeoutError:
            reason = f"no message within {self._read_seconds:g} seconds"
        except (WireError, NotationError) as error:
            reason = str(error)
        log.info("gdl.no_message", reason=reason)
        return reply_bytes(reason, REFUSED)
