"""Learning curves, with and without those who stop."""

from __future__ import annotations

import numpy as np
import pytest

from lab.judgements import Judgement
from lab.learning import learning, lessons
from tests.lab.simulated import judgement


def stopping(seed: int, people: int = 400, longest: int = 12) -> list[Judgement]:
    """Nobody learns; who is wrong often stops, so the better judges remain."""
    rng, log = np.random.default_rng(seed), []
    for person in range(people):
        own = rng.normal(0.55, 0.2)
        for turn in range(longest):
            right = bool(rng.random() < min(max(own, 0.02), 0.98))
            log.append(judgement(turn, f"p{person}", "S", right, f"{person}-{turn}"))
            if not right and rng.random() < 0.35:
                break
    return log


def test_those_who_remain_look_like_learning_and_the_corrected_curve_does_not() -> None:
    log = stopping(1)
    plain = [lesson.programs_right / lesson.programs for lesson in lessons(log)]
    corrected = learning(log)
    assert np.mean(plain[-3:]) - plain[0] > 0.1
    assert abs(np.mean([point.right for point in corrected[-3:]]) - corrected[0].right) < 0.04


def test_the_corrected_curve_equals_lme4() -> None:
    """R 4.2, lme4: lmer(right ~ 0 + factor(number) + (1 | person), data, REML = FALSE)."""
    points = learning(stopping(1))
    curve = [0.5400, 0.5296, 0.5449, 0.5647, 0.5573, 0.5585, 0.5636, 0.5508, 0.4682, 0.5488, 0.5388, 0.5204]
    errors = [0.0245, 0.0267, 0.0295, 0.0318, 0.0341, 0.0366, 0.0394, 0.0417, 0.0438, 0.0471, 0.0500, 0.0535]
    assert [point.right for point in points] == pytest.approx(curve, abs=2e-4)
    assert [point.se for point in points] == pytest.approx(errors, abs=2e-4)


def test_nothing_gives_no_curve() -> None:
    assert learning([]) == []
