"""The practice game: a pure function that plays on until the visitor has a choice."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.jostle import JOSTLE
from games.protocol import CHANCE, OVER, GameError
from npc import practice
from npc.practice import YOU, advance, options


def play(seed: str, choices: random.Random) -> tuple[list[str], practice.Practice]:
    """A whole game of a visitor who chooses at random."""
    moves: list[str] = []
    for _ in range(1_000):
        state = advance(seed, moves)
        for update in state["updates"]:
            moves[update["ply"] :] = update["moves"]
        if state["over"]:
            return moves, state
        moves.append(choices.choice(state["legal"]))
    raise AssertionError("no end")


@given(st.text(min_size=1, max_size=20), st.integers())
@settings(max_examples=15, deadline=None)
def test_every_game_comes_to_an_end_by_legal_moves_alone(seed: str, choice: int) -> None:
    moves, end = play(seed, random.Random(choice))
    position = JOSTLE.start()
    for text in moves:
        position = position.play(JOSTLE.move(text))
    assert position.to_act == OVER
    assert end["position"] == position.text()
    assert end["scores"] == list(position.scores())
    assert end["winners"] == list(position.winners())


def test_the_visitor_is_asked_only_for_real_choices() -> None:
    moves: list[str] = []
    choices = random.Random(7)
    while not (state := advance("asked", moves))["over"]:
        for update in state["updates"]:
            moves[update["ply"] :] = update["moves"]
        position = JOSTLE.position(state["position"])
        assert position.to_act == YOU
        assert state["legal"] != ["pass"]
        assert state["legal"] == [str(move) for move in position.moves()]
        moves.append(choices.choice(state["legal"]))


def test_the_same_seed_and_moves_give_the_same_answer_as_json() -> None:
    first = json.dumps(advance("same", []))
    assert first == json.dumps(advance("same", []))
    assert advance("same", [])["strategies"][YOU] is None
    assert all(name in practice.SAMPLES for name in advance("same", [])["strategies"] if name is not None)


def test_options_tell_everything_a_move_would_do() -> None:
    told = {option["move"]: option["steps"] for option in options("3,-1,-1/14,-1,-1/-1,-1,-1 r 3")}
    assert told["p0"] == [(0, 3, 6, "move"), (0, 6, 14, "switch"), (3, 14, 12, "jostle")]
    assert told["p1"] == [(1, -1, 2, "move")]


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        (["7"], "a move is"),
        (["p0"], "not a p0"),
        (["1", "p3"], "does not belong"),
        (["1"] * (practice.MOST_MOVES + 1), "at most"),
    ],
)
def test_a_made_up_history_is_refused(moves: list[str], reason: str) -> None:
    seed = next(seed for seed in map(str, range(100)) if advance(seed, [])["updates"][0]["moves"] == ["1"])
    with pytest.raises(GameError, match=reason):
        advance(seed, moves)


def test_a_die_that_the_seed_does_not_give_is_refused() -> None:
    (die,) = advance("die", [])["updates"][0]["moves"]
    other = "1" if die != "1" else "2"
    with pytest.raises(GameError, match="die at ply 0"):
        advance("die", [other])


def test_a_pass_of_the_visitor_is_played_without_asking() -> None:
    """Somewhere in many games the visitor cannot move; then the answer plays on."""
    for number in range(30):
        moves, _ = play(f"pass{number}", random.Random(number))
        position = JOSTLE.start()
        for text in moves:
            if text == "pass" and position.seat == YOU and position.to_act != CHANCE:
                return
            position = position.play(JOSTLE.move(text))
    raise AssertionError("no game with a pass of the visitor; take more games")
