"""Matchmaking of one server process, from start to stop: again and again, those whose time is over are seated."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from server.base.ending import end
from server.live.runtime import Live, repeat
from server.matchmaking.lobby import Lobby
from server.matchmaking.opponents import OpponentChooser
from server.matchmaking.population import population
from server.matchmaking.seating import Seating
from server.matchmaking.usual import UsualHours
from server.storage.database import Database

SEAT_SECONDS: Final = 0.25
CLEAN_SECONDS: Final = 1.0


class Matchmaking:
    """The lobby beside the tables of this process; `app.state.matchmaking`."""

    def __init__(self, database: Database, live: Live):
        self.live = live
        self.lobby = Lobby(database, Seating(live.config, choose=OpponentChooser(population)), live.house.process)
        self.usual = UsualHours()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Matchmaking]:
        loops = [
            asyncio.create_task(repeat(self.seat_those_due, SEAT_SECONDS * min(1.0, self.live.config.pace))),
            asyncio.create_task(repeat(self.lobby.clean, CLEAN_SECONDS)),
        ]
        try:
            yield self
        finally:
            await end(*loops)

    async def seat_those_due(self) -> None:
        for person, match in (await self.lobby.seat_those_due()).items():
            self.live.seated(person, match)
            await self.live.house.table(match)  # whoever seats a match also lets it begin
