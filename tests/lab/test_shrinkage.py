"""Empirical Bayes: the best of many is not as good as it looks."""

from __future__ import annotations

import numpy as np
import pytest

from lab.shrinkage import d_prime_above, shrink


def test_shrunken_estimates_of_the_best_cover_where_plain_ones_do_not() -> None:
    rng = np.random.default_rng(1)
    plain = shrunken = 0
    for _ in range(300):
        truth, errors = rng.normal(0, 0.1, 40), rng.uniform(0.05, 0.15, 40)
        seen = truth + errors * rng.standard_normal(40)
        best = int(np.argmax(seen))
        drawn = shrink(seen, errors)
        plain += abs(seen[best] - truth[best]) <= 1.96 * errors[best]
        shrunken += abs(drawn.estimate[best] - truth[best]) <= 1.96 * drawn.se[best]
    assert plain / 300 < 0.85
    assert shrunken / 300 > 0.91


def test_the_spread_is_that_of_paule_and_mandel() -> None:
    """At it, squared distances in units of their variances add up to the degrees of freedom; R 4.2:
    uniroot(function(t) sum((y - weighted.mean(y, 1 / (s^2 + t)))^2 / (s^2 + t)) - 4, c(0, 100)) gives 0.5428548."""
    seen, errors = np.array([0.1, 1.2, -0.4, 0.9, 1.8]), np.array([0.3, 0.5, 0.4, 0.2, 0.6])
    assert shrink(seen, errors).spread ** 2 == pytest.approx(0.5428548, abs=1e-3)
    assert shrink(np.array([0.1, 0.11, 0.09]), np.full(3, 0.5)).spread == 0
    with pytest.raises(ValueError, match="finite standard error"):
        shrink(seen, np.zeros(5))


def test_few_judgements_convince_nobody_and_many_do() -> None:
    plain = np.tile([5.0, 10.0, 4.0, 10.0], (40, 1))
    few, many = [4.0, 4.0, 0.0, 4.0], [95.0, 100.0, 5.0, 100.0]
    above = d_prime_above(np.vstack((plain, few, many)), 1.0)
    assert above[0] < 0.1
    assert above[-2] < 0.6
    assert above[-1] > 0.99
