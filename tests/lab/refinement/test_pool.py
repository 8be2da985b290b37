"""The lists that refinement calls playable are exactly those that the players can play."""

from hypothesis import given
from hypothesis import strategies as st

from lab.refinement.pool import DOCUMENTED, JOSTLE_POOL, Elements, parse, text
from npc import StrategyError, strategy


def plays(elements: Elements) -> bool:
    try:
        return strategy(text(elements)).name == text(elements)
    except StrategyError:
        return False


@given(st.lists(st.sampled_from(JOSTLE_POOL.elements), max_size=8).map(tuple))
def test_playable_means_that_it_plays(elements: Elements) -> None:
    assert JOSTLE_POOL.is_playable(elements) == plays(elements)


def test_the_documented_start_population() -> None:
    assert len(DOCUMENTED) == len(set(DOCUMENTED)) == 16
    assert all(map(plays, DOCUMENTED))


def test_names_are_read_in_any_case_and_with_commas_or_spaces() -> None:
    assert JOSTLE_POOL.named("observing, pals") == ("Observing", "PALS") == parse("Observing PALS")
