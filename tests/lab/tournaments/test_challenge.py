"""A challenge is repeatable, fair to both seats, and lost by whoever thinks too long."""

from __future__ import annotations

from itertools import count

import pytest

from games.registry import open_source
from lab.tournaments import challenge as module
from lab.tournaments.challenge import Pairing, challenge

BFS, LOOKING = "seeker:bfs", "seeker:heuristic"
GARDEN = open_source("tourality", "size 9 9\nobstacles 10\nleaves 11\nsweeps 2\n")


def test_the_same_seed_and_number_give_the_same_challenge() -> None:
    played = [challenge(Pairing(BFS, LOOKING, "seed", number), GARDEN).leaves for number in (0, 1, 2, 0, 1, 2)]
    assert played[:3] == played[3:]
    assert len(set(played)) > 1, "worlds differ"


def test_equal_players_that_draw_no_lots_share_everything() -> None:
    """Each has either side of the same world once."""
    for number in range(6):
        first, second = challenge(Pairing(LOOKING, LOOKING, "seed", number), GARDEN).leaves
        assert first == second


def test_the_pair_turned_round_has_the_results_turned_round() -> None:
    worlds = range(6)
    one = [challenge(Pairing(BFS, LOOKING, "seed", number), GARDEN).leaves for number in worlds]
    other = [challenge(Pairing(LOOKING, BFS, "seed", number), GARDEN).leaves for number in worlds]
    assert one == [(first, second) for second, first in other]


@pytest.mark.parametrize("tick", [11.0, 3.0])
def test_who_thinks_too_long_forfeits_the_sweep(monkeypatch: pytest.MonkeyPatch, tick: float) -> None:
    """More than 10 s for an action, or more than 20 s in a sweep; the first to act is over it first, in each sweep."""
    ticks = count(0.0, tick)
    monkeypatch.setattr(module, "thread_time", lambda: next(ticks))
    outcome = challenge(Pairing(BFS, BFS, "seed", 1), GARDEN)
    assert outcome.forfeits == (1, 1)
    assert outcome.leaves == (11, 11)
    assert max(outcome.action_seconds) == tick


def test_a_world_without_a_leaf_within_reach_is_a_draw() -> None:
    closed = open_source("tourality", "world\na#o\n.##\n..b\nsweeps 2\n")
    assert challenge(Pairing(BFS, BFS, "seed", 0), closed).leaves == (0, 0)
