"""The demo study has a round that simulated probands bring to its end within minutes; so its pages have data."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from sqlalchemy.ext.asyncio import AsyncSession

from lab.refinement import PRESETS
from server.base.clock import now
from server.rounds import repository, service
from server.rounds.simulated_probands import SimulatedProbands
from server.study.games import study_games

DAYS: Final = 5.0
"""How long each simulated session takes."""
SESSIONS: Final = 9
"""About how many it takes until the round is done."""


async def create(session: AsyncSession) -> None:
    round_ = await service.create(
        session,
        "demo",
        name="Demonstration",
        game=(await study_games(session))[0],
        seed=1,
        settings=PRESETS["recommended"],
        simulation=SimulatedProbands(persons=100, judgements=30, days=DAYS),
    )
    # The sessions are held one after the other from then on, so that the overview has weeks to show.
    round_.created_at = now() - timedelta(days=SESSIONS * DAYS)
    for step in await repository.steps(session, round_.id):
        step.at = round_.created_at
