"""A round goes from P(0) to P_final, says why, repeats itself exactly, and always ends."""

import random
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.probands.factor import HumanFactor
from lab.refinement import Elements, Evidence, Phase, Ratings, RoundState, start, step
from lab.refinement.settings import DECIDED, PRESETS, RECOMMENDED, THESIS, RefinementSettings
from tests.lab.refinement.worlds import evidence, play, ratings
from tests.lab.start import DOCUMENTED, POOL

FACTOR = HumanFactor(("Observing", "Lingering"), POOL)


def by_factor(elements: Elements) -> float:
    return min(1.0, 0.2 + 0.6 * FACTOR.artificialness(elements))


def by_chance(seed: int) -> "dict[Elements, float]":
    class Chance(dict[Elements, float]):
        def __missing__(self, elements: Elements) -> float:
            self[elements] = random.Random(f"{seed}:{elements}").random()
            return self[elements]

    return Chance()


@pytest.mark.parametrize("seed", range(5))
def test_without_noise_the_planted_factor_comes_out_first(seed: int) -> None:
    steps = play(start(seed, RECOMMENDED, DOCUMENTED, POOL), by_factor, RECOMMENDED)
    assert FACTOR.is_found_in(steps[-1].state.answer)
    assert steps[0].state.phase is Phase.RATE


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(sorted(PRESETS)),
    st.sampled_from(["additive", "printed", "lognormal"]),
    st.sampled_from(["predecessor", "humans", "either"]),
    st.booleans(),
)
def test_a_round_ends_and_every_population_is_playable_whatever_the_judges_say(
    seed: int, preset: str, sigma_rule: str, fall: str, try_all: bool
) -> None:
    chosen = replace(
        PRESETS[preset],
        sigma_rule=sigma_rule,
        fall=fall,
        try_all=try_all,
        max_generations=4,
        tolerance=0.3,
        believable_share=0.2,
    )
    steps = play(start(seed, chosen, DOCUMENTED, POOL), by_chance(seed).__getitem__, chosen)
    for before, after in pairwise(steps):
        lists = after.state.population
        assert len(set(lists)) == len(lists)
        assert all(map(POOL.is_playable, lists))
        if after.state.phase is Phase.EVOLVE:
            assert len(lists) == 2 * after.state.start_size
            known = {member.elements for member in before.state.members}
            assert all(
                set(member.parents) <= known for member in after.state.members if member.born == after.state.generation
            )
        if after.state.phase is Phase.STRIP:
            for member in after.state.members:
                assert member.parents
                for parent in member.parents:
                    assert set(member.elements) < set(parent)
                    assert len(member.elements) == len(parent) - 1
                    assert tuple(e for e in parent if e in member.elements) == member.elements
            if before.state.phase is Phase.STRIP and not try_all:
                assert len(lists) <= after.state.slots
                longest = max(len(member.elements) for member in before.state.members)
                assert max(map(len, lists)) < longest
        assert all(decision.reason for decision in after.decisions)
    final = steps[-1].state.final
    sizes = [(len(one.elements), -one.believability) for one in final]
    assert sizes == sorted(sizes)
    assert len({one.elements for one in final}) == len(final)
    assert all(POOL.is_playable(one.elements) for one in final)


@given(st.integers(0, 50))
@settings(max_examples=10, deadline=None)
def test_a_repeated_step_gives_the_same_result_also_from_its_json(seed: int) -> None:
    chosen = replace(RECOMMENDED, max_generations=3)
    for one in play(start(seed, chosen, DOCUMENTED, POOL), by_factor, chosen)[:-1]:
        known = ratings({*one.state.population, *(p for m in one.state.members for p in m.parents)}, by_factor)
        again = RoundState.from_json(one.state.to_json())
        assert again == one.state
        assert step(again, known, chosen) == step(one.state, known, chosen)


def test_different_seeds_give_different_populations() -> None:
    rated = ratings(DOCUMENTED, by_factor)
    begun = [start(seed, DECIDED, DOCUMENTED, POOL) for seed in range(10)]
    assert len({step(state, rated, DECIDED).state.population for state in begun}) == 10


def test_a_step_without_enough_judgements_changes_nothing_and_says_what_is_missing() -> None:
    state = start(1, DECIDED, DOCUMENTED, POOL)
    known = {elements: evidence(0.5, 20) for elements in DOCUMENTED}
    known["Observing", "PALS"] = Evidence(0.5, 4, 0, 0)
    waiting = step(state, Ratings(known, evidence(0.2)), DECIDED)
    assert waiting.state is state
    assert waiting.waits
    told = {decision.about: decision.reason for decision in waiting.decisions}
    assert told["Observing PALS"].startswith("judged 4 times") or "4 of 5 judgements" in told["Observing PALS"]
    assert any("0 of 1 judgements by super experts" in decision.reason for decision in waiting.decisions)


