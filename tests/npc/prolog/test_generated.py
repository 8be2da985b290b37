"""Every composed strategy as a Prolog rule base makes the same choices: 10,000 random reachable positions."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

import pytest

import npc
from games.jostle import AGAIN, JOSTLE, KEEP, LAYOUTS, JostleGame, JostlePosition, Piece
from games.protocol import CHANCE
from npc import Strategy
from npc.composed.jostle import ELEMENTS
from npc.composed.jostle.situation import draw_lots
from npc.follower import mover
from npc.player import Memory
from npc.prolog import Session, rule_base
from npc.prolog.helpers import module
from npc.prolog.history import History
from npc.prolog.jostle import JOSTLE_VOCABULARY
from npc.prolog.jostle.generate import script_of
from server.prolog import WasmtimeHost
from tests.npc.walks import piece_of, walk

POSITIONS = 10_000
NAMES = (
    *(name for name in ELEMENTS if ELEMENTS[name].is_basic),
    *(
        f"{symbiont} {host}"
        for symbiont in ELEMENTS
        if not ELEMENTS[symbiont].is_basic
        for host in ELEMENTS
        if ELEMENTS[host].is_basic
    ),
    "Aggressive Observing PALS",
    "Lingering Observing PALS EQUALIZER",
    "Revenging Aggressive Observing ADVANCER",
    "PALS Observing Aggressive",
    "Lingering Revenging Observing Aggressive EQUALIZER RANDOMIZER PALS",
)


class Moment(NamedTuple):
    """A seat moves in a random game. `news` is what was played since the last moment of the same game."""

    ply: int
    position: JostlePosition
    memory: Memory
    news: list[History]
    first: bool


def question(position: JostlePosition, news: list[History], seed: str, ply: int) -> str:
    return JOSTLE_VOCABULARY.question(JOSTLE, position, position.seat, news, seed, ply)


def moments(strategy: Strategy, seed: object) -> Iterator[Moment]:
    """Moments of one random game after the other, without end; one session can follow them all."""
    for number in count():
        memory, history, first = strategy.start_memory(), None, True
        news: list[History] = []
        for ply, position, move in walk(f"{seed} {number}"):
            if position.to_act != CHANCE and isinstance(move, Piece):
                yield Moment(ply, position, memory, news, first)
                news, first = [], False
            memory = strategy.remember(memory, position, move)
            history = History(history, position, move, mover(position, move))
            news.append(history)


@pytest.mark.parametrize("name", NAMES)
def test_the_generated_script_chooses_the_same_piece(engine: WasmtimeHost, name: str) -> None:
    strategy = npc.strategy(name, JOSTLE)
    session = Session(engine, script_of(strategy), JOSTLE, JOSTLE_VOCABULARY)
    wanted = -(-POSITIONS // len(NAMES))
    for ply, position, memory, news, first in islice(moments(strategy, name), wanted):
        if first:
            session.ask("", "forget.")
        answer = session.ask("", question(position, news, name, ply))
        expected = piece_of(strategy.decide(position, position.seat, memory, name, ply))
        assert expected is not None
        choice = f"choice([{position.pieces[expected]},{expected},{position.seat}])"
        assert answer == choice, (position.text(), memory)
    session.close()


@pytest.mark.parametrize("name", ["ADVANCER", "Lingering Revenging EQUALIZER", "Observing PALS"])
def test_the_generated_script_rolls_again_when_the_strategy_does(engine: WasmtimeHost, name: str) -> None:
    strategy = npc.strategy(name, JOSTLE)
    player = rule_base(script_of(strategy), JOSTLE)
    memory, history = strategy.start_memory(), player.start_memory()
    asked = 0
    for ply, position, move in walk(name):
        if position.to_act != CHANCE:
            ours = strategy.decide(position, position.seat, memory, 1, ply)
            theirs = player.decide(position, position.seat, history, 1, ply)
            assert (theirs.move, theirs.fault) == (ours.move, None)
            asked += ours.move in (AGAIN, KEEP)
        memory, history = strategy.remember(memory, position, move), player.remember(history, position, move)
    assert asked


@pytest.mark.parametrize("game", [JostleGame(layout) for layout in LAYOUTS.values()], ids=lambda g: g.reference)
def test_other_boards_are_read_from_their_facts(engine: WasmtimeHost, game: JostleGame) -> None:
    strategy = npc.strategy("Lingering Revenging Observing PALS", game)
    player = rule_base(script_of(strategy), game)
    memory, history = strategy.start_memory(), player.start_memory()
    for ply, position, move in islice(walk(game.reference, game), 150):
        if position.to_act != CHANCE:
            ours = strategy.decide(position, position.seat, memory, 1, ply)
            theirs = player.decide(position, position.seat, history, 1, ply)
            assert (theirs.move, theirs.fault) == (ours.move, None)
        memory, history = strategy.remember(memory, position, move), player.remember(history, position, move)


def test_a_generated_script_explains_itself_and_is_named_after_its_strategy() -> None:
    script = JOSTLE_VOCABULARY.script_of(npc.strategy("Lingering Aggressive PALS", JOSTLE))
    assert rule_base(script, JOSTLE).name == "Lingering Aggressive PALS"
    assert "opponentOnGoal(Owner), !" in script
    assert re.search(r"keepBest\(aggressive, .*\n.*keepBest\(pals,", script)


@pytest.mark.skipif(shutil.which("swipl") is None, reason="SWI-Prolog is not installed")
@pytest.mark.parametrize("name", NAMES)
def test_an_independent_engine_agrees(tmp_path: Path, name: str) -> None:
    strategy = npc.strategy(name, JOSTLE)
    (tmp_path / "prelude.pl").write_text(JOSTLE_VOCABULARY.prelude)
    seedless = "seed_random(_).\n"
    (tmp_path / "driver.pl").write_text(module("grintu_driver", ["ask/2"], seedless + JOSTLE_VOCABULARY.answering))
    (tmp_path / "script.pl").write_text(
        JOSTLE_VOCABULARY.declarations + ":- use_module(prelude).\n" + script_of(strategy)
    )
    (tmp_path / "main.pl").write_text(
        ":- use_module(driver).\n:- [script].\n"
        "main :- read(Q), ( Q == end_of_file -> true ; grintu_driver:ask(Q, A), print(A), nl, main ).\n"
    )
    questions, expected = [JOSTLE_VOCABULARY.opening(JOSTLE)], ["ready"]
    for ply, position, memory, news, first in islice(moments(strategy, f"swi {name}"), 200):
        if first:
            questions.append("forget.")
            expected.append("ready")
        questions.append(question(position, news, name, ply))
        piece = piece_of(strategy.decide(position, position.seat, memory, name, ply))
        assert piece is not None
        expected.append(f"choice([{position.pieces[piece]},{piece},{position.seat}])")
    command = ["swipl", "-q", "-g", "main", "-t", "halt", str(tmp_path / "main.pl")]
    done = subprocess.run(command, input="\n".join(questions), capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.split("\n")[:-1] == expected, done.stderr


def test_lots_are_a_fair_order() -> None:
    """RANDOMIZER's script follows the lots, so its distribution is theirs."""
    counts: dict[tuple[int, ...], int] = {}
    for ply in range(6000):
        lots = draw_lots("lots", ply)
        counts[lots] = counts.get(lots, 0) + 1
    assert len(counts) == 6
    assert all(abs(number - 1000) < 4 * (6000 / 6 * 5 / 6) ** 0.5 for number in counts.values()), counts
