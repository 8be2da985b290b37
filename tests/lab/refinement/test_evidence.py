"""The tests that a round decides by keep their error levels and can be told from one another."""

from dataclasses import replace

import numpy as np
import pytest

from lab.judgements import HUMAN, Judgement, Verdict
from lab.refinement.evidence import Evidence, believable, excess_bound, excess_p_value, fell
from lab.refinement.ratings import evidence_of
from lab.refinement.settings import DECIDED, RECOMMENDED


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
    rated = evidence_of(log, lambda one: one.person != "layman", {"Observing PALS": 0.4})
    found = rated.of(("Observing", "PALS"))
    assert found.judgements == 17
    assert found.believability == 0.4
    assert found.expert_rate == pytest.approx(0.5)
    # Each expert always says the same: sixteen judgements are worth about as much as four judges.
    assert 2 < found.expert_judgements < 5
    assert rated.humans.expert_judgements == 1
    assert rated.of(("PALS",)).judgements == 0
