"""Lists that play alike are one strategy, whatever they are called."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from games.registry import game
from lab.probands.factor import PlayedFactor
from lab.refinement.behaviour import Behaviour, behaviour_of
from lab.refinement.evidence import Evidence, Ratings, shared
from lab.refinement.operators import Member, next_population
from lab.refinement.pool import Elements, pool_of
from lab.refinement.round import start, step
from lab.refinement.settings import RECOMMENDED
from lab.refinement.stripping import strip

JOSTLE = game("jostle")
POOL = pool_of(JOSTLE)


@pytest.fixture(scope="module")
def behaviour() -> Behaviour:
    return behaviour_of("jostle")


def test_an_element_after_one_that_leaves_nothing_tied_is_idle(behaviour: Behaviour) -> None:
    assert behaviour.idle(("PALS", "EQUALIZER", "RANDOMIZER")) == ("RANDOMIZER",)
    assert behaviour.alike(("PALS", "EQUALIZER", "RANDOMIZER")) == ("PALS", "EQUALIZER")
    assert not behaviour.play_alike(("PALS",), ("ADVANCER",))


def test_what_stands_for_a_list_plays_like_it_and_has_nothing_idle(behaviour: Behaviour) -> None:
    lists = list(POOL.lists(3))
    Random(3).shuffle(lists)
    for elements in lists[:25]:
        standing = behaviour.alike(elements)
        assert POOL.is_playable(standing)
        assert behaviour.decisions(standing) == behaviour.decisions(elements)
        assert behaviour.idle(standing) == ()
        assert behaviour.alike(standing) == standing
        assert behaviour.disagreement(standing, elements) == 0


def test_the_reference_set_is_the_same_for_ever() -> None:
    assert Behaviour(JOSTLE, 2).decisions(("PALS",)) == Behaviour(JOSTLE, 2).decisions(("PALS",))


def test_evidence_about_lists_that_play_alike_is_put_together(behaviour: Behaviour) -> None:
    one, other = ("PALS", "EQUALIZER"), ("PALS", "EQUALIZER", "RANDOMIZER")
    ratings = Ratings({one: Evidence(0.8, 10, 4, 1), other: Evidence(0.5, 20, 6, 3)}, Evidence(0.9, 5, 5, 1))
    pooled = shared(ratings, (), behaviour.alike)
    assert pooled.of(one) == pooled.of(other)
    assert pooled.of(one).believability == pytest.approx(0.6)
    assert (pooled.of(one).judgements, pooled.of(one).expert_rate) == (30, 0.4)
    assert pooled.humans == ratings.humans
    third = ("PALS", "EQUALIZER", "ADVANCER")
    assert shared(ratings, [third], behaviour.alike).of(third) == pooled.of(one)


def test_lists_that_play_alike_do_not_make_phase_one_wait_for_ever(behaviour: Behaviour) -> None:
    """Together they are judged twice as often as any other, which is no imbalance."""
    settings = replace(RECOMMENDED, expert_judgements=0)
    names = [("ADVANCER",), ("Lingering", "ADVANCER"), ("PALS",)]
    assert behaviour.alike(names[1]) == names[0]
    ratings = Ratings({names[0]: Evidence(0.5, 21), names[1]: Evidence(0.5, 21), names[2]: Evidence(0.5, 20)})
    assert not step(start(1, settings, names, POOL), ratings, settings, behaviour.alike).waits


def test_no_population_has_two_that_play_alike(behaviour: Behaviour) -> None:
    members = [Member(elements, 3.0) for elements in POOL.lists(2)][:12]
    fitness = {member.elements: 0.5 for member in members}
    following = next_population(members, fitness, 16, 1, POOL, Random(1), RECOMMENDED, behaviour.alike)
    played = {behaviour.decisions(member.elements) for member in following}
    assert len(played) == len(following)


def test_idle_elements_are_stripped_at_once(behaviour: Behaviour) -> None:
    members = [Member(("Observing", "PALS", "EQUALIZER", "RANDOMIZER"), 3.0)]
    stripped = strip(members, 1, 1, POOL, Random(1), RECOMMENDED, behaviour.alike)
    assert all(behaviour.idle(member.elements) == () for member in stripped)
    assert all("RANDOMIZER" not in member.elements for member in stripped)


@pytest.mark.parametrize("answer", [("Observing", "Lingering", "PALS"), ("Lingering", "Observing", "PALS")])
def test_a_played_factor_is_found_by_what_is_played(answer: Elements, behaviour: Behaviour) -> None:
    factor = PlayedFactor(("Observing", "Lingering", "PALS"), "jostle")
    assert factor.artificialness(answer) == 0
    assert factor.is_found_in(behaviour.alike(answer))
    assert not factor.is_found_in((*answer, "RANDOMIZER"))
    assert factor.artificialness(("RANDOMIZER",)) > 1
    assert not factor.is_found_in(None)
