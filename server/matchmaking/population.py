"""The matchmaking follows the round: its population plays, and what it lacks goes to the front of everybody's list."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from npc.players import can_play
from server.matchmaking.opponents import Population
from server.matchmaking.selection import first_population
from server.rounds import repository
from server.rule_bases import repository as rule_bases
from server.rules.service import open_game
from server.study.settings import read_setting


async def population(session: AsyncSession, game: str) -> Population:
    """The population of the active round of a game; without one, the strategies with which everything begins.

    New strategies enter with the step that makes them and retired ones leave with it, because the population is the
    newest step's. A paused round keeps its population playing. Rule bases that researchers have put into play and the
    players that the study's settings name are met beside it; the round neither waits for them nor breeds them.
    """
    round_ = await repository.active(session, game)
    besides = await rule_bases.playing(session, game) + await named_players(session, game)
    if round_ is None:
        return Population(await first_population(session, game) + besides)
    members = tuple(" ".join(member["elements"]) for member in round_.state["members"])
    return Population(strategies=members + besides, lacking=tuple(round_.lacking))


async def named_players(session: AsyncSession, game: str) -> tuple[str, ...]:
    """The names of those players of the settings that can play this game."""
    texts = await read_setting(session, "players")
    if not texts:
        return ()
    rules = await open_game(session, game)
    return tuple(text for text in texts if can_play(text, rules))
