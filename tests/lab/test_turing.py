"""Turing-test statistics: intervals that cover, tests that keep their level, e-values that may be looked at."""

from __future__ import annotations

from itertools import pairwise
from math import erf, inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm, ttest_1samp

from lab.arrays import sums
from lab.intervals import Interval, wilson
from lab.judgements import HUMAN, Judgement, Verdict, in_order
from lab.turing import (
    ENOUGH,
    Answers,
    Design,
    Pair,
    TuringSettings,
    answers,
    clustered_share,
    difference,
    e_bh,
    e_equivalent,
    e_told_apart,
    equivalence_power,
    judge_quality,
    needed_judgements,
    pairs,
    probability_artificial,
    turing_table,
)
from lab.turing.judges import calibration, roc
from lab.turing.shares import mean_of_sums
from tests.lab.simulated import judgement

Rng = np.random.Generator


def judged(rng: Rng, judges: int, each: int, share: float, spread: float = 6.0) -> Answers:
    """Answers of judges whose own shares vary (beta with this concentration) around the true one."""
    own = rng.beta(share * spread, (1 - share) * spread, judges)
    yes = rng.binomial(each, own).astype(np.float64)
    return Answers(tuple(f"j{n}" for n in range(judges)), np.full(judges, float(each)), yes)


@pytest.mark.parametrize(("judges", "each", "share"), [(25, 8, 0.4), (60, 5, 0.7), (40, 4, 0.1)])
def test_clustered_intervals_cover_where_naive_ones_do_not(judges: int, each: int, share: float) -> None:
    rng = np.random.default_rng(judges)
    clustered = naive = 0
    for _ in range(1000):
        given_answers = judged(rng, judges, each, share)
        clustered += share in clustered_share(given_answers).interval
        naive += share in wilson(float(given_answers.yes.sum()), given_answers.total)
    assert clustered / 1000 == pytest.approx(0.95, abs=0.025)
    assert naive < clustered - 30


def test_means_of_scales_cover_where_naive_ones_do_not() -> None:
    """Persons who answer up to thirty times, each around an own point of the scale; the truth is the mean of points."""
    rng = np.random.default_rng(5)
    clustered = naive = 0
    for _ in range(1000):
        own, each = rng.normal(60, 15, 50), rng.integers(1, 31, 50)
        given_answers = np.clip(np.round(rng.normal(np.repeat(own, each), 8)), 0, 100)
        total = sums(np.repeat(np.arange(50), each), given_answers, 50)
        clustered += 60 in mean_of_sums(each.astype(np.float64), total, (0, 100)).interval
        reach = 1.96 * given_answers.std(ddof=1) / len(given_answers) ** 0.5
        naive += abs(given_answers.mean() - 60) <= reach
    assert clustered / 1000 == pytest.approx(0.95, abs=0.025)
    assert naive / 1000 < 0.6


def test_a_mean_without_spread_keeps_an_interval() -> None:
    few = mean_of_sums(np.array([3.0, 2.0]), np.array([300.0, 200.0]), (0, 100))
    assert (few.mean, few.interval.high) == (100, 100)
    assert few.interval.low < 50
    many = mean_of_sums(np.ones(500), np.full(500, 100.0), (0, 100))
    assert many.interval.low > 99
    assert mean_of_sums(np.zeros(0), np.zeros(0), (1, 5)).interval == Interval(1, 5)


def test_agreement_of_all_judges_does_not_make_an_interval_of_no_width() -> None:
    all_yes = Answers(("a", "b", "c"), np.array([10.0, 10.0, 10.0]), np.array([10.0, 10.0, 10.0]))
    interval = clustered_share(all_yes).interval
    assert interval.high == 1
    assert interval.low < 0.5


def test_one_judge_says_little_however_often() -> None:
    assert clustered_share(answers([("a", True)] * 50 + [("a", False)] * 50)).interval.low < 0.05
    assert clustered_share(answers([])).judges == 0


def test_a_difference_counts_judges_with_themselves() -> None:
    """Judges differ much from each other, but each judges programs and humans alike: the difference is well known."""
    judges = tuple(f"j{n}" for n in range(20))
    ten = np.full(20, 10.0)
    habits = np.tile([1.0, 9.0], 10)
    programs, humans = Answers(judges, ten, habits), Answers(judges, ten, habits[::1] + np.tile([1, -1, -1, 1], 5))
    paired = difference(programs, humans)
    others = difference(programs, Answers(tuple(f"k{n}" for n in range(20)), ten, humans.yes))
    assert paired.se < others.se / 3
    # with equal numbers per judge it is the paired t-test
    assert paired.p_above(0) == pytest.approx(
        ttest_1samp((programs.yes - humans.yes) / 10, 0, alternative="greater").pvalue, abs=1e-6
    )


