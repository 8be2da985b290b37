"""What the Rasch report says about its own limits: fit by convention, errors that hold, designs that fall apart."""

from __future__ import annotations

import numpy as np
import pytest

from lab.rasch import gather, report
from lab.rasch.connected import parts
from lab.rasch.dependence import dependences
from lab.rasch.dif import differing
from lab.rasch.fit import at_estimates
from lab.rasch.responses import Responses, from_arrays
from lab.rasch.two_parameter import fit_two_parameter, slope_test
from tests.lab.conditional import fit_conditional
from tests.lab.lsat6 import lsat6
from tests.lab.simulated import names


def test_items_that_nobody_has_in_common_are_told() -> None:
    rows = [("ann", "s1", 1), ("ann", "s2", 0), ("bob", "s2", 1), ("cem", "s3", 0), ("dan", "s3", 1), ("dan", "s4", 0)]
    assert parts(gather(rows)) == (("s1", "s2"), ("s3", "s4"))
    assert parts(gather([*rows, ("bob", "s4", 1)])) == (("s1", "s2", "s3", "s4"),)


def test_robust_errors_cover_where_persons_have_views_of_single_items() -> None:
    """Each person meets each item eight times and has an own view of it, which the model does not know."""
    plain = robust = count = 0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        person, item = (each.ravel() for each in np.meshgrid(np.arange(60), np.arange(8), indexing="ij"))
        eta = rng.normal(0, 1, 60)[person] + rng.normal(0, 1.0, len(person))
        ones = rng.binomial(8, 1 / (1 + np.exp(-eta))).astype(np.float64)
        answers = (np.arange(8)[None, :] < ones[:, None]).astype(np.float64).ravel()
        told = report(from_arrays(names("p", 60), names("s", 8), np.repeat(person, 8), np.repeat(item, 8), answers))
        plain += sum(abs(one.difficulty) <= 1.96 * one.se for one in told.items)
        robust += sum(abs(one.difficulty) <= 1.96 * one.robust_se for one in told.items)
        count += 8
    assert plain / count < 0.85
    assert robust / count > 0.91


def test_robust_errors_are_the_plain_ones_where_the_model_holds() -> None:
    rng = np.random.default_rng(1)
    person, item = (each.ravel() for each in np.meshgrid(np.arange(2000), np.arange(6), indexing="ij"))
    eta = rng.normal(0, 1, 2000)[person] - np.linspace(-1, 1, 6)[item]
    answers = (rng.random(len(eta)) < 1 / (1 + np.exp(-eta))).astype(np.float64)
    told = report(from_arrays(names("p", 2000), names("s", 6), person, item, answers))
    assert [one.robust_se for one in told.items] == pytest.approx([one.se for one in told.items], rel=0.05)


def test_infit_and_outfit_at_the_estimates_equal_erm() -> None:
    """R 4.2, eRm: itemfit(person.parameter(RM(LSAT6))), whose persons are estimated by maximum likelihood and leave out
    those with perfect scores."""
    responses, difficulty = lsat6(), fit_conditional(lsat6()).difficulty
    scores = responses.person_scores
    kept = np.flatnonzero((scores > 0) & (scores < 5))
    number = np.full(len(scores), -1)
    number[kept] = np.arange(len(kept))
    rows = number[responses.person] >= 0
    some = Responses(
        tuple(responses.persons[n] for n in kept),
        responses.items,
        number[responses.person[rows]],
        responses.item[rows],
        responses.trials[rows],
        responses.successes[rows],
    )
    ability = np.array([np.nan, -1.6015334, -0.4743284, 0.4808631, 1.5999474])[scores[kept].astype(int)]
    fit = at_estimates(some, ability, difficulty).items
    assert fit.outfit == pytest.approx([0.8007543, 0.9577207, 0.9494239, 0.9437631, 0.8720787], abs=2e-4)
    assert fit.infit == pytest.approx([0.8277195, 0.9679957, 0.9727980, 0.9540930, 0.8952980], abs=2e-4)


def test_the_two_parameter_model_gives_the_published_digits() -> None:
    """The LSAT 6 figures of R's ltm: discriminations, log-likelihood, and the test against Rasch."""
    model = fit_two_parameter(lsat6())
    assert model.slope == pytest.approx([0.8254, 0.7229, 0.8905, 0.6886, 0.6575], abs=2e-3)
    assert model.difficulty == pytest.approx([-3.3597, -1.3696, -0.2799, -1.8659, -3.1236], abs=5e-3)
    assert model.log_likelihood == pytest.approx(-2466.653, abs=1e-3)
    test = slope_test(lsat6())
    assert (test.df, round(test.chi_squared, 2)) == (4, 0.57)
    assert test.p > 0.9


def answered(slopes: list[float], shifts: list[float], seed: int, people: int = 400) -> Responses:
    rng = np.random.default_rng(seed)
    person, item = (each.ravel() for each in np.meshgrid(np.arange(people), np.arange(len(slopes)), indexing="ij"))
    eta = np.array(slopes)[item] * rng.normal(0, 1, people)[person] - np.array(shifts)[item]
    ones = (rng.random(len(eta)) < 1 / (1 + np.exp(-eta))).astype(np.float64)
    return from_arrays(names("p", people), names("s", len(slopes)), person, item, ones)


