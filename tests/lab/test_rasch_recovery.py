"""The Rasch estimates against known truth, over a hundred seeded data sets with missing cells and repeated trials."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from lab.arrays import Floats
from lab.rasch import fit_joint, fit_marginal, report
from tests.lab.simulated import answer, sparse

SETS = 100


@cache
def recovered() -> tuple[Floats, Floats, Floats, Floats]:
    """Errors and standard errors of difficulties, then of abilities, over all data sets."""
    item_errors, item_ses, person_errors, person_ses = [], [], [], []
    for seed in range(SETS):
        responses, ability, difficulty = sparse(seed)
        model = fit_marginal(responses)
        item_errors.append(model.difficulty - difficulty)
        item_ses.append(model.difficulty_se)
        person_errors.append(model.ability - ability)
        person_ses.append(model.ability_se)
    return tuple(np.concatenate(part) for part in (item_errors, item_ses, person_errors, person_ses))  # type: ignore[return-value]  # four lists, four arrays


def test_difficulties_are_recovered() -> None:
    errors, _, _, _ = recovered()
    assert np.sqrt(np.mean(errors**2)) < 0.215
    assert abs(np.mean(errors)) < 0.02


def test_intervals_of_difficulties_cover_the_truth_in_95_percent() -> None:
    errors, ses, _, _ = recovered()
    assert np.mean(np.abs(errors) < 1.96 * ses) == pytest.approx(0.95, abs=0.015)


def test_intervals_of_abilities_cover_the_truth_in_95_percent() -> None:
    _, _, errors, ses = recovered()
    assert np.mean(np.abs(errors) < 1.96 * ses) == pytest.approx(0.95, abs=0.01)


def test_the_fast_estimate_orders_items_like_the_marginal_one_and_is_near_it() -> None:
    for seed in range(10):
        responses, _, _ = sparse(seed)
        marginal, quick = fit_marginal(responses), fit_joint(responses)
        centred = marginal.difficulty - marginal.difficulty.mean()
        assert np.corrcoef(centred, quick.difficulty)[0, 1] > 0.995
        assert np.max(np.abs(centred - quick.difficulty)) < 0.35


def test_the_fast_estimate_started_from_the_last_one_gives_the_same_in_fewer_rounds() -> None:
    responses, _, _ = sparse(3)
    first = fit_joint(responses)
    again = fit_joint(responses, start=first)
    assert again.rounds < first.rounds / 2
    assert again.difficulty == pytest.approx(first.difficulty, abs=1e-3)


def test_mean_squares_are_one_where_the_model_holds() -> None:
    squares = [report(sparse(seed)[0]) for seed in range(10)]
    assert np.nanmean([person.outfit for one in squares for person in one.persons]) == pytest.approx(1, abs=0.03)
    assert np.mean([item.outfit for one in squares for item in one.items]) == pytest.approx(1, abs=0.03)
    assert np.mean([item.infit for one in squares for item in one.items]) == pytest.approx(1, abs=0.02)


def test_random_answers_show_in_infit_and_outfit() -> None:
    rng = np.random.default_rng(5)
    ability, difficulty = rng.normal(0, 2, 200), rng.normal(0, 1.5, 30)
    person, item = np.divmod(np.arange(200 * 30), 30)
    responses = answer(ability, difficulty, person, item, rng)
    guessed = responses.successes.copy()
    guessed[item == 7] = rng.integers(0, 2, 200)
    broken = type(responses)(responses.persons, responses.items, person, item, responses.trials, guessed)
    worst = max(report(broken).items, key=lambda one: one.outfit)
    assert worst.item == "s7"
    assert worst.infit > 1.3


def test_reliability_is_the_squared_correlation_with_the_truth() -> None:
    responses, ability, _ = sparse(11, people=2000, items=20, met=0.5)
    shown = report(responses)
    estimate = np.array([person.ability for person in shown.persons])
    truth = ability[[int(person.person[1:]) for person in shown.persons]]
    assert shown.reliability.eap == pytest.approx(np.corrcoef(estimate, truth)[0, 1] ** 2, abs=0.03)
    assert shown.reliability.wle == pytest.approx(shown.reliability.eap, abs=0.1)
    assert shown.reliability.items > 0.95


def test_thousands_of_trials_per_person_are_integrated_exactly() -> None:
    """Long records make posteriors narrower than a fixed grid of nodes could see."""
    rng = np.random.default_rng(8)
    ability, difficulty = rng.normal(0, 1.5, 60), np.array([-1.0, 0.0, 1.0])
    person, item = np.repeat(np.arange(60), 3000), np.tile(np.arange(3), 60000)
    model = fit_marginal(answer(ability, difficulty, person, item, rng))
    shift = np.mean(model.difficulty)
    assert model.difficulty - shift == pytest.approx(difficulty, abs=0.05)
    # the scale is fixed by the mean ability, which is not exactly 0 in a sample
    assert model.ability - shift == pytest.approx(ability, abs=0.25)
    assert model.sigma == pytest.approx(np.sqrt(np.mean((ability + shift) ** 2)), rel=0.02)
