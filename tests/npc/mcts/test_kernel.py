"""The search in a kernel is the one of plain Python: visits, sums and random numbers, whatever the personality."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.gdl import answers
from games.gdl.checks import checked
from games.gdl.game import KIND, GdlGame
from games.gdl.grounding import Budget
from games.protocol import OVER, Game, Position
from games.registry import game as find_game
from games.registry import shelf
from kernels.chance import seeded
from npc.mcts import quick
from npc.mcts.chance import Generator
from npc.mcts.parameters import RANGES, Parameters
from npc.mcts.quick import quick_records
from npc.mcts.search import plain_records, search
from npc.mcts.tree import Record
from npc.players import read_player

IN_TURNS = ("gdl:tic-tac-toe", "gdl:connect-four", "gdl:breakthrough", "gdl:breakthrough-small", "gdl:three-rows")
LARGE = ("gdl:nine-boards", "gdl:checkers", "gdl:skirmish")
"""In turns as well, but slow in plain Python."""
NOT_IN_KERNELS = (
    *("gdl:dice-race", "gdl:ten", "gdl:bids", "gdl:one-card", "gdl:jostle"),
    *("jostle:standard", "tic-tac-toe:standard"),
)

LIMITED = {"simulations": (1, 25), "charge_depth": (0, 40)}
"""What would take long in plain Python."""


def numbers(name: str) -> st.SearchStrategy[Any]:
    limits = RANGES[name]
    least, most = LIMITED.get(name, (limits.least, limits.most))
    if limits.whole:
        return st.integers(int(least), int(most))
    one = st.floats(least, most)
    return st.tuples(one, one) if limits.pair else one


PERSONALITIES = st.builds(Parameters, **{name: numbers(name) for name in RANGES})


def reached(reference: str, plies: int, seed: int) -> Position:
    """A position some random moves into a game, in which somebody can still choose."""
    return reached_in(find_game(reference), plies, seed)


def reached_in(rules: Game, plies: int, seed: int) -> Position:
    rng = random.Random(seed)
    position = before = rules.start()
    for _ in range(plies):
        if position.to_act == OVER:
            break
        before, position = position, position.play(rng.choice(position.moves()))
    found: Position = before if position.to_act == OVER else position
    return found.quickened()


def plain(records: list[Record | None] | list[Record] | None) -> list[tuple[int, float]]:
    assert records is not None
    return [(0, 0.0) if record is None else (record.visits, record.total) for record in records]


@pytest.mark.parametrize("reference", IN_TURNS)
@given(PERSONALITIES, st.integers(0, 30), st.integers(0, 1000))
@settings(max_examples=6, deadline=None)
def test_the_kernel_searches_like_plain_python(reference: str, parameters: Parameters, plies: int, seed: int) -> None:
    position = reached(reference, plies, seed)
    one, other = Generator(seeded(f"{seed}")), Generator(seeded(f"{seed}"))
    fast = quick_records(position, position.to_act, parameters, one)
    assert plain(fast) == plain(plain_records(position, position.to_act, parameters, other))
    assert one.state == other.state


@pytest.mark.long
@pytest.mark.parametrize("reference", LARGE)
def test_the_kernel_searches_large_games_like_plain_python(reference: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "BUDGET", Budget())  # a busy machine may take longer than a player waits for
    source = KIND.library[reference.removeprefix("gdl:")]
    rules = GdlGame(source, checked(source))
    for plies, parameters in (
        (0, Parameters(simulations=30, charge_depth=8)),
        (9, Parameters(simulations=12, rave=100, grave=2, charge_depth=12, horizon=3, epsilon=0.5)),
        (40, Parameters(simulations=12, charge_depth=30, aggressiveness=(1.3, 0.7), defensiveness=(0.5, 2))),
    ):
        position = reached_in(rules, plies, plies)
        one, other = Generator(seeded(f"{plies}")), Generator(seeded(f"{plies}"))
        fast = quick_records(position, position.to_act, parameters, one)
        assert plain(fast) == plain(plain_records(position, position.to_act, parameters, other))
        assert one.state == other.state


def test_every_described_game_is_held_to_plain_python_or_left_to_it() -> None:
    described = {reference for reference in shelf() if reference.startswith("gdl:")}
    assert described <= {*IN_TURNS, *LARGE, *NOT_IN_KERNELS}


def test_a_long_search_comes_to_places_that_are_over_and_to_equal_moves() -> None:
    position = reached("gdl:tic-tac-toe", 4, 5)
    parameters = Parameters(simulations=600, rave=50, grave=20, epsilon=0.5)
    one, other = Generator(seeded("long")), Generator(seeded("long"))
    fast = quick_records(position, position.to_act, parameters, one)
    assert plain(fast) == plain(plain_records(position, position.to_act, parameters, other))
    assert one.state == other.state


@pytest.mark.parametrize("reference", NOT_IN_KERNELS)
def test_chance_secrets_and_choices_at_once_are_left_to_plain_python(reference: str) -> None:
    game = find_game(reference)
    position = game.start()
    while not position.acting:
        position = position.play(position.drawn(0))
    view = position.view(position.to_act).quickened()
    chance = Generator(seeded("left"))
    before = chance.state
    assert quick_records(view, position.to_act, Parameters(simulations=3), chance) is None
    assert chance.state == before


@pytest.mark.parametrize("limit", ["MOST_EDGES", "MOST_LATER"])
def test_a_search_that_is_too_large_for_the_kernel_is_done_by_plain_python(
    limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = reached("gdl:tic-tac-toe", 2, 1)
    parameters = Parameters(simulations=40, rave=10)
    expected = search(position, position.to_act, parameters, Generator(seeded("large")))
    monkeypatch.setattr(quick, limit, 20)
    chance = Generator(seeded("large"))
    before = chance.state
    assert quick_records(position, position.to_act, parameters, chance) is None
    assert chance.state == before
    assert search(position, position.to_act, parameters, chance) == expected


def test_a_player_of_a_described_game_finds_the_win() -> None:
    game = find_game("gdl:connect-four")
    position = game.start()
    for column in "12121":
        position = position.play(next(move for move in position.moves() if f" {column})" in str(move)))
    decision = read_player("mcts:simulations=2000", game).decide(position, position.to_act, None, "win", 5)
    assert str(decision.move) == next(str(move) for move in position.moves() if " 1)" in str(move))
