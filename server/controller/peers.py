"""Those whom a manager asks: players at an address, and ours. Nobody else is talked to: no proxy, no redirection."""

from __future__ import annotations

import asyncio
import re
from typing import Final, NamedTuple, Protocol

from games.gdl.controller.record import LATE, UNREACHED, Lapse
from server.controller.wire import LONGEST_LINE, WireError, read_reply, request_bytes

_ADDRESS: Final = re.compile(r"http://(?P<host>[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):(?P<port>[0-9]{1,5})/?")
MOST_PORTS: Final = 65_535


class LapseError(Exception):
    """A peer gave no reply that could be used."""

    def __init__(self, lapse: Lapse) -> None:
        super().__init__(lapse.words)
        self.lapse = lapse


class Peer(Protocol):
    """Somebody who replies to messages."""

    @property
    def name(self) -> str: ...

    async def ask(self, message: str, seconds: float) -> str:
        """Raises LapseError, after so many seconds at the latest."""

    async def close(self) -> None: ...


class Address(NamedTuple):
    host: str
    port: int

    def __str__(self) -> str:
        return f"http://{self.host}:{self.port}"


def address(written: str) -> Address:
    """Raises ValueError with what was expected and what came."""
    found = _ADDRESS.fullmatch(written)
    if found is None or not 0 < int(found["port"]) <= MOST_PORTS:
        raise ValueError(f"the address of a player is http://HOST:PORT, not {written[:80]!r}")
    return Address(found["host"], int(found["port"]))


class Remote:
    """A player at an address, asked with one connection per message."""

    def __init__(self, where: Address) -> None:
        self._where = where

    @property
    def name(self) -> str:
        return str(self._where)

    async def ask(self, message: str, seconds: float) -> str:
        try:
            async with asyncio.timeout(seconds):
                return await self._exchange(message)
        except TimeoutError:
            raise LapseError(Lapse(LATE, f"no reply within {seconds:g} seconds")) from None
        except WireError as error:
            raise LapseError(Lapse(UNREACHED, str(error))) from None
        except OSError as error:
            words = error.strerror or str(error) or type(error).__name__
            raise LapseError(Lapse(UNREACHED, f"the connection failed: {words}")) from None

    async def close(self) -> None:
        pass

    async def _exchange(self, message: str) -> str:
        host, port = self._where
        reader, writer = await asyncio.open_connection(host.strip("[]"), port, limit=LONGEST_LINE)
        try:
            writer.write(request_bytes(f"{host}:{port}", "player", message))
            await writer.drain()
            return await read_reply(reader)
        finally:
            writer.transport.abort()  # nobody waits for a peer that does not take leave
