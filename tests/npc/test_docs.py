"""What the documentation shows works, and what it states is so."""

import re
from typing import Any

import pytest

from games.jostle import JOSTLE, Piece
from games.registry import game as find_game
from games.registry import shelf
from games.tic_tac_toe.rules import TIC_TAC_TOE
from npc import Follower, PlayerError, Strategy
from npc.composed.any import ANY_GAME
from npc.composed.any import ELEMENTS as ANY_ELEMENTS
from npc.composed.jostle import ELEMENTS, JOSTLE_SCHOOL
from npc.composed.jostle.measuring.measures import JostleRecord
from npc.composed.jostle.school import DOCUMENTED
from npc.prolog import rule_base
from npc.prolog.any import ANY_VOCABULARY
from npc.prolog.jostle import JOSTLE_VOCABULARY
from npc.prolog.jostle.generate import script_of
from npc.prolog.memory import DEATHS_ALLOWED
from npc.prolog.session import LONGEST_SCRIPT
from npc.simulation import Setup, simulate
from server.base.settings import ROOT
from server.prolog import Limits, WasmtimeHost
from tests.npc.walks import piece_of, walk

TUTORIAL = (ROOT / "docs" / "prolog-npc.md").read_text()
ADDING = (ROOT / "docs" / "adding-a-player.md").read_text()
SCRIPTS = re.findall(r"```prolog\n(.*?)```", TUTORIAL, re.DOTALL)
TAUGHT = re.findall(r"```python\n(.*?)```", ADDING, re.DOTALL)


def taught(name: str) -> Any:
    """A class that the page teaches."""
    (source,) = (each for each in TAUGHT if f"class {name}(" in each)
    names: dict[str, Any] = {"__name__": "docs"}
    exec(compile(source, "docs", "exec", dont_inherit=True), names)  # noqa: S102  # our own documents
    return names[name]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: rule_base(script, JOSTLE).name)
def test_the_rule_bases_of_the_tutorial_play_without_a_fault(engine: WasmtimeHost, script: str) -> None:
    setup = Setup("jostle", (f"prolog:{script}", "composed:RANDOMIZER", "composed:ADVANCER"), 1, "tutorial")
    (game,) = simulate(setup, workers=1)
    record = game.seats[0]
    assert isinstance(record, JostleRecord)
    assert record.moves > 0
    assert record.faults == 0


def test_the_second_rule_base_of_the_tutorial_hits_if_it_can(engine: WasmtimeHost) -> None:
    position = JOSTLE.position("4,9,-1/8,-1,-1/3,-1,-1 r 4")
    assert piece_of(rule_base(SCRIPTS[1], JOSTLE).decide(position, 0, None, 0, 0)) == 0


def test_the_tutorial_states_the_limits_that_hold() -> None:
    limits = Limits()
    assert f"{limits.fuel:,} instructions" in TUTORIAL
    assert f"{limits.seconds:.0f} seconds for a question" in TUTORIAL
    assert f"{limits.memory_bytes // 2**20} MB of memory, {LONGEST_SCRIPT // 2**10} KB of script" in TUTORIAL
    assert DEATHS_ALLOWED == 3
    assert "After three questions" in TUTORIAL


def test_the_tutorials_name_every_fact_and_helper() -> None:
    for page, vocabulary in ((TUTORIAL, JOSTLE_VOCABULARY), (ADDING, ANY_VOCABULARY)):
        for head in (*vocabulary.facts, *vocabulary.meanings):
            assert f"{head.split('(')[0]}(" in page or f"`{head.split('(')[0]}" in page, head


def test_the_rule_base_for_any_game_takes_the_centre(engine: WasmtimeHost) -> None:
    (script,) = re.findall(r"```prolog\n(.*?)```", ADDING, re.DOTALL)
    follower = Follower(TIC_TAC_TOE, rule_base(script, TIC_TAC_TOE), 0)
    follower.catch_up(["a1"])
    assert (str(follower.decide().move), follower.decide().fault) == ("b2", None)
    follower.catch_up(["a1", "b2", "a2"])
    assert str(follower.decide().move) in {"a3", "c1", "c3"}


def test_the_element_that_is_taught_for_any_game_composes() -> None:
    composed = Strategy((taught("Cramping")(), ANY_ELEMENTS["GREEDY"]), ANY_GAME)
    for reference in shelf():
        game = find_game(reference)
        follower = Follower(game, composed, 0, seat=0)
        for _, position, move in walk("cramping", game):
            if 0 in position.acting:
                assert follower.decide(0).move in position.moves(0)
            follower.follow([move])
    position = TIC_TAC_TOE.position("xx./oo./...")
    decision = composed.decide(position, 0, composed.start_memory(), 0, 0)
    assert str(decision.move) == "c1", "after a win nobody has moves"
    assert "c1: leaves the next player 0 moves" in decision.explanation.words


def test_the_element_that_is_taught_for_jostle_composes_and_says_the_same_in_prolog(engine: WasmtimeHost) -> None:
    composed = Strategy((taught("Homing")(), ELEMENTS["PALS"]), JOSTLE_SCHOOL)
    generated = rule_base(script_of(composed), JOSTLE)
    position = JOSTLE.position("4,24,-1/1,-1,-1/3,-1,-1 r 4")
    decision = composed.decide(position, 0, composed.start_memory(), 0, 0)
    assert piece_of(decision) == 1
    assert "piece 2: lands on a goal" in decision.explanation.words
    decided_by = set()
    for ply, position, move in walk("homing"):
        if isinstance(move, Piece):
            decision = composed.decide(position, position.seat, composed.start_memory(), 0, ply)
            decided_by.add(decision.explanation.decided_by)
            assert generated.decide(position, position.seat, None, 0, ply).move == decision.move
    assert {"Homing", "PALS"} <= decided_by


def test_the_kind_that_is_taught_plays_any_game() -> None:
    kind = taught("OrderedKind")()
    for reference in shelf():
        game = find_game(reference)
        for text in kind.samples(game):
            player = kind.read(text.removeprefix(f"{kind.key}:"), game)
            assert player.text == text
            follower = Follower(game, player, 0, seat=0)
            for _, position, move in walk("ordered", game):
                if 0 in position.acting:
                    assert follower.decide(0).move in position.moves(0)
                follower.follow([move])
    with pytest.raises(PlayerError, match="not 'last'"):
        kind.read("last", JOSTLE)


def test_the_start_population_of_jostle_is_the_sixteen_documented_strategies() -> None:
    assert len(DOCUMENTED) == 16
    assert JOSTLE_SCHOOL.population(JOSTLE) == DOCUMENTED
