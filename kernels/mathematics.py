"""Exponential and logarithm that have the same bits everywhere.

The functions of an operating system differ in the last place from machine to machine; only + - * / and the square root
are the same everywhere. Both functions here are made of those alone, in the language of kernels, so that CPython,
wasmtime and every browser agree. They are within one unit in the last place of the true value.
"""

import math
from typing import Final

from kernels.language import float_bits, float_from_bits, i32, sqrt, to_i32, to_i64

__all__ = ["exp", "log", "sqrt"]

INFINITY: Final = math.inf
NOT_A_NUMBER: Final = math.nan
LARGEST: Final = 709.782712893384
"""The exponential of anything above is infinite."""
SMALLEST: Final = -745.1332191019412
"""The exponential of anything below is zero."""
PER_LN2: Final = 1.4426950408889634
LN2_HIGH: Final = float.fromhex("0x1.62e42feep-1")
"""The first 31 bits of the logarithm of 2: times any exponent it is exact."""
LN2_LOW: Final = float.fromhex("0x1.a39ef35793c76p-33")
"""What is missing."""
FRACTION_BITS: Final = 52
FRACTION: Final = (1 << FRACTION_BITS) - 1
ONE: Final = 1023 << FRACTION_BITS
"""The bits of 1.0."""
EXPONENT: Final = 1023
NORMAL: Final = float.fromhex("0x1p-1022")
"""Floats below have fewer than 53 bits."""
SCALE: Final = 54
ROOT_OF_TWO: Final = 1.4142135623730951


def exp(x: float) -> float:
    """e to the power of x. Infinite above the range of floats, zero below, no number for no number."""
    if x != x:
        return x
    if x > LARGEST:
        return INFINITY
    if x < SMALLEST:
        return 0.0
    # x = k·ln 2 + r with |r| at most half of ln 2; `slip` is what rounding r took away.
    k = to_i32(x * PER_LN2 + (0.5 if x > 0.0 else -0.5))
    high = x - float(k) * LN2_HIGH
    low = float(k) * LN2_LOW
    r = high - low
    slip = (high - r) - low
    # The series 1 + r + r²/2! + … + r¹³/13!; small terms first.
    tail = 1.0 / 479001600.0 + r * (1.0 / 6227020800.0)
    tail = 1.0 / 3628800.0 + r * (1.0 / 39916800.0 + r * tail)
    tail = 1.0 / 40320.0 + r * (1.0 / 362880.0 + r * tail)
    tail = 1.0 / 720.0 + r * (1.0 / 5040.0 + r * tail)
    tail = 1.0 / 24.0 + r * (1.0 / 120.0 + r * tail)
    tail = 0.5 + r * (1.0 / 6.0 + r * tail)
    result = 1.0 + (r + (r * r * tail + slip))
    if k > 1000:
        return result * power_of_two(k - 1000) * power_of_two(1000)
    if k < -1000:
        return result * power_of_two(k + 1000) * power_of_two(-1000)
    return result * power_of_two(k)


def log(x: float) -> float:
    """The natural logarithm. Minus infinity for zero, no number below."""
    if x != x or x == INFINITY:
        return x
    if x == 0.0:
        return -INFINITY
    if x < 0.0:
        return NOT_A_NUMBER
    # x = 2ᵏ·m with m between the roots of 1/2 and 2.
    k = 0
    if x < NORMAL:
        x = x * power_of_two(SCALE)
        k = -SCALE
    bits = float_bits(x)
    k = k + to_i32(bits >> FRACTION_BITS) - EXPONENT
    m = float_from_bits(bits & FRACTION | ONE)
    if m > ROOT_OF_TWO:
        m = m * 0.5
        k = k + 1
    # With s = f/(2 + f): log(1 + f) = 2s + 2s³/3 + 2s⁵/5 + …, and 2s = f - s·f. So the large part, f, stays exact.
    f = m - 1.0
    s = f / (2.0 + f)
    z = s * s
    tail = 2.0 / 23.0 + z * (2.0 / 25.0)
    tail = 2.0 / 19.0 + z * (2.0 / 21.0 + z * tail)
    tail = 2.0 / 15.0 + z * (2.0 / 17.0 + z * tail)
    tail = 2.0 / 11.0 + z * (2.0 / 13.0 + z * tail)
    tail = 2.0 / 7.0 + z * (2.0 / 9.0 + z * tail)
    tail = z * (2.0 / 3.0 + z * (2.0 / 5.0 + z * tail))
    half = 0.5 * f * f
    rest = half - (s * (half + tail) + float(k) * LN2_LOW)
    return float(k) * LN2_HIGH - (rest - f)


def power_of_two(k: i32) -> float:
    """2 to the power of k, for k from -1022 to 1023."""
    return float_from_bits(to_i64(k + EXPONENT) << FRACTION_BITS)
