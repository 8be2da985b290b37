"""Signal detection, and super experts found among yes-sayers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from scipy.stats import norm

from lab.experts import (
    Assessment,
    ByExpert,
    Expertise,
    ExpertSettings,
    SignalDetection,
    assess,
    assess_persons,
    cross_fitted,
    folds_of,
    generations,
    signal_detection,
    signals,
    super_experts,
)
from lab.judgements import HUMAN, Judgement, Verdict
from lab.ratings import RatingSettings, rate
from lab.records import ratings_record
from lab.refinement.ratings import from_log
from tests.lab.simulated import crowd, judgement

SEEDS = range(10)
BOUNDS = ExpertSettings(rule="bounds")


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
    return assess(crowd(seed), BOUNDS)


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
    precision, recall, alarms = found(BOUNDS)
    assert precision >= 0.9
    assert recall >= 0.8
    assert alarms < 0.2


def test_the_lower_bound_of_outfit_is_what_hides_the_best_experts() -> None:
    precision, recall, _ = found(ExpertSettings(rule="bounds", outfit_low=0.0))
    assert precision >= 0.9
    assert recall >= 0.95


def test_no_yes_sayer_is_found_or_even_looks_able() -> None:
    for seed in SEEDS:
        for person, one in studied(seed).persons.items():
            if person.startswith("yes"):
                assert not one.super_expert
                assert not one.able


def test_keyed_like_a_strategy_the_human_item_would_make_yes_sayers_look_able() -> None:
    persons = assess(crowd(0), ExpertSettings(rule="bounds", human_counts_against=False)).persons
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


@pytest.mark.parametrize(("each", "least"), [(30, 0.6), (50, 0.85)])
def test_experts_are_found_by_probability_after_some_thirty_judgements(each: int, least: float) -> None:
    """Eight judges of d′ 2.5 among a hundred around 0.3, whose strategies are all equally hard to tell."""
    right = called = 0
    for seed in range(4):
        log = planted(seed, each)
        chosen = super_experts(log)
        right += sum(person.startswith("expert") for person in chosen)
        called += len(chosen)
    assert right / 32 >= least
    assert right / called >= 0.8


def planted(seed: int, each: int, experts: int = 8, others: int = 92, human_like: int = 0) -> list[Judgement]:
    """Half of what everybody judges are programs; `human_like` of ten strategies look exactly human."""
    rng = np.random.default_rng(seed)
    d_prime = np.concatenate((np.full(experts, 2.5), rng.normal(0.3, 0.4, others)))
    criterion = rng.normal(0, 0.4, experts + others)
    log = []
    for number, (own, bar) in enumerate(zip(d_prime, criterion, strict=True)):
        name = f"expert{number}" if number < experts else f"plain{number}"
        for match in range(each // 2):
            strategy = int(rng.integers(10))
            look = -own / 2 if strategy < human_like else own / 2
            for truth, seems in ((f"s{strategy}", look), (HUMAN, -own / 2)):
                artificial = bool(rng.standard_normal() + seems > bar)
                log.append(judgement(match, name, truth, artificial, f"{name}-{match}"))
    return log


def test_cross_fitted_experts_do_not_detect_what_is_exactly_human() -> None:
    """Chosen on the same judgements, experts seem to detect a strategy that is exactly like the humans."""
    naive, fitted = [], []
    lenient = ExpertSettings(probability=0.7, least_d_prime=0.3)
    for seed in range(8):
        log = planted(seed, 24, human_like=3)
        naive.append(excess(log, ByName(super_experts(log, lenient))))
        fitted.append(excess(log, cross_fitted(log, lenient)))
    assert np.mean(naive) > 0.1
    assert abs(np.mean(fitted)) < 0.05


@dataclass
class ByName:
    experts: frozenset[str]

    def __call__(self, one: Judgement) -> bool:
        return one.person in self.experts


def excess(log: list[Judgement], by_expert: ByExpert) -> float:
    """How much more often experts call the exactly human strategies artificial than humans."""
    told = [one for one in log if by_expert(one)]
    like_humans = [one.judged_artificial for one in told if one.seat_truth in ("s0", "s1", "s2")]
    return float(np.mean(like_humans) - np.mean([one.judged_artificial for one in told if one.of_human]))


def test_a_judgement_never_chooses_its_own_expert() -> None:
    log = planted(1, 40)
    by_expert = cross_fitted(log)
    folds = folds_of(log)
    fold = [one for one in log if folds[one.person, one.match] == 2]
    turned = [replace(one, verdict=Verdict.HUMAN) if folds[one.person, one.match] == 2 else one for one in log]
    after = cross_fitted(turned)
    assert [after(one) for one in fold] == [by_expert(one) for one in fold]
    assert any(map(by_expert, fold))


def indistinguishable_later() -> list[Judgement]:
    """From time 100 on only new strategies are met, and nothing can be told apart any more."""
    early = planted(2, 40)
    late = [
        replace(
            one,
            time=one.time + 100,
            match=f"late-{one.match}-{again}",
            seat_truth=one.seat_truth if one.of_human else f"new-{one.seat_truth}",
            verdict=(Verdict.ARTIFICIAL, Verdict.HUMAN)[(number // 2 + again) % 2],
        )
        for again in range(8)
        for number, one in enumerate(early)
    ]
    return early + late


def test_earlier_experts_remain_for_pages_and_rounds_alike() -> None:
    """Found anew the experts are gone; in a study in which they stay, those of before are counted everywhere."""
    log = indistinguishable_later()
    assert not super_experts(log)
    stay, anew = (rate(log, RatingSettings(experts=ExpertSettings(stay=stays))) for stays in (True, False))
    remained = {one.person for one in log if one.time >= 100 and stay.by_expert(one)}
    assert sum(person.startswith("expert") for person in remained) >= 6
    assert remained <= stay.expertise.super_experts
    assert ratings_record(stay)["experts"] == sorted(stay.expertise.super_experts)
    assert stay.by_experts["new-s0"].judgements > 0
    assert from_log(log, stay).of(("new-s0",)).expert_judgements > 0
    assert not anew.expertise.super_experts
    assert "new-s0" not in anew.by_experts
    assert from_log(log, anew).of(("new-s0",)).expert_judgements == 0


def test_generations_begin_when_new_strategies_come_after_a_tenth_more_judgements() -> None:
    met = [("a", 1), ("b", 2), ("c", 30), ("d", 31), ("a", 32), ("e", 40)]
    times = {number: truth for truth, number in met}
    log = [judgement(number, "ann", times.get(number, "a"), True) for number in range(1, 50)]
    assert generations(log) == [30, 40]


def test_bounds_ask_for_the_conventional_outfit_because_their_limits_were_made_for_it() -> None:
    everybody = studied(1)
    settings = replace(BOUNDS, outfit_low=0.9, outfit_high=1.1)
    for one in assess_persons(everybody.rasch, signals_of(everybody), settings).values():
        assert one.fits == (0.9 <= one.rasch.outfit_at_estimate <= 1.1)
    assert any((0.9 <= one.rasch.outfit <= 1.1) != one.fits for one in everybody.persons.values())


def signals_of(expertise: Expertise) -> dict[str, SignalDetection]:
    return {name: one.signal for name, one in expertise.persons.items()}


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="rule must be one of probability, bounds"):
        ExpertSettings(rule="luck")