def test_the_equivalence_test_keeps_its_level_at_the_margin_and_finds_equality() -> None:
    rng = np.random.default_rng(3)
    wrong = right = 0
    for _ in range(1000):
        humans = judged(rng, 100, 10, 0.6)
        wrong += difference(judged(rng, 100, 10, 0.5), humans).equivalence(0.10).equivalent
        right += difference(judged(rng, 100, 10, 0.6), humans).equivalence(0.10).equivalent
    assert wrong / 1000 < 0.07
    assert right / 1000 > 0.8


def test_nothing_is_equivalent_without_data() -> None:
    nothing = difference(answers([]), answers([("a", True)]))
    assert nothing.equivalence().p == 1
    assert (nothing.interval().low, nothing.interval().high) == (-1, 1)
    assert not difference(answers([("a", True)]), answers([("a", True)])).equivalence().equivalent


def test_214_judgements_suffice_only_if_the_human_share_is_known() -> None:
    assert needed_judgements(Design(humans=inf)) == pytest.approx(214, abs=1)
    assert needed_judgements(Design()) == pytest.approx(428, abs=1)
    assert equivalence_power(214, Design(humans=inf)) == pytest.approx(0.80, abs=0.01)
    assert equivalence_power(214) == pytest.approx(0.34, abs=0.02)
    assert needed_judgements(Design(each=10, own=0.1)) > 600


@pytest.mark.parametrize("gap", [-0.08, -0.02, 0.0, 0.05])
def test_the_number_that_is_needed_has_just_the_power_that_is_wanted(gap: float) -> None:
    needed = needed_judgements(Design(share=0.6), 0.9, gap)
    assert equivalence_power(needed, Design(share=0.6), gap) == pytest.approx(0.9, abs=0.02)
    assert gap == 0 or equivalence_power(needed - 1, Design(share=0.6), gap) < 0.9


def test_what_is_not_within_the_margin_is_shown_by_no_number() -> None:
    with pytest.raises(ValueError, match="not within"):
        needed_judgements(Design(), gap=-0.1)


def test_the_calculator_gives_the_power_that_simulations_have() -> None:
    rng = np.random.default_rng(8)
    found = 0
    for _ in range(400):
        programs, humans = ((rng.random(428) < 0.5).astype(np.float64) for _ in range(2))
        one = tuple(f"j{n}" for n in range(428)), np.ones(428)
        found += difference(Answers(*one, programs), Answers(*one, humans)).equivalence().equivalent
    assert found / 400 == pytest.approx(equivalence_power(428), abs=0.06)


def test_e_values_of_a_judge_whose_criterion_drifts_keep_their_level() -> None:
    """Programs and humans come in matches of their own, programs rather late: paired first with first, verdicts of the
    end would stand against verdicts of the beginning, and a third of the e-values would alarm falsely."""
    rng, alarms = np.random.default_rng(6), 0
    for _ in range(150):
        log = []
        for judge in range(10):
            for match in range(60):
                program = rng.random() < 0.15 + 0.5 * match / 60
                artificial = bool(rng.random() < 0.15 + 0.7 * match / 60)
                log.append(judgement(match, f"j{judge}", "S" if program else HUMAN, artificial, f"{judge}-{match}"))
        alarms += bool(e_told_apart(pairs(log, "S"))[-1] >= ENOUGH)
    assert alarms / 150 <= 0.05


def test_e_bh_finds_what_is_large_among_many() -> None:
    assert e_bh({"a": 100.0, "b": 45.0, "c": 1.0, "d": 0.2}) == {"a", "b"}
    assert e_bh({"a": 60.0, "b": 30.0, "c": 1.0, "d": 0.2}) == frozenset()
    assert e_bh({}) == frozenset()
    rng = np.random.default_rng(3)
    false = [
        bool(e_bh({str(n): float(e_told_apart(coin_pairs(rng, 80, 0.6, 0.6))[-1]) for n in range(20)}))
        for _ in range(60)
    ]
    assert np.mean(false) <= 0.05


