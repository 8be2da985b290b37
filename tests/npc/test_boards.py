"""Observing PALS and PALS on many boards: who keeps closer together, as statistics over seeded games."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.jostle import LAYOUTS, STANDARD, JostleGame, Layout, LayoutError
from games.jostle.moves import ROLLS
from games.protocol import CHANCE
from npc import strategy
from npc.composed.jostle.measuring.boards import (
    BOARDS,
    DRAWN,
    FREE_BEFORE_GOALS,
    REACHES,
    Comparison,
    Drawn,
    Reduced,
    compare,
)
from npc.composed.jostle.measuring.document import document
from npc.composed.jostle.measuring.measures import JostleScribe
from npc.simulation.play import play_game
from npc.simulation.report import Estimate
from server.base.settings import ROOT

GAMES = 150


@pytest.mark.parametrize(
    ("boards", "verdict"),
    [
        (Reduced("no special fields"), "the same"),
        (Reduced("the long switch", ((6, 14),)), "closer"),
        (Drawn(1, 0, reach=16), "closer"),
        (Drawn(1, 0, reach=2), "farther apart"),
        (Reduced("MINUS THREE", (), STANDARD.minus_three), "farther apart"),
        (Reduced("the standard board", STANDARD.switches, STANDARD.minus_three), "farther apart"),
    ],
    ids=lambda value: value.name if isinstance(value, Reduced | Drawn) else value,
)
def test_observing_pals_keeps_closer_where_switches_carry_far_and_little_else_is_special(
    boards: Reduced | Drawn, verdict: str
) -> None:
    found = compare(boards, GAMES, "boards", workers=1)
    assert found.verdict == verdict, f"{found.alone} and {found.combined}: {found.difference}"


@given(st.sampled_from([*DRAWN, *REACHES]), st.integers(0, 10**6))
def test_drawn_boards_have_what_they_should_and_games_on_them_end(boards: Drawn, number: int) -> None:
    layout = boards.layout(number)
    assert len(layout.special) == 2 * boards.switches + boards.minus_three
    assert len(layout.minus_three) == boards.minus_three
    if boards.reach:
        assert {high - low for low, high in layout.switches} == {boards.reach}
    assert max(layout.special, default=0) < layout.first_goal - FREE_BEFORE_GOALS
    assert boards.layout(number) == layout


FIVE = (1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("layout", "reason"),
    [
        (Layout("both back", 31, FIVE, (), (24, 25)), "the fields 24 to 25"),
        (Layout("sixth goal", 32, (*FIVE, 6), (), (25,)), "the fields 25 to 25"),
        (Layout("seven goals", 33, (*FIVE, 6, 7)), "with 7 goals none of the fields before them"),
    ],
    ids=lambda value: value.name if isinstance(value, Layout) else "",
)
def test_boards_on_which_strategies_never_fill_the_last_goal_are_refused(layout: Layout, reason: str) -> None:
    game = JostleGame(layout)
    players = [strategy(name, game) for name in ("PALS", "ADVANCER", "Lingering EQUALIZER")]
    with pytest.raises(LayoutError, match=reason):
        play_game(game, players, "endings", 0, JostleScribe)
    position, dice = game.start(), random.Random(1)
    for ply in range(3000):
        to_act = position.to_act
        roll = ROLLS[dice.randrange(6)]
        seat = players[to_act] if to_act != CHANCE else None
        move = seat.decide(position, to_act, seat.start_memory(), "endings", ply).move if seat else roll
        position = position.play(move)
    assert layout.last not in position.pieces, "and rightly so"


@pytest.mark.parametrize(
    "layout",
    [
        STANDARD,
        LAYOUTS["sixth-goal"],
        Layout("one plain field", 31, FIVE, (), (23, 25)),
        Layout("a twin rests", 31, FIVE, ((5, 25),), (24,)),
        Layout("from the stack", 3, (1, 2)),
    ],
    ids=lambda layout: layout.name,
)
def test_where_a_piece_can_rest_within_one_roll_of_the_last_goal_games_end(layout: Layout) -> None:
    game = JostleGame(layout)
    players = [strategy(name, game) for name in ("PALS", "ADVANCER", "Observing PALS")]
    for number in range(5):
        play_game(game, players, "ends", number, JostleScribe)


def test_the_boards_are_drawn_anew_for_every_game() -> None:
    assert len({Drawn(2, 2).layout(number) for number in range(50)}) > 40


def test_the_page_shows_every_board_that_was_looked_at() -> None:
    found = [
        Comparison(boards, 10, Estimate(5, 4, 6), Estimate(4, 3, 5), Estimate(-1, -1.5, -0.5)) for boards in BOARDS
    ]
    page = document([], 10, "7", found)
    assert page.count("-1.00 [-1.50, -0.50]") == len(found)
    committed = (ROOT / "docs" / "strategies.md").read_text()
    for line in page.splitlines():
        if line.startswith(("| MINUS THREE", "| the switch", "| both", "| all", "| no special")) or "fields |" in line:
            assert line.partition("| 5.00")[0] in committed
