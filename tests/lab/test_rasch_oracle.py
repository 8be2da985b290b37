"""The Rasch estimates against published figures for the LSAT 6 data, to the printed digits."""

from __future__ import annotations

import numpy as np
import pytest

from lab.rasch import fit_marginal, gather, report
from tests.lab.conditional import fit_conditional
from tests.lab.lsat6 import lsat6


def test_the_data_have_the_published_item_sums() -> None:
    assert lsat6().item_scores.tolist() == [924, 709, 553, 763, 870]
    assert len(lsat6().persons) == 1000


def test_marginal_maximum_likelihood_gives_the_printed_digits() -> None:
    model = fit_marginal(lsat6())
    assert model.difficulty.round(4).tolist() == [-2.7300, -0.9986, -0.2399, -1.3065, -2.0994]
    assert round(model.sigma, 4) == 0.7551
    assert round(model.log_likelihood, 4) == -2466.9376
    assert not model.sigma_by_prior


def test_more_nodes_change_nothing() -> None:
    coarse, fine = fit_marginal(lsat6(), nodes=21), fit_marginal(lsat6(), nodes=61)
    assert coarse.difficulty == pytest.approx(fine.difficulty, abs=1e-5)
    assert coarse.log_likelihood == pytest.approx(fine.log_likelihood, abs=1e-5)


def test_conditional_maximum_likelihood_gives_the_printed_digits() -> None:
    model = fit_conditional(lsat6())
    assert model.difficulty.round(4).tolist() == [-1.2561, 0.4749, 1.2360, 0.1684, -0.6232]
    assert model.difficulty_se.round(4).tolist() == [0.1044, 0.0699, 0.0688, 0.0726, 0.0859]


def test_the_report_is_centred_and_agrees_with_the_conditional_estimate() -> None:
    shown = report(lsat6())
    difficulty = np.array([item.difficulty for item in shown.items])
    assert difficulty.sum() == pytest.approx(0, abs=1e-12)
    assert difficulty == pytest.approx(fit_conditional(lsat6()).difficulty, abs=0.003)
    assert [item.se for item in shown.items] == pytest.approx(fit_conditional(lsat6()).difficulty_se, abs=0.001)
    assert shown.ability_mean == pytest.approx(1.4749, abs=1e-4)


def test_conditional_estimation_refuses_what_it_cannot_use() -> None:
    with pytest.raises(ValueError, match="one answer in every cell"):
        fit_conditional(gather([("a", "x", 1), ("a", "y", 0), ("b", "x", 1)]))
    with pytest.raises(ValueError, match="no finite estimate: x"):
        fit_conditional(gather([("a", "x", 1), ("a", "y", 0), ("b", "x", 1), ("b", "y", 1)]))
