"""Numbers in the form of the page's language."""

import pytest

from server.web.figures import figure, percent, significant
from server.web.rendering import environment


@pytest.mark.parametrize(
    ("value", "digits", "english", "german"),
    [
        (0.7349, 2, "0.73", "0,73"),
        (-1.5, 1, "−1.5", "−1,5"),
        (12345.0, 0, "12,345", "12.345"),
        (2.0, 2, "2.00", "2,00"),
        (None, 2, "–", "–"),
    ],
)
def test_both_languages(value: float | None, digits: int, english: str, german: str) -> None:
    assert figure(value, digits, language="en") == english
    assert figure(value, digits, language="de") == german


def test_shares() -> None:
    assert percent(0.255, 1, language="de") == "25,5\u00a0%"
    assert percent(None, language="en") == "–"


def test_what_may_be_very_large_or_very_small() -> None:
    assert significant(0.012345, language="de") == "0,0123"
    assert significant(1.5e-7, language="en") == "1.5e−07"


@pytest.mark.parametrize(("language", "count"), [("en", "24,000"), ("de", "24.000")])
def test_counts_in_sentences(language: str, count: str) -> None:
    page = environment(language).from_string("{{ ngettext('%(num)s of them', '%(num)s of all', number) }}")
    assert page.render(number=24_000) == f"{count} of all"
    assert page.render(number=1) == "1 of them"
