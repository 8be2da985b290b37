"""What kernels are written with: names for types, and operations that Python has no sign for.

As Python these are ordinary annotations and functions, so a kernel runs and is tested as it stands. The compiler
(kernels/compiler) knows each of them by heart and writes instructions instead.

Whole numbers are `i32` or `i64`. A result that does not fit is a mistake, which `Kernel.in_python(checked=True)`
reports; where numbers are meant to wrap around, as in hashing, `wrap32` and `wrap64` say so. What is inside of their
brackets may be as large as it likes.
"""

import math
import struct
from array import array
from collections.abc import MutableSequence
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias, TypeVar, dataclass_transform

from kernels.compiler.types import F64S, I32, I32S, I64, I64S, U8S

i32: TypeAlias = Annotated[int, I32]
i64: TypeAlias = Annotated[int, I64]
u8s: TypeAlias = Annotated[MutableSequence[int], U8S]
i32s: TypeAlias = Annotated[MutableSequence[int], I32S]
i64s: TypeAlias = Annotated[MutableSequence[int], I64S]
f64s: TypeAlias = Annotated[MutableSequence[float], F64S]

_MASK: Final = (1 << 64) - 1
R = TypeVar("R")


@dataclass_transform()
def record(fields: type[R]) -> type[R]:
    """Makes a class of annotated fields a record: made by the host, read and changed by kernels."""
    return dataclass(slots=True, eq=False)(fields)


def wrap32(number: int) -> int:
    """The i32 with the same last 32 bits."""
    return (number + (1 << 31) & 0xFFFFFFFF) - (1 << 31)


def wrap64(number: int) -> int:
    """The i64 with the same last 64 bits."""
    return (number + (1 << 63) & _MASK) - (1 << 63)


def to_i32(number: float) -> int:
    """A number without its fraction as an i32, a truth value as 0 or 1. Raises OverflowError if it does not fit."""
    return _fitting(I32.least, int(number), I32.most)


def to_i64(number: float) -> int:
    """A number without its fraction as an i64. Raises OverflowError if it does not fit."""
    return _fitting(I64.least, int(number), I64.most)


def _fitting(least: int, number: int, most: int) -> int:
    if not least <= number <= most:
        raise OverflowError(f"{number} is not between {least} and {most}")
    return number


def shift_right_unsigned(number: int, places: int) -> int:
    """The 64 bits shifted to the right by 0 to 63 places, zeros coming in from the left."""
    return wrap64((number & _MASK) >> _fitting(0, places, 63))


def rotate_left(number: int, places: int) -> int:
    """The 64 bits turned to the left by 0 to 63 places."""
    bits = number & _MASK
    return wrap64(bits << _fitting(0, places, 63) | bits >> 64 - places)


def count_ones(number: int) -> int:
    """How many of the 64 bits are set."""
    return (number & _MASK).bit_count()


def trailing_zeros(number: int) -> int:
    """The place of the lowest of the 64 bits that is set, or 64 if none is."""
    return (number & -number).bit_length() - 1 if number else 64


def less_unsigned(one: int, other: int) -> bool:
    """Whether one is below the other when the 64 bits of both are read without a sign."""
    return one & _MASK < other & _MASK


def float_bits(number: float) -> int:
    """The 64 bits of a float as a whole number."""
    bits: int = struct.unpack("<q", struct.pack("<d", number))[0]
    return bits


def float_from_bits(bits: int) -> float:
    """The float that has these 64 bits."""
    number: float = struct.unpack("<d", struct.pack("<q", bits))[0]
    return number


def sqrt(number: float) -> float:
    """The square root, rounded as IEEE 754 says. Raises ValueError for what is below zero."""
    return math.sqrt(number)


def new_u8s(size: int) -> "array[int]":
    """An array of numbers from 0 to 255, all zero. What a kernel makes so lasts until its function returns."""
    return array("B", bytes(size))


def new_i32s(size: int) -> "array[int]":
    """An array of i32, all zero."""
    return array("i", bytes(4 * size))


def new_i64s(size: int) -> "array[int]":
    """An array of i64, all zero."""
    return array("q", bytes(8 * size))


def new_f64s(size: int) -> "array[float]":
    """An array of floats, all zero."""
    return array("d", bytes(8 * size))
