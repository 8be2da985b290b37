"""Phase two's operators keep their promises for every pool, every parent and every seed."""

import math
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lab.refinement.operators import (
    SIGMA_RULES,
    Member,
    child_sigma,
    elites,
    mutate,
    next_population,
    offspring,
    ranked,
    recombine,
)
from lab.refinement.pool import Elements, Pool
from lab.refinement.settings import RefinementSettings
from tests.lab.start import DOCUMENTED, POOL

SETTINGS = RefinementSettings()


@st.composite
def playable(draw: st.DrawFn, pool: Pool = POOL) -> Elements:
    basic = draw(st.sampled_from(pool.basics))
    others = draw(st.permutations([element for element in pool.elements if element != basic]))
    kept = [basic, *others[: draw(st.integers(0, pool.longest - 1))]]
    return tuple(draw(st.permutations(kept)))


seeds = st.integers(0, 2**32).map(Random)
populations = st.lists(playable(), min_size=1, max_size=12, unique=True).map(
    lambda lists: [Member(elements, 3.0) for elements in lists]
)


@st.composite
def rated(draw: st.DrawFn) -> tuple[list[Member], dict[Elements, float]]:
    population = draw(populations)
    return population, {member.elements: draw(st.sampled_from([0.1, 0.4, 0.4, 0.9])) for member in population}


@given(playable(), playable(), st.booleans(), seeds)
def test_a_child_is_playable_at_most_as_long_as_a_parent_and_made_of_its_parents(
    first: Elements, second: Elements, refill: bool, rng: Random
) -> None:
    child = recombine(first, second, POOL, rng, refill)
    assert POOL.is_playable(child)
    assert len(child) <= max(len(first), len(second))
    assert set(child) <= set(first) | set(second)
    if refill or not set(first) & set(second):
        assert len(child) in {len(first), len(second)}


@given(playable(), seeds)
def test_a_strategy_with_itself_stays_as_it_is(elements: Elements, rng: Random) -> None:
    assert recombine(elements, elements, POOL, rng) == elements


def test_recombination_reaches_both_parents_at_every_position() -> None:
    first, second = ("Observing", "Aggressive", "PALS"), ("Revenging", "Lingering", "ADVANCER")
    children = {recombine(first, second, POOL, Random(seed)) for seed in range(300)}
    assert children == {
        (a, b, c) for a in ("Observing", "Revenging") for b in ("Aggressive", "Lingering") for c in ("PALS", "ADVANCER")
    }


@given(playable(), st.floats(0, 50), seeds)
def test_mutation_only_adds_and_never_reaches_the_whole_pool(elements: Elements, sigma: float, rng: Random) -> None:
    changed = mutate(elements, sigma, POOL, rng)
    assert POOL.is_playable(changed)
    assert tuple(element for element in changed if element in elements) == elements


def test_about_half_of_the_children_mutate_and_additions_can_stand_anywhere() -> None:
    changed = [mutate(("PALS",), 3.0, POOL, Random(seed)) for seed in range(2000)]
    unchanged = sum(one == ("PALS",) for one in changed)
    assert 0.45 < unchanged / 2000 < 0.55  # ⌈N⌉ > 0 exactly if N > 0
    assert {one.index("PALS") for one in changed if len(one) == 3} == {0, 1, 2}


@given(st.floats(0, 100), st.floats(0, 100), seeds)
def test_sigma_rules_stay_in_their_ranges(first: float, second: float, rng: Random) -> None:
    mean = (first + second) / 2
    sigma = {rule: child_sigma(first, second, rng, RefinementSettings(sigma_rule=rule)) for rule in SIGMA_RULES}
    assert mean <= sigma["additive"] <= mean + 1
    assert 0 <= sigma["printed"] <= mean
    assert sigma["lognormal"] > 0


@given(rated(), seeds)
def test_offspring_are_seven_per_parent_and_promise_the_mean_of_their_parents(
    population: tuple[list[Member], dict[Elements, float]], rng: Random
) -> None:
    members, fitness = population
    children = offspring(members, fitness, POOL, rng, SETTINGS)
    assert len(children) == 7 * len(members)
    for child in children:
        first, second = child.member.parents
        assert POOL.is_playable(child.member.elements)
        assert child.promise == pytest.approx((fitness[first] + fitness[second]) / 2)


def test_parents_are_drawn_uniformly() -> None:
    members = [Member(elements, 3.0) for elements in DOCUMENTED]
    fitness = {elements: i / 16 for i, elements in enumerate(DOCUMENTED)}
    draws = [
        parent
        for seed in range(60)
        for child in offspring(members, fitness, POOL, Random(seed), SETTINGS)
        for parent in child.member.parents
    ]
    expected = len(draws) / 16
    chi_square = sum((draws.count(elements) - expected) ** 2 / expected for elements in DOCUMENTED)
    assert chi_square < 37.7  # 99.9 % of chi-square with 15 degrees of freedom


@given(rated(), seeds)
def test_elites_are_the_best_seventh(population: tuple[list[Member], dict[Elements, float]], rng: Random) -> None:
    members, fitness = population
    best = elites(members, fitness, rng, SETTINGS)
    assert len(best) == math.ceil(len(members) / 7)
    worst_elite = min(fitness[member.elements] for member in best)
    assert all(fitness[member.elements] <= worst_elite for member in members if member not in best)


def test_ties_are_broken_at_random() -> None:
    members = [Member(elements, 3.0) for elements in DOCUMENTED]
    fitness = dict.fromkeys(DOCUMENTED, 0.5)
    assert {ranked(members, fitness, Random(seed))[0].elements for seed in range(300)} == set(DOCUMENTED)


@given(rated(), st.integers(1, 24), seeds)
def test_the_next_population_is_full_without_duplicates_and_keeps_its_elites(
    population: tuple[list[Member], dict[Elements, float]], size: int, rng: Random
) -> None:
    members, fitness = population
    size = max(size, math.ceil(len(members) / 7))
    assume(any(len(member.elements) <= 3 for member in members))  # longer lists alone may not have enough descendants
    following = next_population(members, fitness, size, 5, POOL, rng, SETTINGS)
    lists = [member.elements for member in following]
    assert len(lists) == len(set(lists)) == size
    assert all(map(POOL.is_playable, lists))
    kept = [member for member in following if member.origin == "elite"]
    assert len(kept) == math.ceil(len(members) / 7)
    best = max(fitness.values())
    assert fitness[kept[0].elements] == best
    known = {member.elements for member in members}
    for member in following:
        assert member.origin == "elite" or (member.born == 5 and set(member.parents) <= known)


def test_a_pool_without_enough_lists_gives_all_it_has() -> None:
    pool = Pool.of("A", "b")
    following = next_population([Member(("A",), 3.0)], {("A",): 0.5}, 9, 1, pool, Random(1), SETTINGS)
    assert {member.elements for member in following} == {("A",)} == set(pool.lists(1))
    assert pool.count() == 1


def test_counts_of_playable_lists() -> None:
    assert POOL.count() == sum(sum(1 for _ in POOL.lists(length)) for length in range(1, 8))


@pytest.mark.parametrize(
    "elements",
    [(), ("Observing",), ("PALS", "PALS"), ("PALS", "CHESS"), POOL.elements],
    ids=["empty", "no basic", "twice", "unknown", "whole pool"],
)
def test_lists_that_cannot_play_are_refused(elements: Elements) -> None:
    assert not POOL.is_playable(elements)
    with pytest.raises(ValueError, match="at least one of them basic"):
        POOL.checked(elements)
