"""Lists that play alike are one strategy for a round: what is known of one is known of the others."""

from __future__ import annotations

from dataclasses import replace

from games.registry import game
from lab.refinement import Evidence, Ratings, pool_of, start
from server.ratings.evidence import Known
from server.rounds.deciding import decide
from server.storage.database import Database
from tests.server.rounds.conftest import GAME, QUICK, find, new_round

RULES = (GAME, game(GAME).source)
POOL = pool_of(game(GAME))
SAME = (("ADVANCER",), ("Lingering", "ADVANCER"))
"""Lingering never decides anything after ADVANCER, nor before it."""
OTHER = ("PALS",)
JUDGED = {SAME[0]: Evidence(0.4, 20, 12, 9), OTHER: Evidence(0.4, 20, 12, 9), ("My", "base"): Evidence(0.5, 3)}


def test_what_is_known_of_one_is_known_of_the_other() -> None:
    known = Known(Ratings(JUDGED, Evidence(0.8, 40, 20, 3)), 5)
    settings = replace(QUICK, imbalance=100.0)
    state = start(1, settings, [*SAME, OTHER], POOL)
    apart = decide(state, replace(settings, merge_alike=False), known, RULES)
    together = decide(state, settings, known, RULES)
    assert apart.step.waits
    assert apart.lacking == ("Lingering ADVANCER",)
    assert not together.step.waits
    assert together.lacking == ()
    shown = together.progress["strategies"]
    assert shown["Lingering ADVANCER"] == shown["ADVANCER"]
    assert shown["ADVANCER"]["judgements"] == 20
    following = [member.elements for member in together.step.state.members]
    assert not set(SAME) <= set(following), "no population after the first has two that play alike"


async def test_people_are_asked_about_what_plays_and_simulated_probands_about_names(database: Database) -> None:
    number = await new_round(database)
    assert (await find(database, number)).settings["merge_alike"] is False
    assert QUICK.merge_alike
