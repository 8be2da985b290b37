"""Every form of tournament keeps its promise, whatever the results are."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.tournaments.contest import Challenge
from lab.tournaments.ratings import Result, rate
from lab.tournaments.schedules import FORMS, PORTION, Plan, flat, most_challenges, next_round, rungs, swiss_points
from lab.tournaments.standings import standings

SEEDS = st.integers(0, 10**6)


@st.composite
def plans(draw: st.DrawFn, form: str | None = None) -> Plan:
    seats = draw(st.integers(2, 4))
    entrants = draw(st.integers(seats, 9))
    return Plan(form or draw(st.sampled_from(list(FORMS))), entrants, seats, draw(st.integers(1, 4)), str(draw(SEEDS)))


def by_lot(rng: random.Random, challenge: Challenge) -> Result:
    return challenge.entrants, tuple(rng.choice([0.0, 100.0, 200.0]) for _ in challenge.entrants)


def by_number(challenge: Challenge) -> Result:
    """The one with the smallest number is the strongest."""
    return challenge.entrants, tuple(float(-each) for each in challenge.entrants)


def played(plan: Plan, seed: int = 0) -> list[list[Result]]:
    rng, past = random.Random(seed), list[list[Result]]()
    while challenges := next_round(plan, past):
        past.append([by_lot(rng, each) for each in challenges])
    return past


@given(plans(), SEEDS)
@settings(max_examples=60, deadline=None)
def test_tables_are_full_worlds_are_paired_and_the_past_decides(plan: Plan, seed: int) -> None:
    past = played(plan, seed)
    assert len(past) == plan.rounds
    assert sum(map(len, past)) <= most_challenges(plan)
    worlds: dict[frozenset[int], list[int]] = {}
    for number in range(len(past)):
        challenges = next_round(plan, past[:number])
        assert challenges == next_round(plan, past[:number]), "the same past gives the same round"
        for challenge in challenges:
            assert len(set(challenge.entrants)) == plan.seats
            assert set(challenge.entrants) <= set(range(plan.entrants))
            worlds.setdefault(frozenset(challenge.entrants), []).append(challenge.world)
    assert all(met == list(range(len(met))) for met in worlds.values()), "the same dice for everybody's n-th meeting"
    table = standings(plan, past)
    assert sorted(line.entrant for line in table.lines) == list(range(plan.entrants))
    for (one, other), score in table.cross.items():
        assert table.cross[other, one] == score.reversed()


@given(plans("round-robin"))
@settings(max_examples=20, deadline=None)
def test_in_a_round_robin_everybody_meets_everybody_equally_often(plan: Plan) -> None:
    met = Counter(frozenset(who) for who, _ in flat(played(plan)))
    assert met == {frozenset(group): plan.rounds for group in combinations(range(plan.entrants), plan.seats)}


@given(st.integers(2, 12), SEEDS)
@settings(max_examples=40, deadline=None)
def test_in_a_swiss_tournament_nobody_meets_twice_and_nobody_sits_out_twice(entrants: int, seed: int) -> None:
    plan = Plan("swiss", entrants, 2, max(1, entrants // 4), str(seed))
    past = played(plan, seed)
    met = Counter(frozenset(who) for who, _ in flat(past))
    assert max(met.values()) == 1
    idle = Counter(each for results in past for each in set(range(entrants)) - {e for who, _ in results for e in who})
    assert max(idle.values(), default=0) <= 1
    assert sum(idle.values()) == (entrants % 2) * plan.rounds
    # A round deals out 3 points for a win, 2 for a draw and 3 for sitting out.
    draws = sum(len(set(got)) == 1 for _, got in flat(past))
    assert sum(swiss_points(plan, past)) == 3 * (sum(met.values()) - draws) + 2 * draws + 3 * sum(idle.values())


def test_a_swiss_tournament_brings_the_strongest_to_the_top() -> None:
    plan = Plan("swiss", 16, 2, 5, "s")
    past = list[list[Result]]()
    while challenges := next_round(plan, past):
        past.append([by_number(each) for each in challenges])
    lines = standings(plan, past).lines
    assert lines[0].entrant == 0 and lines[0].points == 15 and lines[-1].entrant == 15


@given(st.integers(2, 4), st.integers(0, 5), st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_a_ladder_sorts_itself_and_a_draw_changes_nothing(seats: int, more: int, rng: random.Random) -> None:
    entrants = seats + more
    plan = Plan("ladder", entrants, seats, 3 * entrants, "s")
    strength = rng.sample(range(entrants), entrants)
    past = list[list[Result]]()
    while challenges := next_round(plan, past):
        past.append([(each.entrants, tuple(float(strength[one]) for one in each.entrants)) for each in challenges])
    assert [strength[each] for each in rungs(plan, past)] == list(range(entrants))[::-1]
    even = [[(who, (1.0,) * seats) for who, _ in results] for results in past]
    assert rungs(plan, even) == list(range(entrants))


def spent(form: str, rounds: int, strengths: tuple[float, ...]) -> list[list[Result]]:
    """A tournament whose challenges go by strengths that are known."""
    rng, past = random.Random(5), list[list[Result]]()
    plan = Plan(form, len(strengths), 2, rounds, "s")
    while challenges := next_round(plan, past):
        results = list[Result]()
        for challenge in challenges:
            one, other = challenge.entrants
            first = rng.random() < 1 / (1 + exp(strengths[other] - strengths[one]))
            results.append((challenge.entrants, (float(first), float(not first))))
        past.append(results)
    return past


def test_challenges_go_where_ratings_are_uncertain() -> None:
    strengths = (3.0, 1.0, 0.9, -1.0, -3.0)
    evenly, wisely = spent("round-robin", 16, strengths), spent("uncertainty", 5, strengths)
    assert sum(map(len, evenly)) == sum(map(len, wisely)) == 5 * PORTION
    errors = [rate(5, flat(past)).errors for past in (evenly, wisely)]
    assert max(errors[1]) < max(errors[0]) and sum(errors[1]) < sum(errors[0]), "the same number tells more"
    met = Counter(frozenset(who) for who, _ in flat(wisely))
    assert met[frozenset((0, 4))] < min(met[frozenset((each, each + 1))] for each in range(4)), "that was clear soon"


def test_it_ends_early_when_everything_is_known_well_enough() -> None:
    plan = Plan("round-robin", 2, 2, 1000, "s", precision=60)
    past = list[list[Result]]()
    while challenges := next_round(plan, past):
        past.append([((0, 1), (float(len(past) % 2), float(1 - len(past) % 2))) for _ in challenges])
    assert 10 < len(past) < 1000
    within = rate(2, flat(past)).intervals[0]
    assert (within.high - within.low) / 2 <= 60


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_ordered_and_counted(form: str) -> None:
    plan = Plan(form, 5, 3, 2, "s")
    assert len(standings(plan, []).lines) == 5
    assert sum(map(len, played(plan))) <= most_challenges(plan)
