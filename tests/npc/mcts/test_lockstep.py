"""Searches in lock-step are those that each would be alone: lane by lane, whatever the others do."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.protocol import Position
from games.registry import game as find_game
from kernels.chance import seeded
from npc.mcts import Generator, Parameters, lockstep, search, searches
from npc.mcts.lockstep import Asked, lockstep_records
from npc.mcts.quick import quick_records
from npc.mcts.search import plain_records
from tests.npc.mcts.test_kernel import IN_TURNS, PERSONALITIES, plain, reached

ALONE_TOO = ("gdl:dice-race", "gdl:ten", "gdl:one-card", "jostle:standard", "tic-tac-toe:standard")
PERSONALITY = Parameters(simulations=40, rave=50, grave=5, charge_depth=60, horizon=6, epsilon=0.5)


def alone(position: Position, parameters: Parameters, seed: str) -> list[tuple[int, float]]:
    return plain(quick_records(position, position.to_act, parameters, Generator(seeded(seed))))


def asked(position: Position, parameters: Parameters, seed: str) -> Asked:
    turns = position.turns()
    assert turns is not None
    return Asked(turns, position.to_act, parameters, seed)


@pytest.mark.parametrize("reference", IN_TURNS)
@given(st.lists(st.tuples(PERSONALITIES, st.integers(0, 30), st.integers(0, 1000)), min_size=1, max_size=12))
@settings(max_examples=6, deadline=None)
def test_every_lane_searches_as_it_would_alone(reference: str, rows: list[tuple[Parameters, int, int]]) -> None:
    """Other positions, personalities and numbers of simulations in each lane."""
    together = [(reached(reference, plies, seed), parameters, f"{seed}") for parameters, plies, seed in rows]
    found = lockstep_records([asked(*each) for each in together])
    assert [plain(records) for records in found] == [alone(*each) for each in together]


def test_lanes_take_the_next_search_when_they_have_done_one() -> None:
    """More searches than lanes, of which some take much longer."""
    rng = random.Random(1)
    together = [
        (
            reached("gdl:tic-tac-toe", number % 5, number),
            Parameters(simulations=rng.choice([1, 7, 90]), rave=number % 3 * 20, epsilon=number % 2 / 2),
            f"{number}",
        )
        for number in range(300)
    ]
    found = lockstep_records([asked(*each) for each in together])
    assert [plain(records) for records in found] == [alone(*each) for each in together]


def test_lock_step_is_plain_python() -> None:
    position = reached("gdl:three-rows", 2, 3)
    (found,) = lockstep_records([asked(position, PERSONALITY, "seed")])
    assert plain(found) == plain(plain_records(position, position.to_act, PERSONALITY, Generator(seeded("seed"))))


def test_searches_of_any_games_come_back_in_their_order() -> None:
    """Described games in lock-step, the others alone, in one call; each for the seat that acts."""
    positions = [find_game(reference).start() for reference in (*ALONE_TOO, *IN_TURNS[:2]) * 2]
    positions = [position if position.acting else position.play(position.drawn(0)) for position in positions]
    views = [position.view(position.to_act) for position in positions]
    parameters = [Parameters(simulations=4 + number, charge_depth=5) for number in range(len(views))]
    seeds = [f"seed:{number}" for number in range(len(views))]
    expected = [
        search(view, position.to_act, personality, Generator(seeded(seed)))
        for view, position, personality, seed in zip(views, positions, parameters, seeds, strict=True)
    ]
    seats = [position.to_act for position in positions]
    assert searches(views, parameters, seeds, seats) == expected


def test_a_search_that_finds_no_room_in_its_lane_is_done_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    position = reached("gdl:tic-tac-toe", 1, 1)
    parameters = Parameters(simulations=200, horizon=9)
    expected = search(position, position.to_act, parameters, Generator(seeded("room")))
    monkeypatch.setattr(lockstep, "USUAL_MOVES", 1)
    assert lockstep_records([asked(position, parameters, "room")]) == [None]
    assert searches([position], [parameters], ["room"]) == [expected]


def test_fewer_lanes_find_the_same_where_memory_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    together = [(reached("gdl:connect-four", number, number), PERSONALITY, f"{number}") for number in range(9)]
    monkeypatch.setattr(lockstep, "MOST_BYTES", 100_000)
    found = lockstep_records([asked(*each) for each in together])
    assert [plain(records) for records in found] == [alone(*each) for each in together]


def test_nothing_asked_is_nothing_found_and_what_does_not_match_is_refused() -> None:
    assert searches([], [], []) == []
    with pytest.raises(ValueError, match=r"there are 1, 2 and 0"):
        searches([reached("gdl:tic-tac-toe", 0, 0)], [Parameters()] * 2, [])
