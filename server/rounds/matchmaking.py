"""The matchmaking follows the round: its population plays, and what it lacks goes to the front of everybody's list."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from server.live.seating import GAME
from server.live.selection import POPULATION
from server.ratings.opponents import Population
from server.rounds import repository
from server.rule_bases import repository as rule_bases


async def population(session: AsyncSession) -> Population:
    """The population of the active round; without one, the documented strategies.

    New strategies enter with the step that makes them and retired ones leave with it, because the population is the
    newest step's. A paused round keeps its population playing. Rule bases that researchers have put into play are met
    beside it; the round neither waits for them nor breeds them.
    """
    round_ = await repository.active(session, GAME)
    uploaded = await rule_bases.playing(session)
    if round_ is None:
        return Population(POPULATION + uploaded)
    members = tuple(" ".join(member["elements"]) for member in round_.state["members"])
    return Population(strategies=members + uploaded, lacking=tuple(round_.lacking))
