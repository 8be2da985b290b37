"""A round with simulated probands finishes by itself, and leaves everything on record."""

from __future__ import annotations

from server.database import Database
from server.rounds import repository
from server.settings import Settings
from tests.server.rounds.conftest import is_done, new_round, until, working


async def test_a_simulated_round_goes_through_its_phases(database: Database, settings: Settings) -> None:
    number = await new_round(database)
    async with working(settings):
        round_ = await until(database, number, is_done)
    async with database.sessions() as session:
        steps = await repository.steps(session, number)
        members = await repository.members(session, number)
    for s in steps:
        print(s.number, s.kind, s.log_position, len(s.decisions), s.decisions[-1:] )
    print(round_.sessions, round_.state["final"])
