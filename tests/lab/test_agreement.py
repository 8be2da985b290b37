"""Cohen's kappa against figures worked out by hand and against its defining properties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.agreement import cohens_kappa, intraclass, judges_agree, krippendorff_alpha
from lab.simulation.verdicts import World, verdicts

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


KRIPPENDORFF = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)
"""Four observers and twelve units, "." where somebody did not judge (Krippendorff 2011); alpha is .743."""


def test_alpha_gives_the_published_figure() -> None:
    columns = zip(*(row.split() for row in KRIPPENDORFF), strict=True)
    assert krippendorff_alpha([[value for value in unit if value != "."] for unit in columns]) == pytest.approx(
        0.743, abs=5e-4
    )


def test_the_intraclass_correlation_equals_psych() -> None:
    """Shrout and Fleiss (1979); R 4.2, psych: ICC(data)$results, ICC1."""
    ratings = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    assert intraclass(ratings) == pytest.approx(0.1657418, abs=1e-6)


def test_without_difference_or_company_there_is_no_agreement_to_speak_of() -> None:
    assert krippendorff_alpha([["human", "human"], ["human", "human"]]) is None
    assert krippendorff_alpha([["human"]]) is None
    assert intraclass([[1.0, 2.0]]) is None


def test_judges_agree_about_what_happened_at_the_table() -> None:
    """Two judges see the same program play; how it plays differs from match to match, or only the judges differ."""
    shared = judges_agree(verdicts(World(plays=2.0, matches=40), 2))
    apart = judges_agree(verdicts(World(criteria=1.5, matches=40), 2))
    assert shared.seats == apart.seats == 800
    assert shared.alpha is not None
    assert apart.alpha is not None
    assert shared.alpha > 0.2 > apart.alpha + 0.05
