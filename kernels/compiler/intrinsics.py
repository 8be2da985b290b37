"""Operations that the compiler writes as instructions: those of kernels/language.py, and some of Python."""

from dataclasses import dataclass
from typing import Any, Final

from kernels import language
from kernels.compiler.types import BOOL, F64, F64S, I32, I32S, I64, I64S, U8S, Array, Scalar


@dataclass(frozen=True, slots=True)
class Plain:
    """An operation that is a few instructions behind its arguments."""

    name: str
    parameters: tuple[Scalar, ...]
    result: Scalar
    code: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Special:
    """An operation whose types and code depend on its arguments; checking and emitting know it by its name."""

    name: str
    arguments: int


@dataclass(frozen=True, slots=True)
class Making:
    """Makes an array."""

    name: str
    kind: Array


Intrinsic = Plain | Special | Making

_TWO: Final = (I64, I64)
INTRINSICS: Final[dict[Any, Intrinsic]] = {
    language.shift_right_unsigned: Plain("shift_right_unsigned", _TWO, I64, ("i64.shr_u",)),
    language.rotate_left: Plain("rotate_left", _TWO, I64, ("i64.rotl",)),
    language.count_ones: Plain("count_ones", (I64,), I32, ("i64.popcnt", "i32.wrap_i64")),
    language.trailing_zeros: Plain("trailing_zeros", (I64,), I32, ("i64.ctz", "i32.wrap_i64")),
    language.less_unsigned: Plain("less_unsigned", _TWO, BOOL, ("i64.lt_u",)),
    language.float_bits: Plain("float_bits", (F64,), I64, ("i64.reinterpret_f64",)),
    language.float_from_bits: Plain("float_from_bits", (I64,), F64, ("f64.reinterpret_i64",)),
    language.new_u8s: Making("new_u8s", U8S),
    language.new_i32s: Making("new_i32s", I32S),
    language.new_i64s: Making("new_i64s", I64S),
    language.new_f64s: Making("new_f64s", F64S),
    language.wrap32: Special("wrap32", 1),
    language.wrap64: Special("wrap64", 1),
    language.to_i32: Special("to_i32", 1),
    language.to_i64: Special("to_i64", 1),
    language.sqrt: Special("sqrt", 1),
    float: Special("float", 1),
    abs: Special("abs", 1),
    len: Special("len", 1),
    min: Special("min", 2),
    max: Special("max", 2),
}


def intrinsic_of(meaning: Any) -> Intrinsic | None:
    try:
        return INTRINSICS.get(meaning)
    except TypeError:  # what cannot be looked up is none
        return None
