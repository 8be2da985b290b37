"""The demo study has a round that simulated probands bring to its end within minutes; so its pages have data."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from lab.refinement import PRESETS
from server.live.seating import GAME
from server.rounds import service
from server.rounds.simulation import Simulation


async def create(session: AsyncSession) -> None:
    await service.create(
        session,
        "demo",
        name="Demonstration",
        game=GAME,
        seed=1,
        settings=PRESETS["recommended"],
        simulation=Simulation("Observing,Lingering", persons=100, judgements=30),
    )
