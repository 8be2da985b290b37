"""What the documentation shows works, and what it states is so."""

import re
from typing import Any

import pytest

from games.jostle import JOSTLE, Piece
from npc import ELEMENTS, Strategy
from npc.prolog import RuleBase, rule_base
from npc.prolog.memory import DEATHS_ALLOWED
from npc.prolog.prelude import EXPORTED
from npc.prolog.session import LONGEST_SCRIPT
from npc.simulation import Setup, simulate
from server.prolog import Limits, WasmtimeHost
from server.settings import ROOT
from tests.npc.walks import walk

TUTORIAL = (ROOT / "docs" / "prolog-npc.md").read_text()
ADDING = (ROOT / "docs" / "adding-a-strategy.md").read_text()
SCRIPTS = re.findall(r"```prolog\n(.*?)```", TUTORIAL, re.DOTALL)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: RuleBase(script).name)
def test_the_rule_bases_of_the_tutorial_play_without_a_fault(engine: WasmtimeHost, script: str) -> None:
    (game,) = simulate(Setup((script, "RANDOMIZER", "ADVANCER"), 1, "tutorial"), workers=1)
    assert game.seats[0].moves > 0
    assert game.seats[0].faults == 0


def test_the_second_rule_base_of_the_tutorial_hits_if_it_can(engine: WasmtimeHost) -> None:
    position = JOSTLE.position("4,9,-1/8,-1,-1/3,-1,-1 r 4")
    assert RuleBase(SCRIPTS[1]).decide(position, None, 0, 0).piece == 0


def test_the_tutorial_states_the_limits_that_hold() -> None:
    limits = Limits()
    assert f"{limits.fuel:,} instructions" in TUTORIAL
    assert f"{limits.seconds:.0f} seconds for a question" in TUTORIAL
    assert f"{limits.memory_bytes // 2**20} MB of memory, {LONGEST_SCRIPT // 2**10} KB of script" in TUTORIAL
    assert DEATHS_ALLOWED == 3
    assert "After three questions" in TUTORIAL


def test_the_tutorial_names_every_helper() -> None:
    asked = {"prepareBoard/0"}
    assert all(name.split("/")[0] in TUTORIAL for name in set(EXPORTED) - asked)


def test_the_element_that_is_taught_composes_and_says_the_same_in_prolog(engine: WasmtimeHost) -> None:
    (source,) = re.findall(r"```python\n(.*?)```", ADDING, re.DOTALL)
    names: dict[str, Any] = {"__name__": "docs"}
    exec(compile(source, "docs", "exec"), names)  # noqa: S102  # our own documents
    composed = Strategy((names["Homing"](), ELEMENTS["PALS"]))
    generated = RuleBase(rule_base(composed))
    position = JOSTLE.position("4,24,-1/1,-1,-1/3,-1,-1 r 4")
    decision = composed.decide(position, composed.start_memory(), 0, 0)
    assert decision.piece == 1
    assert "1: lands on a goal" in decision.explanation.words
    decided_by = set()
    for ply, position, move in walk("homing"):
        if isinstance(move, Piece):
            decision = composed.decide(position, composed.start_memory(), 0, ply)
            decided_by.add(decision.explanation.decided_by)
            assert generated.decide(position, None, 0, ply).piece == decision.piece
    assert {"Homing", "PALS"} <= decided_by