def coin_pairs(rng: Rng, number: int, program: float, human: float, spread: float = 4.0) -> list[Pair]:
    """Pairs of judges with very different habits, who call programs and humans human with the given mean shares."""
    own = rng.beta(spread * human, spread * (1 - human), number)
    lower = np.clip(own - (human - program), 0, 1)
    return [Pair(bool(a), bool(b)) for a, b in zip(rng.random(number) < lower, rng.random(number) < own, strict=True)]


def test_looking_all_the_time_e_values_alarm_falsely_below_5_percent_and_z_tests_far_above() -> None:
    rng = np.random.default_rng(1)
    studies, looks = 600, 300
    by_e = by_z = 0
    for _ in range(studies):
        given_pairs = coin_pairs(rng, looks, 0.6, 0.6)
        by_e += bool(np.any(e_told_apart(given_pairs) >= ENOUGH))
        gains = np.array([pair.gain for pair in given_pairs], dtype=np.float64)
        count = np.arange(1, looks + 1)
        z = np.cumsum(gains) / np.sqrt(np.maximum(np.cumsum(gains**2), 1))
        by_z += bool(np.any(np.abs(z[count >= 10]) > 1.96))
    assert by_e / studies < 0.05
    assert by_z / studies > 0.2


def test_e_values_find_a_program_that_is_told_apart() -> None:
    rng = np.random.default_rng(2)
    found = [np.any(e_told_apart(coin_pairs(rng, 200, 0.3, 0.6)) >= ENOUGH) for _ in range(100)]
    assert np.mean(found) > 0.9


def test_the_e_value_is_a_fair_game() -> None:
    """Its mean over all outcomes of fair coins is 1 after every number of pairs."""
    for number in range(1, 8):
        outcomes = [
            [Pair(bool(code >> place & 1), not bool(code >> place & 1)) for place in range(number)]
            for code in range(2**number)
        ]
        assert np.mean([e_told_apart(one)[-1] for one in outcomes]) == pytest.approx(1)


def test_e_values_for_equivalence_alarm_falsely_below_5_percent_at_the_margin_and_find_equality() -> None:
    rng = np.random.default_rng(4)
    wrong = sum(
        bool(np.any(e_equivalent(coin_pairs(rng, 400, 0.45, 0.6, spread=1000), 0.15) >= ENOUGH)) for _ in range(300)
    )
    right = sum(
        bool(np.any(e_equivalent(coin_pairs(rng, 1500, 0.6, 0.6, spread=1000), 0.15) >= ENOUGH)) for _ in range(60)
    )
    assert wrong / 300 < 0.05
    assert right / 60 > 0.8


def test_pairs_prefer_the_same_match_and_use_each_judgement_once() -> None:
    log = [
        judgement(1, "ann", "S", True, "m1"),
        judgement(1, "ann", HUMAN, False, "m1"),
        judgement(2, "ann", "S", False, "m2"),
        judgement(2, "ann", "S", True, "m2"),
        judgement(3, "ann", HUMAN, True, "m3"),
        judgement(3, "ann", "other", True, "m3"),
        judgement(4, "bob", HUMAN, True, "m1"),
    ]
    # m1 within the match; of the two programs of m2 one finds the human of m3; nobody pairs bob's with ann's
    assert pairs(log, "S") == [Pair(False, True), Pair(False, False)]


rows = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from(["S", "T", HUMAN]), st.sampled_from(["S", HUMAN]), st.booleans()),
    max_size=20,
)


@given(rows)
def test_later_matches_only_append_pairs(matches: list[tuple[str, str, str, bool]]) -> None:
    log: list[Judgement] = []
    before: list[Pair] = []
    for number, (person, first, second, artificial) in enumerate(matches):
        log.append(judgement(number, person, first, artificial, f"m{number}"))
        log.append(judgement(number, person, second, not artificial, f"m{number}"))
        now = pairs(log, "S")
        assert now[: len(before)] == before
        before = now


def test_brier_score_and_auc_of_known_judges() -> None:
    def graded(person: str, truth: str, verdict: Verdict, sureness: int | None) -> Judgement:
        return Judgement(0, "m", person, truth, verdict, sureness)

    perfect = [graded("a", "S", Verdict.ARTIFICIAL, 100), graded("a", HUMAN, Verdict.HUMAN, 100)]
    coin = [graded("b", "S", Verdict.CANNOT_TELL, None), graded("b", HUMAN, Verdict.CANNOT_TELL, 90)]
    assert (judge_quality(perfect).brier, judge_quality(perfect).auc) == (0, 1)
    assert (judge_quality(coin).brier, judge_quality(coin).auc) == (0.25, 0.5)
    unsaid = judge_quality([graded("c", "S", Verdict.ARTIFICIAL, None)])
    assert (unsaid.without_sureness, unsaid.brier, unsaid.auc) == (1, None, None)
    assert probability_artificial(graded("d", "S", Verdict.HUMAN, 40)) == pytest.approx(0.3)
    assert judge_quality([graded("e", "S", Verdict.ARTIFICIAL, 50)]).auc is None


