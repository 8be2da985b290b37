"""The operations that Python has no sign for, held to what they say."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels import language

WORDS = st.integers(-(1 << 63), (1 << 63) - 1)
PLACES = st.integers(0, 63)
ANY = st.integers()


def bits(number: int) -> str:
    return format(number % (1 << 64), "064b")


@given(ANY)
def test_wrapping_keeps_the_last_bits(number: int) -> None:
    for wrapped, width in ((language.wrap32(number), 32), (language.wrap64(number), 64)):
        assert (wrapped - number) % (1 << width) == 0
        assert -(1 << width - 1) <= wrapped < 1 << width - 1


@given(WORDS, PLACES)
def test_bits_are_moved_as_they_are_written(number: int, places: int) -> None:
    written = bits(number)
    assert bits(language.shift_right_unsigned(number, places)) == ("0" * places + written)[:64]
    assert bits(language.rotate_left(number, places)) == written[places:] + written[:places]


@given(WORDS, WORDS)
def test_bits_are_counted_and_compared_as_they_are_written(one: int, other: int) -> None:
    assert language.count_ones(one) == bits(one).count("1")
    assert language.trailing_zeros(one) == (64 - len(bits(one).rstrip("0")))
    assert language.less_unsigned(one, other) == (bits(one) < bits(other))


@given(st.floats(allow_nan=False))
def test_the_bits_of_a_float_give_it_back(number: float) -> None:
    again = language.float_from_bits(language.float_bits(number))
    assert (again, math.copysign(1, again)) == (number, math.copysign(1, number))


def test_conversions_refuse_what_does_not_fit() -> None:
    assert language.to_i32(-2.9) == -2
    assert language.to_i32(True) == 1
    assert language.to_i64(2.0**62) == 1 << 62
    for number in (2.0**31, 1 << 31, -(1 << 31) - 1, math.inf):
        with pytest.raises(OverflowError):
            language.to_i32(number)
    with pytest.raises(OverflowError):
        language.to_i64(2.0**63)
