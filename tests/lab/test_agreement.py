"""Cohen's kappa against figures worked out by hand and against its defining properties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.agreement import cohens_kappa

CODES = st.sampled_from(["right", "wrong", "unclear"])


def test_a_two_by_two_table_worked_out_by_hand() -> None:
    # 20 both yes, 5 yes/no, 10 no/yes, 15 both no: observed .7, expected .5*.6 + .5*.4 = .5, kappa .4
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    agreement = cohens_kappa(first, second)
    assert agreement.observed == pytest.approx(0.7)
    assert agreement.expected == pytest.approx(0.5)
    assert agreement.kappa == pytest.approx(0.4)
    assert agreement.interval is not None
    low, high = agreement.interval
    assert low == pytest.approx(0.4 - 1.959964 * 0.12701, abs=1e-3)
    assert high == pytest.approx(0.4 + 1.959964 * 0.12701, abs=1e-3)


@given(st.lists(CODES, min_size=2).filter(lambda codes: len(set(codes)) > 1))
def test_a_coder_agrees_perfectly_with_herself(codes: list[str]) -> None:
    assert cohens_kappa(codes, codes).kappa == pytest.approx(1)


@given(st.lists(st.tuples(CODES, CODES), min_size=1))
def test_kappa_does_not_care_who_is_first(pairs: list[tuple[str, str]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    one, other = cohens_kappa(first, second), cohens_kappa(second, first)
    assert one.kappa == (None if other.kappa is None else pytest.approx(other.kappa))


def test_where_it_is_undefined_it_says_so() -> None:
    assert cohens_kappa([], []).kappa is None
    assert cohens_kappa(["right"] * 3, ["right"] * 3).kappa is None
    with pytest.raises(ValueError, match="same answers"):
        cohens_kappa(["right"], [])
