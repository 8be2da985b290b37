"""Descriptions with weights read in GDL-II: the same states follow with the same chances."""

import random
from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path

import pytest
from typer.testing import CliRunner

from games.gdl.findings import Level
from games.gdl.game import KIND, GdlGame, opened
from games.gdl.later_style import rewritten
from games.gdl.reasoner import State
from games.gdl.terms import Term, text
from games.protocol import GameError
from server.cli.gdl import gdl_app as app
from tests.games.gdl.descriptions import DICE
from tests.games.gdl.sheets import COUNTING, NO_EVENT_LEFT, TWO_RULES

BOTH_ROLL = """
(role red) (role blue)
(init (at red 0)) (init (at blue 0)) (init bent)
(random die 1 one) (random die 2 two) (<= (random die 1 six) (true bent))
(<= (legal ?p (roll die)) (role ?p) (or (true (at ?p 0)) (not (true bent))))
(<= (legal ?p rest) (role ?p))
(<= (next (at ?p ?n)) (does ?p (roll ?n)))
(<= (next (at ?p ?n)) (does ?p rest) (true (at ?p ?n)))
(<= (next rested) (does ?p ?m) (distinct ?m (roll six)))
(<= terminal (not (true bent)))
(goal red 100) (goal blue 50)
"""
"""Both may draw at once, each for itself."""


def later(game: GdlGame) -> GdlGame:
    return opened(rewritten(game.sheet.rules, game.table.reasoner.roles).text())


def following(game: GdlGame, state: State, chosen: tuple[Term, ...]) -> dict[State, Fraction]:
    """What can follow when every seat makes its move, with its chance."""
    table = game.table
    turn = table.turn(state)
    ways = [turn.weights[draw.name] for draw in table.draws(chosen)]
    ways += [tuple([(move, 1) for move in turn.chance])] if turn.chance else []
    found: dict[State, Fraction] = defaultdict(Fraction)
    for row in product(*ways):
        drawn = [event for event, _ in row]
        chance = drawn.pop() if turn.chance else None
        after = table.reasoner.after(state, table.joint(turn, chosen, drawn, chance))
        found[after] += Fraction(prod([weight for _, weight in row]))
    return {after: weight / sum(found.values()) for after, weight in found.items()}


CASES = {
    "two rules": TWO_RULES,
    "dice": DICE,
    "both roll": BOTH_ROLL,
    "ten": KIND.library["ten"],
    "dice-race": KIND.library["dice-race"],
    "no event left": NO_EVENT_LEFT,
}


@pytest.mark.parametrize("source", CASES.values(), ids=CASES)
def test_the_same_states_follow_with_the_same_chances(source: str) -> None:
    ours = opened(source)
    theirs = later(ours)
    assert [finding for finding in theirs.sheet.findings if finding.level is Level.ERROR] == []
    assert theirs.seats == ours.seats
    state, rng = ours.table.reasoner.initial(), random.Random(7)
    assert theirs.table.reasoner.initial() == state
    for _ in range(5):
        turn, other = ours.table.turn(state), theirs.table.turn(state)
        assert (other.over, other.legal) == (turn.over, turn.legal)
        if turn.over:
            break
        chosen = tuple([rng.choice(moves) for moves in turn.legal])
        assert following(theirs, state, chosen) == following(ours, state, chosen)
        state = rng.choice(sorted(following(ours, state, chosen), key=sorted_texts))
    assert theirs.points(state) == ours.points(state)


def sorted_texts(state: State) -> list[str]:
    return sorted(map(text, state))


def test_what_has_no_weights_or_too_large_ones_is_told() -> None:
    rules = opened(COUNTING).sheet.rules
    with pytest.raises(GameError, match="no weights"):
        rewritten(rules, ("white", "black"))
    heavy = opened(TWO_RULES.replace("(random small 10 yes)", "(random small 999999 yes)"))
    with pytest.raises(GameError, match="weights up to 999999"):
        rewritten(heavy.sheet.rules, ("one",))


def test_explain_tells_how_a_description_with_weights_reads_in_gdl_ii(tmp_path: Path) -> None:
    file, out = tmp_path / "dice.kif", tmp_path / "later.kif"
    file.write_text(DICE, encoding="utf-8")
    result = CliRunner().invoke(app, ["explain", str(file), "--games", "0", "--gdl-ii", str(out)])
    assert result.exit_code == 0
    for words in (
        "chance: weights of coin",
        "    (role random)",
        "    (<= (legal random (draw ?lot0)) (drawn coin ?lot0))",
    ):
        assert words in result.stdout
    assert "(copy 3 3)" not in result.stdout  # the whole is in the file
    assert opened(out.read_text(encoding="utf-8")).table.chance_moves
    counting = tmp_path / "counting.kif"
    counting.write_text(COUNTING, encoding="utf-8")
    assert "chance: none" in CliRunner().invoke(app, ["explain", str(counting), "--games", "0"]).stdout
