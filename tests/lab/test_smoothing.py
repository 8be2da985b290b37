"""Person weights and strategy ratings by exponential smoothing."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.intervals import wilson
from lab.judgements import HUMAN, Challenge, Judgement, Verdict, in_order
from lab.smoothing import Smoothing, SmoothingSettings, smooth
from tests.lab.simulated import judgement

logs = st.lists(
    st.builds(
        Judgement,
        time=st.integers(0, 12).map(float),
        match=st.sampled_from(["m1", "m2", "m3"]),
        person=st.sampled_from(["ann", "bob", "cid"]),
        seat_truth=st.sampled_from([HUMAN, "PALS", "POG", "Observing PALS"]),
        verdict=st.sampled_from(Verdict),
        sureness=st.none() | st.integers(0, 100),
        enjoyment=st.none() | st.integers(1, 5),
        challenge=st.none() | st.sampled_from(Challenge),
    ),
    max_size=40,
)
experts = st.frozensets(st.sampled_from(["ann", "bob"]))


def numbers(state: Smoothing) -> object:
    weights = {name: (one.overall, one.by_strategy, one.history) for name, one in state.persons.items()}
    return weights, {name: (one.detection, one.fun, one.challenge) for name, one in state.strategies.items()}


@given(logs, experts, st.lists(st.integers(0, 40), max_size=4))
def test_incremental_and_batch_give_equal_numbers(log: list[Judgement], able: frozenset[str], cuts: list[int]) -> None:
    ordered = in_order(log)
    step_by_step = Smoothing(experts=able)
    last = 0
    for cut in sorted([*cuts, len(ordered)]):
        step_by_step.extend(ordered[last:cut])
        last = max(last, cut)
    assert numbers(step_by_step) == numbers(smooth(log, experts=able))


@given(logs, st.randoms(use_true_random=False))
def test_the_order_in_which_rows_arrive_changes_nothing(log: list[Judgement], chance: object) -> None:
    shuffled = sorted(log, key=lambda _: chance.random())  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    assert numbers(smooth(shuffled)) == numbers(smooth(log))


@given(logs, st.floats(0.01, 1))
def test_weights_are_the_weighted_sum_of_what_was_right(log: list[Judgement], alpha: float) -> None:
    state = smooth(log, SmoothingSettings(alpha=alpha))
    overall: dict[str, list[bool]] = defaultdict(list)
    single: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for one in in_order(log):
        right = one.verdict == (Verdict.HUMAN if one.seat_truth == HUMAN else Verdict.ARTIFICIAL)
        overall[one.person].append(right)
        single[one.person, one.seat_truth].append(right)

    def closed_form(rights: list[bool]) -> float:
        return sum(alpha * (1 - alpha) ** age * right for age, right in enumerate(reversed(rights)))

    for person, rights in overall.items():
        assert state.persons[person].overall == pytest.approx(closed_form(rights))
        assert state.persons[person].judgements == len(rights)
    for (person, truth), rights in single.items():
        assert state.persons[person].by_strategy[truth] == pytest.approx(closed_form(rights))


@given(logs, experts)
def test_weights_and_ratings_stay_between_0_and_1(log: list[Judgement], able: frozenset[str]) -> None:
    state = smooth(log, experts=able)
    for person in state.persons.values():
        assert 0 <= person.overall <= 1
    for rating in state.strategies.values():
        for dimension in (rating.detection, rating.fun, rating.challenge):
            assert 0 <= dimension.value <= 1


def test_a_weight_starts_at_0_and_moves_by_a_fifth() -> None:
    log = [judgement(1, "ann", "S", True), judgement(2, "ann", "S", False), judgement(3, "ann", HUMAN, False)]
    history = smooth(log).persons["ann"].history
    assert [point.overall for point in history] == pytest.approx([0.2, 0.16, 0.328])
    assert smooth(log).persons["ann"].by_strategy == pytest.approx({"S": 0.16, HUMAN: 0.2})


def test_not_being_able_to_tell_counts_as_not_detected_and_as_not_recognised() -> None:
    log = [Judgement(1, "m", "ann", truth, Verdict.CANNOT_TELL) for truth in ("S", HUMAN)]
    assert smooth(log).persons["ann"].overall == 0


def test_a_rating_moves_by_the_weight_the_person_had_before() -> None:
    log = [judgement(n, "ann", "S", True) for n in range(3)]
    # weights before the three judgements: 0, 0.2, 0.36
    first = 0.5
    second = first + 0.2 * 0.2 * (1 - first)
    third = second + 0.2 * 0.36 * (1 - second)
    assert smooth(log).strategies["S"].detection.value == pytest.approx(third)
    assert smooth(log).strategies["S"].believability == pytest.approx(1 - third)
    assert smooth(log).strategies["S"].judgements == 3


def test_super_experts_count_overall_and_others_per_strategy() -> None:
    log = [judgement(n, "ann", "easy", True) for n in range(5)]
    log += [judgement(5, "ann", "S", False), judgement(6, "ann", "S", True)]
    overall = smooth(log[:6]).persons["ann"].overall
    for able, weight in ((["ann"], overall), ([], 0.0)):
        before, after = (smooth(part, experts=able).strategies["S"].detection for part in (log[:6], log))
        assert after.weight - before.weight == pytest.approx(weight)


def test_at_a_first_meeting_the_overall_weight_counts_unless_the_setting_says_nothing_does() -> None:
    log = [judgement(n, "ann", "easy", True) for n in range(5)] + [judgement(5, "ann", "S", True)]
    trusting = smooth(log).strategies["S"].detection
    strict = smooth(log, SmoothingSettings(trust_newcomers_to_strategy=False)).strategies["S"].detection
    assert trusting.weight == pytest.approx(smooth(log[:5]).persons["ann"].overall)
    assert strict.weight == 0
    assert strict.count == 1


def test_a_new_strategy_starts_at_the_mean_of_the_population() -> None:
    log = [judgement(n, "ann", "A", True) for n in range(9)] + [judgement(9, "bob", "B", False)]
    state = smooth(log)
    assert state.strategies["B"].detection.value == pytest.approx(state.strategies["A"].detection.value)
    mean = (state.strategies["A"].detection.value + state.strategies["B"].detection.value) / 2
    assert state.rating("never judged").detection.value == pytest.approx(mean)
    assert Smoothing().rating("never judged").detection.value == 0.5


def test_fun_and_challenge_count_only_what_was_answered() -> None:
    log = [judgement(0, "ann", HUMAN, False)]
    log.append(Judgement(1, "m", "ann", "S", Verdict.ARTIFICIAL, 50, 5, Challenge.UNSURE))
    log.append(Judgement(2, "m", "ann", "S", Verdict.ARTIFICIAL, 50, None, Challenge.OVERSTRAINING))
    rating = smooth(log).strategies["S"]
    assert (rating.detection.count, rating.fun.count, rating.challenge.count) == (2, 1, 1)
    assert rating.fun.value == pytest.approx(0.5 + 0.2 * 0.2 * 0.5)


def test_a_late_judgement_is_refused_instead_of_giving_other_numbers() -> None:
    state = smooth([judgement(5, "ann", "S", True)])
    with pytest.raises(ValueError, match="recompute"):
        state.add(judgement(4, "ann", "S", True))


def test_wilson_gives_the_textbook_interval() -> None:
    interval = wilson(15, 50)
    assert (round(interval.low, 4), round(interval.high, 4)) == (0.1910, 0.4375)
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0, 1)
    assert 0.3 in interval
