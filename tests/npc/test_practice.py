"""The practice game: a pure function that plays on until the visitor has a choice."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.jostle import JOSTLE
from games.protocol import CHANCE, OVER, GameError
from games.registry import game as find_game
from games.tic_tac_toe.rules import TIC_TAC_TOE
from npc import Follower, practice, read_player
from npc.composed.jostle.school import SAMPLES
from npc.levels import LEVELS, levels_of
from npc.practice import YOU, advance, options
from tests.games.selection import VARIED

GAME = "jostle"


def play(seed: str, choices: random.Random) -> tuple[list[str], practice.Practice]:
    """A whole game of a visitor who chooses at random."""
    moves: list[str] = []
    for _ in range(1_000):
        state = advance(GAME, seed, moves)
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
    while not (state := advance(GAME, "asked", moves))["over"]:
        for update in state["updates"]:
            moves[update["ply"] :] = update["moves"]
        position = JOSTLE.position(state["position"])
        assert position.to_act == YOU
        assert state["legal"] != ["pass"]
        assert state["legal"] == [str(move) for move in position.moves()]
        moves.append(choices.choice(state["legal"]))


def test_the_same_seed_and_moves_give_the_same_answer_as_json() -> None:
    first = json.dumps(advance(GAME, "same", []))
    assert first == json.dumps(advance(GAME, "same", []))
    assert advance(GAME, "same", [])["players"][YOU] is None
    assert all(name in SAMPLES for name in advance(GAME, "same", [])["players"] if name is not None)


def test_options_tell_everything_a_move_would_do() -> None:
    told = {option["move"]: option["events"] for option in options(GAME, "3,-1,-1/14,-1,-1/-1,-1,-1 r 3", 0)}
    assert told["p0"] == [["move", "0", "3", "6"], ["switch", "0", "6", "14"], ["jostle", "3", "14", "12"]]
    assert told["p1"] == [["move", "1", "-1", "2"]]


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
    seed = next(seed for seed in map(str, range(100)) if advance(GAME, seed, [])["updates"][0]["moves"] == ["1"])
    with pytest.raises(GameError, match=reason):
        advance(GAME, seed, moves)


def test_a_die_that_the_seed_does_not_give_is_refused() -> None:
    (die,) = advance(GAME, "die", [])["updates"][0]["moves"]
    other = "1" if die != "1" else "2"
    with pytest.raises(GameError, match="die at ply 0"):
        advance(GAME, "die", [other])


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


@pytest.mark.parametrize("reference", VARIED)
def test_a_level_sits_in_all_other_seats(reference: str) -> None:
    rules = find_game(reference)
    assert levels_of(rules) == ("beginner", "club", "master")
    practice = advance(reference, "seed", [], level="beginner")
    others = [name for name in practice["players"] if name is not None]
    assert others == [LEVELS["beginner"]] * (len(rules.seats) - 1)


def test_a_level_that_does_not_exist_is_refused() -> None:
    with pytest.raises(GameError, match="has the levels beginner, club, master, not 'god'"):
        advance("tic-tac-toe", "seed", [], level="god")


def test_a_master_beats_a_beginner() -> None:
    """Over both seats of tic-tac-toe and several seeds, and never the other way round more often."""
    won = {"master": 0, "beginner": 0}
    for seed in range(6):
        for names in (("master", "beginner"), ("beginner", "master")):
            players = [
                Follower(TIC_TAC_TOE, read_player(LEVELS[name], TIC_TAC_TOE), f"{seed} {name}") for name in names
            ]
            position = TIC_TAC_TOE.start()
            while position.to_act != OVER:
                move = players[position.to_act].decide().move
                for each in players:
                    each.follow([move])
                position = position.play(move)
            for winner in position.winners():
                won[names[winner]] += 1
    assert won["master"] > won["beginner"] + 3, won
