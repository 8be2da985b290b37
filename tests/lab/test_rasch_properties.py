"""What must hold for every table of responses, however odd."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.judgements import HUMAN
from lab.rasch import detections, fit_joint, fit_marginal, gather, report
from lab.rasch.abilities import warm_abilities
from lab.rasch.marginal import _Likelihood
from lab.rasch.patterns import lay_out
from lab.rasch.wright import wright_map
from tests.lab.conditional import symmetric_functions
from tests.lab.simulated import judgement, sparse

Rows = list[tuple[str, str, int]]

tables = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.sampled_from(["x", "y", "z", "u"]), st.integers(0, 1)),
    min_size=1,
    max_size=40,
)


@given(tables)
@settings(max_examples=60, deadline=None)
def test_every_table_has_finite_estimates_and_errors(rows: Rows) -> None:
    shown = report(gather(rows))
    for number in (one for item in shown.items for one in (item.difficulty, item.se, item.infit, item.outfit)):
        assert math.isfinite(number)
    for person in shown.persons:
        assert all(map(math.isfinite, (person.ability, person.se, person.infit, person.outfit, person.wle)))
        assert person.se > 0.02
    assert sum(item.difficulty for item in shown.items) == pytest.approx(0, abs=1e-9)


@given(tables, st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_the_order_of_rows_changes_no_estimate(rows: Rows, chance: object) -> None:
    shuffled = sorted(rows, key=lambda _: chance.random())  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    first = {item.item: item.difficulty for item in report(gather(rows)).items}
    second = {item.item: item.difficulty for item in report(gather(shuffled)).items}
    assert first == pytest.approx(second, abs=1e-6)


@given(tables)
@settings(max_examples=30, deadline=None)
def test_turning_all_answers_round_turns_the_scale_round(rows: Rows) -> None:
    first = fit_marginal(gather(rows))
    second = fit_marginal(gather([(person, item, 1 - response) for person, item, response in rows]))
    assert first.difficulty == pytest.approx(-second.difficulty, abs=1e-4)
    assert first.ability == pytest.approx(-second.ability, abs=1e-4)


def test_gradient_and_information_are_the_derivatives_of_the_likelihood() -> None:
    responses, _, _ = sparse(1, people=40, items=6, met=0.6)
    likelihood = _Likelihood(responses, lay_out(responses), nodes=41, sigma_prior=True)
    at = np.append(np.linspace(-1, 1, 6), 0.3)
    exact = likelihood.evaluate(at)
    step = 1e-4
    for place in range(7):
        ahead, behind = at.copy(), at.copy()
        ahead[place] += step
        behind[place] -= step
        slope = (likelihood.value(ahead) - likelihood.value(behind)) / (2 * step)
        assert exact.gradient[place] == pytest.approx(slope, abs=1e-5)
        bend = (likelihood.evaluate(ahead).gradient - likelihood.evaluate(behind).gradient) / (2 * step)
        assert exact.information[place] == pytest.approx(-bend, abs=1e-4)


def test_a_strategy_that_everyone_detects_is_easiest_and_finite() -> None:
    rows = [(f"p{n}", "always", 1) for n in range(50)] + [(f"p{n}", "never", 0) for n in range(50)]
    rows += [(f"p{n}", "half", n % 2) for n in range(50)]
    found = {item.item: item for item in report(gather(rows)).items}
    assert found["always"].difficulty < -3 < 0 < 3 < found["never"].difficulty
    assert found["always"].perfect
    assert found["never"].perfect
    assert not found["half"].perfect
    assert found["always"].se > 1.5 * found["half"].se


def test_persons_with_perfect_scores_are_finite_and_longer_records_say_more() -> None:
    rows = [("short", f"s{n}", 1) for n in range(3)] + [("long", f"s{n}", 1) for n in range(20)]
    rows += [(f"p{n}", f"s{m}", (n * 7 + m * 3) % 2) for n in range(30) for m in range(20)]
    found = {person.person: person for person in report(gather(rows)).persons}
    assert found["long"].ability > found["short"].ability > 0
    assert found["long"].wle > found["short"].wle


def test_repeated_trials_are_the_same_as_single_ones_added_up() -> None:
    responses = gather([("a", "x", 1), ("a", "x", 0), ("a", "x", 1), ("b", "x", 0)])
    assert responses.trials.tolist() == [3, 1]
    assert responses.successes.tolist() == [2, 0]


def test_persons_with_the_same_pattern_are_computed_once() -> None:
    rows = [(f"p{n}", item, n % 2) for n in range(100) for item in ("x", "y")]
    assert lay_out(gather(rows)).patterns == 2


def test_warm_estimates_solve_their_equation() -> None:
    responses, _, difficulty = sparse(2, people=30, items=10)
    ability, se = warm_abilities(responses, difficulty)
    for index in np.flatnonzero(responses.person_trials):
        own = responses.person == index
        success = 1 / (1 + np.exp(difficulty[responses.item[own]] - ability[index]))
        spread = responses.trials[own] * success * (1 - success)
        slope = np.sum(responses.successes[own] - responses.trials[own] * success)
        slope += np.sum(spread * (1 - 2 * success)) / (2 * np.sum(spread))
        assert slope == pytest.approx(0, abs=1e-6)
        assert se[index] == pytest.approx(np.sum(spread) ** -0.5)


@given(st.lists(st.floats(0.1, 5), min_size=1, max_size=6))
def test_symmetric_functions_are_sums_of_products(values: list[float]) -> None:
    expected = [sum(math.prod(some) for some in combinations(values, size)) for size in range(len(values) + 1)]
    assert symmetric_functions(np.array(values)) == pytest.approx(expected)


def test_the_map_holds_everybody_once() -> None:
    shown = report(sparse(4)[0])
    bins = wright_map(shown)
    assert sum(one.persons for one in bins) == len(shown.persons)
    assert sorted(name for one in bins for name in one.items) == sorted(item.item for item in shown.items)
    assert all(first.high == second.low for first, second in pairwise(bins))


def test_accusing_a_human_counts_against_ability() -> None:
    log = [judgement(n, "a", "s", True) for n in range(3)] + [judgement(n, "a", HUMAN, True) for n in range(3)]
    against, alike = detections(log), detections(log, human_counts_against=False)
    assert dict(zip(against.items, against.successes.tolist(), strict=True)) == {"s": 3, HUMAN: 0}
    assert dict(zip(alike.items, alike.successes.tolist(), strict=True)) == {"s": 3, HUMAN: 3}


def test_bad_responses_are_refused() -> None:
    with pytest.raises(ValueError, match="must be 0 or 1, not 2"):
        gather([("a", "x", 2)])
    with pytest.raises(ValueError, match="no responses"):
        fit_marginal(gather([]))
    assert fit_joint(gather([("a", "x", 1)])).ability[0] > 0