def test_phase_one_waits_until_all_are_judged_nearly_equally_often() -> None:
    known = {elements: evidence(0.5, 20) for elements in DOCUMENTED}
    known["PALS",] = evidence(0.5, 41)
    waiting = step(start(1, DECIDED, DOCUMENTED, POOL), Ratings(known, evidence(0.2)), DECIDED)
    assert [decision.kind for decision in waiting.decisions] == ["wait"]
    known["PALS",] = evidence(0.5, 40)
    assert step(start(1, DECIDED, DOCUMENTED, POOL), Ratings(known, evidence(0.2)), DECIDED).state.phase is Phase.EVOLVE


def test_elites_pass_unchanged_and_phase_two_gives_up_after_its_last_population() -> None:
    chosen = replace(DECIDED, max_generations=3)
    steps = play(start(3, chosen, DOCUMENTED, POOL), lambda elements: 0.5 + 0.05 * len(elements), chosen)
    best = {member.elements for member in steps[1].state.members if member.origin == "elite"}
    assert best <= {(basic,) for basic in POOL.basics}
    assert [one.state.generation for one in steps] == [0, 1, 2, 3, 3]
    assert steps[-1].decisions[-1].kind == "give up"
    assert steps[-1].state.answer is None


def test_a_believable_start_population_goes_straight_to_phase_three_and_ends_with_basics() -> None:
    steps = play(start(1, DECIDED, DOCUMENTED, POOL), lambda _: 0.2, DECIDED)
    assert steps[1].state.phase is Phase.STRIP
    assert steps[-1].state.phase is Phase.DONE
    assert {len(one.elements) for one in steps[-1].state.final} == {1}


def test_a_failed_predecessor_becomes_final_once_for_several_fallen_successors() -> None:
    lists = (("Observing", "Lingering", "PALS"), ("Lingering", "Observing", "PALS"))
    chosen = replace(RECOMMENDED, try_all=True)
    steps = play(start(1, chosen, lists, POOL), by_factor, chosen)
    assert [one.elements for one in steps[-1].state.final] == [lists[0]]
    reasons = [decision for one in steps for decision in one.decisions if decision.kind == "final"]
    assert len(reasons) == 1


def test_the_strict_reading_knows_no_tolerance() -> None:
    lists = (("Observing", "PALS"),)
    detected_once = Ratings({lists[0]: Evidence(0.9, 400, 400, 1)}, evidence(0.2))
    never = Ratings({lists[0]: Evidence(0.9, 400, 400, 0)}, evidence(0.2))
    assert step(start(1, THESIS, lists, POOL), detected_once, THESIS).state.phase is Phase.EVOLVE
    assert step(start(1, THESIS, lists, POOL), never, THESIS).state.phase is Phase.STRIP
    assert step(start(1, RECOMMENDED, lists, POOL), detected_once, RECOMMENDED).state.phase is Phase.STRIP


def test_bad_start_populations_and_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="different strategies"):
        start(1, DECIDED, (("PALS",), ("PALS",)), POOL)
    with pytest.raises(ValueError, match="at least one of them basic"):
        start(1, DECIDED, (("Observing",),), POOL)
    with pytest.raises(ValueError, match="level must lie above 0 and below"):
        RefinementSettings(level=0.5)
    with pytest.raises(ValueError, match="tolerance"):
        RefinementSettings(tolerance=1.5)
    with pytest.raises(ValueError, match="predecessor, humans, either, got never"):
        start(1, replace(DECIDED, fall="never"), DOCUMENTED, POOL)
    with pytest.raises(ValueError, match="additive, printed, lognormal, got cubic"):
        start(1, replace(DECIDED, sigma_rule="cubic"), DOCUMENTED, POOL)
    with pytest.raises(ValueError, match="rating or random, got mood"):
        RefinementSettings(fitness="mood")


def test_every_coming_staying_and_going_is_told() -> None:
    step_ = step(start(1, DECIDED, DOCUMENTED, POOL), ratings(DOCUMENTED, by_factor), DECIDED)
    told = {kind: {d.about for d in step_.decisions if d.kind == kind} for kind in ("keep", "child", "retire")}
    now = {" ".join(elements) for elements in step_.state.population}
    assert told["keep"] | told["child"] == now
    assert told["retire"] == {" ".join(elements) for elements in DOCUMENTED} - now
