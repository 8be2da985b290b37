"""The player: written, read again, refused, explained; and plans that it keeps to while it can."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.protocol import OVER
from games.registry import game, open_source
from games.tourality import Step, TouralityPosition
from npc.follower import Follower
from npc.player import PlayerError
from npc.players import player, read_player
from npc.tourality_minimax.kind import KEY
from npc.tourality_minimax.parameters import RANGES, Parameters, read_parameters
from npc.tourality_minimax.search import find

NUMBERS = st.fixed_dictionaries(
    {},
    optional={name: st.integers(limits.least, limits.most) for name, limits in RANGES.items()},
)


@given(NUMBERS)
def test_a_setting_is_read_again_from_its_text(numbers: dict[str, int]) -> None:
    try:
        setting = Parameters(**numbers)
    except PlayerError:
        return  # an even depth, a plan that is too long, or too deep without a table
    assert read_parameters(str(setting)) == setting


def test_the_reference_setting_needs_no_words() -> None:
    said = "depth=11 reward=18 decay=3 plan=1 range=-1 bonus=2 cost=0 path=6 own=1 surroundings=1 near=3 nearest=-4"
    assert player(f"{KEY}:{said}", "tourality:garden").text == f"{KEY}:"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("depth=10", "depth is odd"),
        ("depth=23", "from 1 to 21, not 23"),
        ("depth=5 plan=4", "3 own steps, too few for plan=4"),
        ("depth=17 table=0", "without a table depth is at most 15"),
        ("speed=3", "name=number with one of depth, reward"),
        ("depth", "not 'depth'"),
        ("depth=3 depth=5", "named twice"),
        ("nearest=-4.5", "whole numbers from -1000 to 1000, not '-4.5'"),
    ],
)
def test_what_is_no_setting_is_refused_with_what_was_expected(body: str, message: str) -> None:
    with pytest.raises(PlayerError, match=message):
        player(f"{KEY}:{body}", "tourality:garden")


def test_it_plays_tourality_only() -> None:
    with pytest.raises(PlayerError, match="plays tourality, not tic-tac-toe"):
        player(f"{KEY}:", "tic-tac-toe:standard")


def test_it_explains_itself_in_words() -> None:
    rules = open_source("tourality", "world\na.o..\n.....\n##.##\nb...o\n")
    decision = Follower(rules, read_player(f"{KEY}:depth=3", rules), "seed").decide()
    words = decision.explanation.words
    assert str(decision.move) == "right"
    assert words.startswith("Looked 3 steps ahead over ") and "it expects to go right, right" in words
    assert "to gather 1 leaf while the other gathers 0" in words and words.endswith("so it goes right.")


def test_a_plan_is_kept_for_its_steps_and_made_anew_after_them_or_where_it_is_blocked() -> None:
    rules = game("tourality:garden")
    start = rules.start()
    setting = read_parameters("depth=7 plan=3")
    kept = 0
    for world in range(1, 5):
        rng = random.Random(world)
        follower = Follower(rules, read_player(f"{KEY}:{setting}", rules), "seed")
        follower.follow([start.drawn(start.ways * world // 5)])
        plan: tuple[int, ...] = ()
        for number in range(9):
            position = follower.position
            if position.to_act == OVER:
                break
            assert isinstance(position, TouralityPosition)
            legal = {move.direction for move in position.moves()}
            if number % 3 == 0 or not plan or plan[0] not in legal:
                plan = find(position, 0, setting, 5).line[::2]
            else:
                kept += 1
            step = follower.decide(0).move
            assert isinstance(step, Step) and step.direction == plan[0]
            plan = plan[1:]
            follower.follow([step])
            if follower.position.to_act != OVER:
                follower.follow([rng.choice(follower.position.moves())])
    assert kept > 12
