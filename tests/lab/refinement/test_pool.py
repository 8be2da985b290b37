"""The lists that refinement calls playable are exactly those that the players can play."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.jostle import JOSTLE
from games.registry import game
from lab.refinement import pool_of, population_of
from lab.refinement.pool import Elements, parse, text
from npc import StrategyError, strategy
from tests.games.selection import VARIED
from tests.lab.start import DOCUMENTED, POOL


def plays(elements: Elements) -> bool:
    try:
        return strategy(text(elements), JOSTLE).name == text(elements)
    except StrategyError:
        return False


@given(st.lists(st.sampled_from(POOL.elements), max_size=8).map(tuple))
def test_playable_means_that_it_plays(elements: Elements) -> None:
    assert POOL.is_playable(elements) == plays(elements)


def test_the_documented_start_population() -> None:
    assert len(DOCUMENTED) == len(set(DOCUMENTED)) == 16
    assert all(map(plays, DOCUMENTED))


def test_names_are_read_in_any_case_and_with_commas_or_spaces() -> None:
    assert POOL.named("observing, pals") == ("Observing", "PALS") == parse("Observing PALS")


@pytest.mark.parametrize("reference", VARIED)
def test_every_game_has_a_pool_and_a_start_population_that_plays(reference: str) -> None:
    pool, population = pool_of(game(reference)), population_of(game(reference))
    assert len(population) == len(set(population)) >= 2
    assert all(map(pool.is_playable, population))
    assert [strategy(text(elements), game(reference)).name for elements in population] == list(map(text, population))
