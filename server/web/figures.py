"""Numbers as a language writes them: 0.73 in English is 0,73 in German."""

from __future__ import annotations

from functools import cache

from babel import Locale
from babel.numbers import format_decimal, get_decimal_symbol


def figure(value: float | None, digits: int = 2, *, language: str) -> str:
    """With so many digits after the decimal sign, and a real minus sign; a dash for none."""
    if value is None:
        return "–"
    text = format_decimal(round(value, digits), format=_pattern(digits), locale=Locale.parse(language))
    return text.replace("-", "−")


def percent(share: float | None, digits: int = 0, *, language: str) -> str:
    """A share of one as per cent, with the space between number and sign that both languages have here."""
    return "–" if share is None else f"{figure(100 * share, digits, language=language)}\u00a0%"


def significant(value: float, digits: int = 3, *, language: str) -> str:
    """With so many digits that count, for what may be very large or very small."""
    return f"{value:.{digits}g}".replace(".", get_decimal_symbol(Locale.parse(language))).replace("-", "−")


@cache
def _pattern(digits: int) -> str:
    return "#,##0" + ("." + "0" * digits if digits else "")