def test_unequal_slopes_are_told_from_equal_ones() -> None:
    shifts = np.linspace(-1, 1, 8).tolist()
    assert slope_test(answered([0.3] * 4 + [2.0] * 4, shifts, 1)).p < 1e-4
    alike = [slope_test(answered([1.0] * 8, shifts, seed)).p for seed in range(20)]
    assert np.mean(np.array(alike) < 0.05) <= 0.15


def group_rows(seed: int, harder: float) -> list[tuple[str, str, int, str]]:
    """Two groups, the second much more able; item s0 is harder for the second group by so much."""
    rng = np.random.default_rng(seed)
    rows = []
    for person in range(400):
        group = person % 2
        ability = rng.normal(group, 1)
        for item, difficulty in enumerate(np.linspace(-1, 1, 8)):
            eta = ability - difficulty - (harder if item == 0 and group else 0)
            rows.append((f"p{person}", f"s{item}", int(rng.random() < 1 / (1 + np.exp(-eta))), "ab"[group]))
    return rows


def test_an_item_that_is_harder_for_one_group_is_found_and_being_able_is_no_difference() -> None:
    found = differing(group_rows(1, 1.5))
    assert found[0].item == "s0"
    assert found[0].adjusted_p < 0.001
    assert found[0].difficulty["b"] - found[0].difficulty["a"] > 0.8
    false = [differing(group_rows(seed, 0.0))[0].adjusted_p < 0.05 for seed in range(2, 14)]
    assert sum(false) <= 2
    assert differing([("ann", "s1", 1, "a")]) == []


def generation_rows(seed: int, harder: float = 0.0, views: float = 0.0) -> list[tuple[str, str, int, str]]:
    """Six generations of eight strategies, of which half live on into the next one; everybody judges in all, three
    times each, and learns. Strategy s4 is harder in its second generation by so much."""
    rng = np.random.default_rng(seed)
    ability, view = rng.normal(0, 1, 60), views * rng.normal(0, 1, (60, 29))
    rows = []
    for generation in range(6):
        for item in (*range(4 * generation, 4 * generation + 8), 28):
            moved = harder if (item, generation) == (4, 1) else 0.0
            eta = ability + 0.15 * generation - np.sin(item) + view[:, item] - moved
            said = rng.random((3, 60)) < 1 / (1 + np.exp(-eta))
            name = "human" if item == 28 else f"s{item}"
            rows += [(f"p{place[1]}", name, int(one), str(generation)) for place, one in np.ndenumerate(said)]
    return rows


def test_generations_that_share_strategies_with_their_neighbours_alone_are_compared() -> None:
    """No strategy is met in all of them, so a comparison on what all have in common would find nothing to compare."""
    found = differing(generation_rows(3, harder=1.5))
    assert (found[0].item, set(found[0].difficulty)) == ("s4", {"0", "1"})
    assert found[0].adjusted_p < 0.001
    assert found[0].difficulty["1"] - found[0].difficulty["0"] == pytest.approx(1.5, abs=0.5)
    assert {one.item for one in found} == {"human", *(f"s{n}" for n in range(4, 24))}
    assert {one.item: one.df for one in found}["human"] == 5


@pytest.mark.parametrize("views", [0.0, 1.0])
def test_where_nothing_differs_few_are_called_different_though_the_same_people_judge_again(views: float) -> None:
    found = [one for seed in range(12) for one in differing(generation_rows(seed, views=views))]
    assert np.mean([one.p < 0.05 for one in found]) < 0.09
    assert np.mean([one.adjusted_p < 0.05 for one in found]) < 0.02


def test_two_groups_that_share_one_strategy_cannot_be_compared_by_it() -> None:
    rows = [(f"p{n}", item, n * k % 3 % 2, group) for group in "ab" for n in range(60) for k, item in enumerate("xyz")]
    apart = [(who, item if item == "x" else item + group, one, group) for who, item, one, group in rows]
    assert differing(apart) == []


def test_separate_calibration_agrees_with_erm() -> None:
    """R 4.2, eRm: Waldtest(RM(LSAT6), splitcr = every other person), by conditional likelihood; squares of z."""
    responses = lsat6()
    rows = [
        (responses.persons[p], responses.items[i], int(y), "ab"[p % 2])
        for p, i, y in zip(responses.person.tolist(), responses.item.tolist(), responses.successes, strict=True)
    ]
    z = {"q1": 0.1750031, "q2": 0.0522339, "q3": 0.1614382, "q4": -0.1138110, "q5": -0.2881624}
    assert {one.item: one.chi_squared for one in differing(rows)} == pytest.approx(
        {item: value**2 for item, value in z.items()}, abs=0.02
    )


def test_q3_is_the_correlation_of_residuals_and_finds_a_pair_that_plays_alike() -> None:
    responses = answered([1.0] * 8, np.linspace(-1, 1, 8).tolist(), 3)
    copied = responses.successes.copy()
    of_first, of_second = responses.item == 0, responses.item == 1
    rng = np.random.default_rng(1)
    copied[of_second] = np.where(rng.random(400) < 0.6, copied[of_first], copied[of_second])
    alike = Responses(responses.persons, responses.items, responses.person, responses.item, responses.trials, copied)
    told = report(alike)
    ability = np.array([one.ability for one in told.persons])
    difficulty = np.array([one.difficulty for one in told.items])
    found = dependences(alike, ability, difficulty)
    assert [(one.first, one.second) for one in found if one.conspicuous] == [("s0", "s1")]
    residual = copied.reshape(400, 8) - 1 / (1 + np.exp(difficulty - ability[:, None]))
    assert found[0].q3 == pytest.approx(np.corrcoef(residual.T)[0, 1])
