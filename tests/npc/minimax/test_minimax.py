"""Looking ahead finds what there is to find, within a budget that is counted."""

import math
from typing import Any

import pytest

from games.protocol import OVER, Game, Position, Seat
from games.registry import game as find_game
from games.ten.rules import TEN
from games.tic_tac_toe.rules import TIC_TAC_TOE
from games.tricks.rules import TRICKS
from npc import Follower, PlayerError, read_player
from npc.minimax.estimate import standing
from npc.minimax.search import look_ahead
from tests.games.selection import VARIED
from tests.npc.made_up import AtOnce, InTurn
from tests.npc.perfect import never_loses
from tests.npc.walks import walk


def decided(text: str, position: Position, game: Game = TIC_TAC_TOE) -> str:
    return str(read_player(f"minimax:{text}", game).decide(position, position.to_act, None, 0, 0).move)


@pytest.mark.parametrize("seat", [0, 1])
def test_tic_tac_toe_is_never_lost_against_any_play(seat: Seat) -> None:
    never_loses(read_player("minimax:nodes=20000", TIC_TAC_TOE), seat)


def test_values_are_those_of_perfect_play() -> None:
    """Compared with all games played to their ends."""

    def perfect(position: Any, seat: Seat) -> float:
        if position.to_act == OVER:
            return standing(position, seat)
        values = [perfect(position.play(move), seat) for move in position.moves()]
        return max(values) if position.to_act == seat else min(values)

    for ply, position, _ in walk("perfect", TIC_TAC_TOE):
        if ply >= 3:
            seat = position.to_act
            found = look_ahead(position, seat, 10**6)
            assert found.values == {move: perfect(position.play(move), seat) for move in position.moves()}


@pytest.mark.parametrize(
    ("text", "move", "why"),
    [
        ("0,2,0,3 4/10! a", "draw", "stopping loses for sure"),
        ("0,0,1,3 9/6! a", "stop", "it is ahead, and a card would be too much"),
    ],
)
def test_chance_is_weighed(text: str, move: str, why: str) -> None:
    assert decided("", TEN.position(text), TEN) == move, why


def test_a_move_is_worth_the_mean_of_what_chance_makes_of_it() -> None:
    found = look_ahead(TEN.position("1,0,0,3 8/9! a"), 0, 10_000)
    assert math.isclose(found.values[TEN.move("draw")], 50 / 4)


def test_all_others_are_taken_for_opponents() -> None:
    table = InTurn(
        3, {"a": {"x": {"y": (90.0, 10.0, 0.0), "z": (0.0, 0.0, 10.0)}}, "b": {"x": {"y": (50.0, 50.0, 0.0)}}}
    )
    assert decided("", table) == "b"


def test_seats_that_choose_at_once_are_taken_to_know_the_move() -> None:
    table = AtOnce((("risky", "safe"), ("left", "right")), ((100.0, 0.0), (0.0, 100.0), (50.0, 50.0), (50.0, 50.0)))
    assert decided("", table) == "safe"
    found = look_ahead(table, 1, 1000)
    assert found.values == {"left": 0.0, "right": 50.0}


def test_the_budget_bounds_how_far_it_looks() -> None:
    few, many = (look_ahead(TIC_TAC_TOE.start(), 0, nodes) for nodes in (300, 5000))
    assert few.depth < many.depth
    assert few.nodes <= 300
    assert many.nodes <= 5000
    assert look_ahead(TIC_TAC_TOE.start(), 0, 1).depth == 1, "one move deep in any case"


@pytest.mark.parametrize("reference", [each for each in VARIED if not find_game(each).secrets])
def test_it_plays_every_open_game_legally_repeatably_with_values_and_words(reference: str) -> None:
    rules = find_game(reference)
    follower = Follower(rules, read_player("minimax:nodes=100", rules), "seed")
    for ply, position, move in walk("ahead", rules):
        if position.to_act >= 0 and ply < 4:
            decision = follower.decide()
            assert decision.move in position.moves()
            assert decision == follower.decide()
            if len(position.moves()) > 1:
                assert tuple(each for each, _ in decision.values) == position.moves()
                assert all(0 <= value <= 100 for _, value in decision.values)
                assert decision.explanation.words.startswith("Looked ")
        follower.follow([move])


@pytest.mark.parametrize("body", ["nodes=0", "nodes=9999999", "nodes=", "depth=3", "٣"])
def test_other_texts_are_refused(body: str) -> None:
    with pytest.raises(PlayerError, match="minimax takes nodes=NUMBER with a number from 1 to 1000000, not"):
        read_player(f"minimax:{body}", TIC_TAC_TOE)


def test_games_with_secrets_are_refused() -> None:
    with pytest.raises(PlayerError, match="tricks:standard has secrets"):
        read_player("minimax:", TRICKS)