def test_auc_is_the_share_of_rightly_ordered_pairs() -> None:
    rng = np.random.default_rng(7)
    log = [
        Judgement(n, "m", f"p{n % 9}", "S" if n % 3 else HUMAN, rng.choice(list(Verdict)), int(rng.integers(0, 101)))
        for n in range(120)
    ]
    said = [(probability_artificial(one), one.of_human) for one in log]
    programs = [p for p, human in said if not human and p is not None]
    humans = [p for p, human in said if human and p is not None]
    share = np.mean([(a > b) + 0.5 * (a == b) for a in programs for b in humans])
    quality = judge_quality(log)
    assert quality.auc == pytest.approx(share)
    assert quality.auc_interval is not None
    assert 0.5 in quality.auc_interval


def test_auc_intervals_cover_when_judges_differ() -> None:
    rng = np.random.default_rng(9)
    covered = 0
    gap = 0.8
    truth = norm.cdf(gap / np.sqrt(2 * (1 + 0.5**2)))
    for _ in range(200):
        log = []
        for judge in range(30):
            habit = rng.normal(0, 0.5)
            for n in range(10):
                feeling = habit + rng.normal(gap * (n % 2), 1)
                sureness = round(100 * abs(erf(feeling / 2**0.5)))
                verdict = Verdict.ARTIFICIAL if feeling > 0 else Verdict.HUMAN
                log.append(Judgement(n, "m", f"j{judge}", "S" if n % 2 else HUMAN, verdict, sureness))
        interval = judge_quality(log).auc_interval
        covered += interval is not None and truth in interval
    assert covered / 200 > 0.85


def test_the_table_puts_every_strategy_beside_the_humans() -> None:
    rng = np.random.default_rng(0)
    log = []
    for match in range(300):
        person = f"p{match % 20}"
        for truth, human in (("good", 0.62), (HUMAN, 0.62)) if match % 2 else (("bad", 0.2), (HUMAN, 0.62)):
            log.append(judgement(match, person, truth, bool(rng.random() > human), f"m{match}"))
    everything = TuringSettings(meetings="all")
    table = turing_table(log, everything)
    assert list(table.strategies) == ["bad", "good"]
    assert 0.62 in table.humans.interval
    bad, good = table.strategies["bad"], table.strategies["good"]
    assert bad.difference.interval().high < -0.2
    assert bad.e_told_apart > ENOUGH > good.e_told_apart
    assert not bad.equivalence.equivalent
    assert (bad.pairs, good.pairs) == (150, 150)
    assert bad.judged_human.judgements == 150
    assert turing_table(in_order(log)[::-1], everything) == table
    assert binomtest(int(bad.judged_human.share * 150), 150, 0.62).pvalue < 0.001


def test_calibration_and_roc_of_known_judges() -> None:
    """Nine of ten seats that are called artificial with 80 % (sure by 60) are programs: too little sure."""
    log = [Judgement(n, "m", f"p{n % 5}", "S" if n % 10 else HUMAN, Verdict.ARTIFICIAL, 60) for n in range(100)] + [
        Judgement(n, "m", f"p{n % 5}", HUMAN, Verdict.HUMAN, 100) for n in range(100)
    ]
    told = calibration(log)
    assert told is not None
    assert [one.stated for one in told.bins] == pytest.approx([0.0, 0.8])
    assert [one.artificial.share for one in told.bins] == pytest.approx([0.0, 0.9])
    brier = judge_quality(log).brier
    assert told.miscalibration - told.resolution + told.uncertainty == pytest.approx(brier)
    points = roc(log)
    assert [(one.hits, one.false_alarms) for one in points] == [(0, 0), (1, pytest.approx(10 / 110)), (1, 1)]
    area = sum((b.false_alarms - a.false_alarms) * (a.hits + b.hits) / 2 for a, b in pairwise(points))
    assert area == pytest.approx(judge_quality(log).auc)
    assert roc(log[100:]) == []
    assert calibration([]) is None
