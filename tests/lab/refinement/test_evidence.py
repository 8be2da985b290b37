"""The tests that a round decides by keep their error levels and can be told from one another."""

from dataclasses import replace

import numpy as np
import pytest

from lab.judgements import HUMAN, Judgement, Verdict
from lab.ratings import RatingSettings, rate
from lab.refinement.evidence import Evidence, believable, excess_bound, excess_p_value, fell
from lab.refinement.ratings import evidence_of, from_log
from lab.refinement.settings import DECIDED, RECOMMENDED
from lab.turing import TuringSettings


def seen(detections: float, judgements: float) -> Evidence:
    return Evidence(0.5, int(judgements), judgements, detections)


HUMANS = seen(60, 300)


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        (seen(40, 200), True),
        (seen(0, 9), False),  # too few
        (seen(0, 200), True),
        (seen(80, 200), False),
        (seen(56, 200), False),  # 28 %: the excess is not shown to be small
    ],
)
def test_believable_needs_enough_experts_who_detect_no_more_than_they_suspect_humans(
    evidence: Evidence, expected: bool
) -> None:
    verdict = believable(evidence, HUMANS, DECIDED)
    assert verdict.holds is expected, verdict.reason


def test_the_believable_test_keeps_its_level_at_the_margin() -> None:
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(2000):
        strategy, humans = seen(rng.binomial(60, 0.40), 60), seen(rng.binomial(300, 0.20), 300)
        wrong += excess_bound(strategy, humans, 0.2) < 0.2
    assert 0.16 < wrong / 2000 < 0.24


def test_the_fall_test_keeps_its_level_and_has_power() -> None:
    rng = np.random.default_rng(6)
    same = [excess_p_value(seen(rng.binomial(50, 0.2), 50), seen(rng.binomial(50, 0.2), 50)) for _ in range(2000)]
    worse = [excess_p_value(seen(rng.binomial(50, 0.6), 50), seen(rng.binomial(50, 0.2), 50)) for _ in range(500)]
    assert 0.03 < np.mean(np.array(same) < 0.05) < 0.08
    assert np.mean(np.array(worse) < 0.05) > 0.98


def test_nothing_is_concluded_from_nothing() -> None:
    assert excess_p_value(Evidence(), HUMANS) == 1
    assert excess_bound(Evidence(), HUMANS, 0.05) == 1
    assert excess_p_value(seen(5, 5), seen(5, 5)) == 1


def test_the_burden_of_proof_is_what_tells_the_readings_of_a_fall_apart() -> None:
    stripped, before = seen(5, 12), seen(4, 14)
    assert not fell(stripped, before, HUMANS, replace(DECIDED, fall="predecessor")).holds
    assert fell(stripped, before, HUMANS, replace(RECOMMENDED, fall="humans")).holds
    assert fell(stripped, before, HUMANS, replace(RECOMMENDED, fall="either")).holds


def _judgement(person: str, truth: str, artificial: bool, number: int) -> Judgement:
    return Judgement(number, f"m{number}", person, truth, Verdict.ARTIFICIAL if artificial else Verdict.HUMAN)


def test_evidence_of_a_log_counts_experts_alone_and_worth_as_independent_judgements() -> None:
    log = [_judgement(f"e{number % 4}", "Observing PALS", number % 4 < 2, number) for number in range(16)]
    log += [_judgement("layman", "Observing PALS", True, 20), _judgement("e1", HUMAN, False, 21)]
    rated = evidence_of(log, lambda one: one.person != "layman", {"Observing PALS": 0.4}, "all")
    found = rated.of(("Observing", "PALS"))
    assert found.judgements == 17
    assert found.believability == 0.4
    assert found.expert_rate == pytest.approx(0.5)
    # Each expert always says the same: sixteen judgements are worth about as much as four judges.
    assert 2 < found.expert_judgements < 5
    assert rated.humans.expert_judgements == 1
    assert rated.of(("PALS",)).judgements == 0


def test_what_an_expert_missed_and_met_again_does_not_make_a_strategy_believable() -> None:
    """Twelve experts; half detect it at once and are done with it, the others meet it again, and miss it again."""
    log = [
        _judgement(f"e{expert}", truth, artificial, 10 * again + expert)
        for expert in range(12)
        for again in range(5 if expert < 6 else 1)
        for truth, artificial in (("PALS", expert >= 6), (HUMAN, expert % 6 == 0))
    ]
    first, everything = (evidence_of(log, lambda _: True, {}, meetings) for meetings in ("first", "all"))
    assert first.of(("PALS",)).expert_judgements == pytest.approx(12, abs=1)
    assert first.of(("PALS",)).expert_rate == 0.5
    assert first.of(("PALS",)).judgements == everything.of(("PALS",)).judgements == 36
    assert first.humans.expert_rate == pytest.approx(1 / 6)
    assert everything.of(("PALS",)).expert_rate == pytest.approx(1 / 6)


def test_rounds_take_the_meetings_that_the_study_has_chosen() -> None:
    log = [
        Judgement(float(number), f"m{number}", f"p{number % 30}", truth, verdict)
        for number in range(1200)
        for truth, verdict in (
            (("A", "B", "C", "D")[number // 30 % 4], Verdict.ARTIFICIAL if number % 11 else Verdict.HUMAN),
            (HUMAN, Verdict.HUMAN if number % 7 else Verdict.ARTIFICIAL),
        )
    ]
    first, everything = (
        from_log(log, rate(log, RatingSettings(turing=TuringSettings(meetings=meetings, mixed=False))))
        for meetings in ("first", "all")
    )
    assert 0 < first.of(("A",)).expert_judgements <= 30
    assert everything.of(("A",)).expert_judgements > 30
    assert first.humans.expert_judgements < everything.humans.expert_judgements
