"""Signal detection, and super experts found among yes-sayers."""

from __future__ import annotations

from functools import cache

import pytest
from scipy.stats import norm

from lab.experts import Assessment, Expertise, ExpertSettings, assess, assess_persons, signal_detection, signals
from lab.judgements import HUMAN, Judgement, Verdict
from tests.lab.simulated import crowd, judgement

SEEDS = range(10)


def test_d_prime_and_criterion_follow_the_log_linear_rule() -> None:
    told = signal_detection(hits=20, program_seats=25, false_alarms=5, human_seats=25)
    hit, alarm = norm.ppf(20.5 / 26), norm.ppf(5.5 / 26)
    assert told.d_prime == pytest.approx(hit - alarm)
    assert told.criterion == pytest.approx(-(hit + alarm) / 2)


def test_perfect_judges_have_a_finite_d_prime() -> None:
    told = signal_detection(10, 10, 0, 10)
    assert told.d_prime == pytest.approx(2 * norm.ppf(10.5 / 11))
    assert told.criterion == pytest.approx(0)


def test_calling_everybody_artificial_tells_nothing_apart() -> None:
    told = signal_detection(10, 10, 10, 10)
    assert told.d_prime == pytest.approx(0)
    assert told.criterion is not None
    assert told.criterion < -1.5


@pytest.mark.parametrize("seats", [(5, 0), (0, 5)])
def test_without_both_kinds_of_seats_nothing_is_said(seats: tuple[int, int]) -> None:
    told = signal_detection(seats[0], seats[0], 0, seats[1])
    assert told.d_prime is None
    assert told.criterion is None


def test_cannot_tell_is_neither_hit_nor_false_alarm() -> None:
    log = [Judgement(0, "m", "ann", truth, Verdict.CANNOT_TELL) for truth in ("S", HUMAN)]
    told = signals(log)["ann"]
    assert (told.hits, told.program_seats, told.false_alarms, told.human_seats) == (0, 1, 0, 1)


@cache
def studied(seed: int) -> Expertise:
    return assess(crowd(seed))


def found(settings: ExpertSettings) -> tuple[float, float, float]:
    """Precision, recall, and false-alarm rate on humans of those who were found, over ten simulated studies."""
    right = called = planted = alarms = humans = 0
    for seed in SEEDS:
        signal = {person: one.signal for person, one in studied(seed).persons.items()}
        for person, one in assess_persons(studied(seed).rasch, signal, settings).items():
            planted += person.startswith("expert")
            if one.super_expert:
                called += 1
                right += person.startswith("expert")
                alarms += one.signal.false_alarms
                humans += one.signal.human_seats
    return right / max(called, 1), right / planted, alarms / max(humans, 1)


def test_planted_experts_are_found_among_planted_yes_sayers() -> None:
    precision, recall, alarms = found(ExpertSettings())
    assert precision >= 0.9
    assert recall >= 0.8
    assert alarms < 0.2


def test_the_lower_bound_of_outfit_is_what_hides_the_best_experts() -> None:
    precision, recall, _ = found(ExpertSettings(outfit_low=0.0))
    assert precision >= 0.9
    assert recall >= 0.95


def test_no_yes_sayer_is_found_or_even_looks_able() -> None:
    for seed in SEEDS:
        for person, one in studied(seed).persons.items():
            if person.startswith("yes"):
                assert not one.super_expert
                assert not one.able


def test_keyed_like_a_strategy_the_human_item_would_make_yes_sayers_look_able() -> None:
    persons = assess(crowd(0), ExpertSettings(human_counts_against=False)).persons
    yes = [one for person, one in persons.items() if person.startswith("yes")]
    assert all(one.able for one in yes)


def test_every_criterion_is_needed() -> None:
    persons = studied(1).persons
    expert = next(one for one in persons.values() if one.super_expert)
    for criterion in ("enough_judgements", "able", "fits", "tells_apart"):
        changed = {name: getattr(expert, name) for name in Assessment.__slots__} | {criterion: False}
        assert not Assessment(**changed).super_expert


def test_nobody_is_an_expert_before_ten_judged_programs() -> None:
    log = [judgement(n, "ann", f"s{n % 3}", True) for n in range(9)]
    log += [judgement(n, "ann", HUMAN, False) for n in range(9)]
    log += crowd(2, experts=0, yes_sayers=0, plain=20)
    assert not assess(log).persons["ann"].enough_judgements


def test_difficulty_zero_is_the_mean_strategy_without_the_item_human() -> None:
    items = studied(3).rasch.items
    assert sum(item.difficulty for item in items if item.item != HUMAN) == pytest.approx(0, abs=1e-9)
    assert any(item.item == HUMAN for item in items)
