"""Positions say the same, whether the reasoner answers for them or the network that searches prepare."""

import random
from pathlib import Path

import pytest

from games.gdl import answers, compiled
from games.gdl.checks import checked
from games.gdl.game import KIND, GdlGame
from games.gdl.grounding import Budget
from games.gdl.terms import Term
from games.protocol import OVER

LONGEST = 30


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    compiled._known.clear()


def fresh(name: str) -> GdlGame:
    """A game that shares nothing with others of the same source."""
    return GdlGame(KIND.library[name], checked(KIND.library[name]))


@pytest.mark.parametrize("name", KIND.library)
def test_positions_are_the_same_by_reasoner_and_by_network(name: str) -> None:
    slow, fast = fresh(name).start(), fresh(name).start().quickened()
    assert fast.game.table.answers.network is not None
    rng = random.Random(name)
    for _ in range(LONGEST):
        assert (fast.text(), fast.to_act, fast.acting) == (slow.text(), slow.to_act, slow.acting)
        assert [fast.moves(seat) for seat in fast.acting] == [slow.moves(seat) for seat in slow.acting]
        assert (fast.scores(), fast.winners(), fast.goals()) == (slow.scores(), slow.winners(), slow.goals())
        assert fast.outcomes() == slow.outcomes()
        if slow.to_act == OVER:
            break
        move = rng.choice(slow.moves() or [move for move, _ in slow.outcomes()])
        slow, fast = slow.play(move), fast.play(move)


def test_states_that_no_game_leads_to_are_left_to_the_reasoner() -> None:
    strange: frozenset[Term] = frozenset({("cell", "1", "1", "noop"), ("control", "xplayer")})
    slow, fast = fresh("tic-tac-toe").table, fresh("tic-tac-toe").start().quickened().game.table
    network = fast.answers.network
    assert network is not None
    assert not network.knows(strange)
    assert fast.turn(strange) == slow.turn(strange)
    assert fast.answers.goals(strange) == slow.answers.goals(strange)


def test_a_description_that_is_too_large_is_left_to_the_reasoner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "BUDGET", Budget(facts=5))
    position = fresh("tic-tac-toe").start().quickened()
    assert position.game.table.answers.network is None
    assert len(position.play(position.moves()[0]).moves()) == 8
