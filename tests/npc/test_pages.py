"""What pages ask of any game: boards that are drawn, practice, replays, rules that are learnt, and the self-check."""

import json
import random

import pytest

from games.jostle import JOSTLE
from games.jostle.layout_files import write_layout
from games.protocol import OVER, GameError
from games.references import by_content
from games.registry import game as find_game
from games.registry import open_source, shelf
from games.tricks.rules import TRICKS
from npc import browser, practice, replays
from npc.selfcheck import import_all, self_check
from npc.shown import drawn_from_text, shown
from tests.games.selection import VARIED
from tests.npc.walks import walk


def call(name: str, *arguments: object) -> object:
    """As a page does: JSON in, JSON out."""
    told = json.loads(browser.call(name, json.dumps(arguments)))
    assert told.keys() == {"result"}
    return told["result"]


@pytest.mark.parametrize("reference", VARIED)
def test_a_practice_game_of_every_game_comes_to_its_end(reference: str) -> None:
    game, choices = find_game(reference), random.Random(5)
    moves: list[str] = []
    while not (state := practice.advance(reference, "one", moves))["over"]:
        for update in state["updates"]:
            assert len(update["moves"]) == len(update["seen"]) == len(update["seats"])
            moves[update["ply"] :] = update["moves"]
        assert state["ply"] == len(moves)
        assert [option["move"] for option in state["options"]] == state["legal"] != []
        assert call("npc.practice.options", reference, state["position"], 0) == state["options"]
        moves.append(choices.choice(state["legal"]))
    for update in state["updates"]:
        moves[update["ply"] :] = update["moves"]
    position = game.start()
    for text in moves:
        position = position.play(game.move(text))
    assert position.to_act == OVER
    assert (state["scores"], state["winners"]) == (list(position.scores()), list(position.winners()))
    assert [name is None for name in state["players"]] == [seat == 0 for seat in range(len(game.seats))]


def test_opponents_can_be_chosen() -> None:
    told = practice.advance("tic-tac-toe", "x", ["a1"], ["composed:Winning Careful GREEDY"])
    assert told["players"] == [None, "Winning Careful GREEDY"]
    with pytest.raises(ValueError, match="1 opponents, not 2"):
        practice.advance("tic-tac-toe", "x", [], ["composed:GREEDY", "composed:GREEDY"])


def test_in_practice_the_visitor_sees_the_own_view_alone() -> None:
    (update,) = practice.advance("tricks", "cards", [])["updates"]
    hands = update["moves"][0].removeprefix("deal ").split("/")
    assert update["seen"] == [f"deal {hands[0]}/?"]
    assert update["position"] == f"{hands[0]}/?,?,?,?,? -"
    assert update["events"] == [["deal", card, "", "left"] for card in hands[0].split(",")]
    assert f"holds(left,{hands[0].split(',')[0]})" in update["shown"]["facts"]
    assert not any(fact.startswith("holds(right") for fact in update["shown"]["facts"])


def test_what_a_board_draws() -> None:
    game = find_game("tic-tac-toe")
    position = game.position("x../.o./...")
    grid = shown(game, position, 0)["grid"]
    assert grid is not None
    assert grid["pieces"] == [("a1", "x", 0), ("b2", "o", 1)]
    assert ("c3", "", "c3") in grid["moves"]
    assert shown(game, position, 1)["grid"] == {**grid, "moves": []}
    assert shown(game, position, 0)["facts"] == []
    assert shown(JOSTLE, JOSTLE.start(), 0) == {"grid": None, "facts": []}
    hidden = shown(TRICKS, TRICKS.position("1,5/2,3 12-6,7-8,10-4").view(1), 1)
    assert [fact for fact in hidden["facts"] if fact.startswith("holds")] == ["holds(right,2)", "holds(right,3)"]


@pytest.mark.parametrize("reference", VARIED)
def test_a_match_of_every_game_is_shown_again(reference: str) -> None:
    game = find_game(reference)
    walked = list(walk("again", game))
    told = replays.of_moves(reference, [str(move) for _, _, move in walked])
    assert (told["game"], told["seats"]) == (reference, list(game.seats))
    assert told["start"]["position"] == game.start().text()
    assert [frame["seat"] for frame in told["frames"]] == [position.to_act for _, position, _ in walked]
    after = [position.text() for _, position, _ in walked[1:]]
    assert [frame["position"] for frame in told["frames"][:-1]] == after
    assert json.loads(json.dumps(told))["setup"] == game.setup()


def test_rules_from_elsewhere_are_learnt_by_their_reference() -> None:
    source = write_layout(JOSTLE.layout).replace("standard", "somewhere else")
    reference = by_content("jostle", source)
    assert call("npc.rules.learn", reference, source) is None
    assert call("npc.panel.propose", reference, ["5"], [["composed:PALS", 1]], 0) == [{"move": "p0", "fault": None}]
    with pytest.raises(GameError, match="is that of"):
        call("npc.rules.learn", "jostle:0", source)
    assert open_source("jostle", source).reference == reference


def test_rules_that_have_to_be_learnt_are_named_as_data() -> None:
    missing = "jostle:" + "0" * 32
    told = json.loads(browser.call("npc.practice.advance", json.dumps([missing, "s", []])))
    assert told == {"missing": missing}


@pytest.mark.parametrize(("drawn_from", "filled"), [("grid", "grid"), ("facts", "facts"), ("", "")])
def test_a_board_gets_what_its_game_says_that_it_draws_from(drawn_from: str, filled: str) -> None:
    """Whatever the board is called: a new one is known to its game alone."""
    standard = find_game("tic-tac-toe")
    rules = type("OwnBoard", (type(standard),), {"board": "own", "drawn_from": drawn_from})()
    told = shown(rules, rules.start().view(0), 0)
    assert {name for name, value in told.items() if value} == ({filled} if filled else set())
    assert drawn_from_text(rules) is (drawn_from == "")


def test_pages_may_call_nothing_else() -> None:
    with pytest.raises(LookupError, match="pages may not call"):
        browser.call("npc.players.player", '["composed:PALS", "jostle"]')
    for name in browser.FUNCTIONS:
        assert callable(browser._function(name))


def test_the_self_check_covers_every_game_and_repeats() -> None:
    first = self_check("digest", len(shelf()))
    assert first == self_check("digest", len(shelf()))
    assert self_check("digest", 1)["digest"] != self_check("other", 1)["digest"]
    assert "npc.prolog.any.vocabulary" in import_all()
