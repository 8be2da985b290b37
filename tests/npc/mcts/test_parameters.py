"""Personalities are written and read as texts, and what is wrong with a text is said exactly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.tic_tac_toe.rules import TIC_TAC_TOE
from npc import PlayerError, read_player
from npc.mcts.parameters import RANGES, Parameters, Range, read_parameters
from server.base.settings import ROOT


def numbers(limits: Range) -> st.SearchStrategy[object]:
    one: st.SearchStrategy[float] = (
        st.integers(int(limits.least), int(limits.most)) if limits.whole else st.floats(limits.least, limits.most)
    )
    return st.tuples(one, one) if limits.pair else one


PERSONALITIES = st.fixed_dictionaries({}, optional={name: numbers(limits) for name, limits in RANGES.items()})


@given(PERSONALITIES)
def test_every_personality_is_read_from_what_it_writes(chosen: dict[str, object]) -> None:
    parameters = Parameters(**chosen)  # type: ignore[arg-type]  # numbers of the right type, drawn by the ranges
    assert read_parameters(str(parameters)) == parameters


def test_there_are_seventeen_numbers() -> None:
    assert sum(2 if limits.pair else 1 for limits in RANGES.values()) == 17


def test_the_page_about_search_players_states_ranges_and_defaults() -> None:
    page = (ROOT / "docs" / "search-players.md").read_text()
    for name, limits in RANGES.items():
        default = getattr(Parameters(), name)
        number = default[0] if limits.pair else default
        pair = ", a pair" if limits.pair else ""
        assert f"| `{name}` | {limits.least:g}–{limits.most:.0f}{pair} | {number:g} |" in page


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", ""),
        ("simulations=1000", ""),
        ("simulations=300   rave=100", "simulations=300 rave=100"),
        ("rave=100 simulations=300", "simulations=300 rave=100"),
        ("aggressiveness=1.5", "aggressiveness=1.5"),
        ("aggressiveness=1.50/2", "aggressiveness=1.5/2"),
        ("defensiveness=1/1.0", ""),
    ],
)
def test_only_what_differs_from_the_default_is_written(text: str, written: str) -> None:
    assert str(read_parameters(text)) == written
    assert read_player(f"mcts:{text}", TIC_TAC_TOE).text == f"mcts:{written}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rave=6000", "rave takes whole numbers from 0 to 5000, not 6000"),
        ("rave=1.5", "rave takes whole numbers from 0 to 5000, not '1.5'"),
        ("rave=-1", "rave takes whole numbers from 0 to 5000, not '-1'"),
        ("rave=٣", "rave takes whole numbers from 0 to 5000, not '٣'"),
        ("rave=", "rave takes whole numbers from 0 to 5000, not ''"),
        ("horizon=0", "horizon takes whole numbers from 1 to 20, not 0"),
        ("simulations=1000000", "simulations takes whole numbers from 1 to 100000, not '1000000'"),
        ("tree_discount=0.5", "tree_discount takes numbers from 0.9 to 1, not 0.5"),
        ("epsilon=nan", "epsilon takes numbers from 0 to 1, not 'nan'"),
        ("epsilon=1/2", "epsilon takes numbers from 0 to 1, not '1/2'"),
        ("aggressiveness=1/2/3", "aggressiveness takes one or two numbers from 0 to 3, not '1/2/3'"),
        ("charge_defaults=40/50", "charge_defaults takes one or two numbers from 35 to 45, not 40/50"),
        ("rave=1 rave=2", "rave is named twice"),
        ("rage=1", "a parameter is written name=number with one of simulations, rave, .*, not 'rage=1'"),
        ("fast", "a parameter is written name=number with one of .*, not 'fast'"),
    ],
)
def test_mistakes_are_named_with_the_range_and_what_came(text: str, message: str) -> None:
    with pytest.raises(PlayerError, match=message):
        read_player(f"mcts:{text}", TIC_TAC_TOE)
