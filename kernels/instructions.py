"""The instructions of WebAssembly by the names that its text format gives them: number and what follows it.

The numbers are those of the core specification, version 2 (vectors included). Groups that follow each other there
follow each other here, so that one number tells them all.
"""

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple


class Follows(Enum):
    """What stands behind an instruction's number."""

    NOTHING = "nothing"
    INDEX = "the number of a local, a global, a function or a label"
    BLOCK = "what a block leaves behind: one type, or nothing"
    TABLE = "labels, the last of them for all other cases"
    PLACE = "an offset that is added to the address"
    PLACE_AND_LANE = "an offset and a lane"
    MEMORY = "the memory, of which there is one"
    TWO_MEMORIES = "the memory, twice"
    I32 = "a whole number of 32 bits"
    I64 = "a whole number of 64 bits"
    F32 = "a float of 32 bits"
    F64 = "a float of 64 bits"
    BYTES = "sixteen bytes"
    LANE = "a lane"


class Instruction(NamedTuple):
    number: bytes
    follows: Follows
    bytes_moved: int = 0
    """For loads and stores: how many bytes of memory they touch, which is the alignment they are told to expect."""


def _row(first: int, prefix: str, names: str) -> Iterator[tuple[str, int]]:
    """Names that follow each other; a dash leaves a number out. A prefix is put before each."""
    for number, name in enumerate(names.split(), start=first):
        if name != "-":
            yield (f"{prefix}.{name}" if prefix else name), number


_WHOLE_COMPARED: Final = "eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u"
_FLOAT_COMPARED: Final = "eq ne lt gt le ge"
_WHOLE_COMPUTED: Final = "clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr"
_FLOAT_COMPUTED: Final = "abs neg ceil floor trunc nearest sqrt add sub mul div min max copysign"

_PLAIN: Final = (
    *_row(0x00, "", "unreachable nop"),
    ("else", 0x05),
    ("end", 0x0B),
    ("return", 0x0F),
    *_row(0x1A, "", "drop select"),
    ("i32.eqz", 0x45),
    *_row(0x46, "i32", _WHOLE_COMPARED),
    ("i64.eqz", 0x50),
    *_row(0x51, "i64", _WHOLE_COMPARED),
    *_row(0x5B, "f32", _FLOAT_COMPARED),
    *_row(0x61, "f64", _FLOAT_COMPARED),
    *_row(0x67, "i32", _WHOLE_COMPUTED),
    *_row(0x79, "i64", _WHOLE_COMPUTED),
    *_row(0x8B, "f32", _FLOAT_COMPUTED),
    *_row(0x99, "f64", _FLOAT_COMPUTED),
    *_row(0xA7, "i32", "wrap_i64 trunc_f32_s trunc_f32_u trunc_f64_s trunc_f64_u"),
    *_row(0xAC, "i64", "extend_i32_s extend_i32_u trunc_f32_s trunc_f32_u trunc_f64_s trunc_f64_u"),
    *_row(0xB2, "f32", "convert_i32_s convert_i32_u convert_i64_s convert_i64_u demote_f64"),
    *_row(0xB7, "f64", "convert_i32_s convert_i32_u convert_i64_s convert_i64_u promote_f32"),
    *_row(0xBC, "", "i32.reinterpret_f32 i64.reinterpret_f64 f32.reinterpret_i32 f64.reinterpret_i64"),
    *_row(0xC0, "", "i32.extend8_s i32.extend16_s i64.extend8_s i64.extend16_s i64.extend32_s"),
)
_SATURATING: Final = (
    *_row(0, "i32", "trunc_sat_f32_s trunc_sat_f32_u trunc_sat_f64_s trunc_sat_f64_u"),
    *_row(4, "i64", "trunc_sat_f32_s trunc_sat_f32_u trunc_sat_f64_s trunc_sat_f64_u"),
)
_FOLLOWED: Final = {
    "block": (0x02, Follows.BLOCK),
    "loop": (0x03, Follows.BLOCK),
    "if": (0x04, Follows.BLOCK),
    "br": (0x0C, Follows.INDEX),
    "br_if": (0x0D, Follows.INDEX),
    "br_table": (0x0E, Follows.TABLE),
    "call": (0x10, Follows.INDEX),
    "local.get": (0x20, Follows.INDEX),
    "local.set": (0x21, Follows.INDEX),
    "local.tee": (0x22, Follows.INDEX),
    "global.get": (0x23, Follows.INDEX),
    "global.set": (0x24, Follows.INDEX),
    "memory.size": (0x3F, Follows.MEMORY),
    "memory.grow": (0x40, Follows.MEMORY),
    "i32.const": (0x41, Follows.I32),
    "i64.const": (0x42, Follows.I64),
    "f32.const": (0x43, Follows.F32),
    "f64.const": (0x44, Follows.F64),
}
_MOVES: Final = (
    *_row(0x28, "", "i32.load i64.load f32.load f64.load"),
    *_row(0x2C, "i32", "load8_s load8_u load16_s load16_u"),
    *_row(0x30, "i64", "load8_s load8_u load16_s load16_u load32_s load32_u"),
    *_row(0x36, "", "i32.store i64.store f32.store f64.store"),
    *_row(0x3A, "", "i32.store8 i32.store16 i64.store8 i64.store16 i64.store32"),
)
_VECTORS: Final = (
    *_row(14, "i8x16", "swizzle splat"),
    *_row(16, "", "i16x8.splat i32x4.splat i64x2.splat f32x4.splat f64x2.splat"),
    *_row(35, "i8x16", _WHOLE_COMPARED),
    *_row(45, "i16x8", _WHOLE_COMPARED),
    *_row(55, "i32x4", _WHOLE_COMPARED),
    *_row(65, "f32x4", _FLOAT_COMPARED),
    *_row(71, "f64x2", _FLOAT_COMPARED),
    *_row(77, "v128", "not and andnot or xor bitselect any_true"),
    *_row(94, "", "f32x4.demote_f64x2_zero f64x2.promote_low_f32x4"),
    *_row(96, "i8x16", "abs neg popcnt all_true bitmask narrow_i16x8_s narrow_i16x8_u"),
    *_row(103, "f32x4", "ceil floor trunc nearest"),
    *_row(107, "i8x16", "shl shr_s shr_u add add_sat_s add_sat_u sub sub_sat_s sub_sat_u"),
    *_row(116, "f64x2", "ceil floor"),
    *_row(118, "i8x16", "min_s min_u max_s max_u"),
    *_row(122, "", "f64x2.trunc i8x16.avgr_u"),
    *_row(124, "i16x8", "extadd_pairwise_i8x16_s extadd_pairwise_i8x16_u"),
    *_row(126, "i32x4", "extadd_pairwise_i16x8_s extadd_pairwise_i16x8_u"),
    *_row(128, "i16x8", "abs neg q15mulr_sat_s all_true bitmask narrow_i32x4_s narrow_i32x4_u"),
    *_row(135, "i16x8", "extend_low_i8x16_s extend_high_i8x16_s extend_low_i8x16_u extend_high_i8x16_u"),
    *_row(139, "i16x8", "shl shr_s shr_u add add_sat_s add_sat_u sub sub_sat_s sub_sat_u"),
    *_row(148, "", "f64x2.nearest i16x8.mul i16x8.min_s i16x8.min_u i16x8.max_s i16x8.max_u - i16x8.avgr_u"),
    *_row(156, "i16x8", "extmul_low_i8x16_s extmul_high_i8x16_s extmul_low_i8x16_u extmul_high_i8x16_u"),
    *_row(160, "i32x4", "abs neg - all_true bitmask - -"),
    *_row(167, "i32x4", "extend_low_i16x8_s extend_high_i16x8_s extend_low_i16x8_u extend_high_i16x8_u"),
    *_row(171, "i32x4", "shl shr_s shr_u add - - sub - - - mul min_s min_u max_s max_u dot_i16x8_s"),
    *_row(188, "i32x4", "extmul_low_i16x8_s extmul_high_i16x8_s extmul_low_i16x8_u extmul_high_i16x8_u"),
    *_row(192, "i64x2", "abs neg - all_true bitmask - -"),
    *_row(199, "i64x2", "extend_low_i32x4_s extend_high_i32x4_s extend_low_i32x4_u extend_high_i32x4_u"),
    *_row(203, "i64x2", "shl shr_s shr_u add - - sub - - - mul eq ne lt_s gt_s le_s ge_s"),
    *_row(220, "i64x2", "extmul_low_i32x4_s extmul_high_i32x4_s extmul_low_i32x4_u extmul_high_i32x4_u"),
    *_row(224, "f32x4", "abs neg - sqrt add sub mul div min max pmin pmax"),
    *_row(236, "f64x2", "abs neg - sqrt add sub mul div min max pmin pmax"),
    *_row(248, "", "i32x4.trunc_sat_f32x4_s i32x4.trunc_sat_f32x4_u f32x4.convert_i32x4_s f32x4.convert_i32x4_u"),
    *_row(252, "", "i32x4.trunc_sat_f64x2_s_zero i32x4.trunc_sat_f64x2_u_zero"),
    *_row(254, "", "f64x2.convert_low_i32x4_s f64x2.convert_low_i32x4_u"),
)
_VECTOR_LANES: Final = (
    *_row(21, "i8x16", "extract_lane_s extract_lane_u replace_lane"),
    *_row(24, "i16x8", "extract_lane_s extract_lane_u replace_lane"),
    *_row(27, "", "i32x4.extract_lane i32x4.replace_lane i64x2.extract_lane i64x2.replace_lane"),
    *_row(31, "", "f32x4.extract_lane f32x4.replace_lane f64x2.extract_lane f64x2.replace_lane"),
)
_VECTOR_MOVES: Final = (
    *_row(0, "v128", "load load8x8_s load8x8_u load16x4_s load16x4_u load32x2_s load32x2_u"),
    *_row(7, "v128", "load8_splat load16_splat load32_splat load64_splat store"),
    *_row(92, "v128", "load32_zero load64_zero"),
)
_VECTOR_LANE_MOVES: Final = (
    *_row(84, "v128", "load8_lane load16_lane load32_lane load64_lane"),
    *_row(88, "v128", "store8_lane store16_lane store32_lane store64_lane"),
)
_WIDTH: Final = re.compile(r"\.(?:load|store)(?:(\d+)(?:x(\d))?)?")
_SATURATING_PREFIX: Final = 0xFC
_VECTOR_PREFIX: Final = 0xFD


def unsigned(number: int) -> bytes:
    """A number from 0 on in the variable length (LEB128) that WebAssembly writes numbers in."""
    written = bytearray()
    while number > 0x7F:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number)
    return bytes(written)


def _bytes_moved(name: str) -> int:
    """As the name says: `i64.load32_u` moves four bytes, `v128.load8x8_s` eight, `f64.store` all eight of a f64."""
    found = _WIDTH.search(name)
    assert found
    bits, times = found[1] or name[1:].partition(".")[0], found[2] or "1"
    return int(bits) * int(times) // 8


def _vector(number: int) -> bytes:
    return bytes([_VECTOR_PREFIX]) + unsigned(number)


INSTRUCTIONS: Final[dict[str, Instruction]] = {
    **{name: Instruction(bytes([number]), Follows.NOTHING) for name, number in _PLAIN},
    **{name: Instruction(bytes([_SATURATING_PREFIX, number]), Follows.NOTHING) for name, number in _SATURATING},
    **{name: Instruction(bytes([number]), follows) for name, (number, follows) in _FOLLOWED.items()},
    **{name: Instruction(bytes([number]), Follows.PLACE, _bytes_moved(name)) for name, number in _MOVES},
    "memory.copy": Instruction(bytes([_SATURATING_PREFIX, 10]), Follows.TWO_MEMORIES),
    "memory.fill": Instruction(bytes([_SATURATING_PREFIX, 11]), Follows.MEMORY),
    **{name: Instruction(_vector(number), Follows.NOTHING) for name, number in _VECTORS},
    **{name: Instruction(_vector(number), Follows.LANE) for name, number in _VECTOR_LANES},
    **{name: Instruction(_vector(number), Follows.PLACE, _bytes_moved(name)) for name, number in _VECTOR_MOVES},
    **{
        name: Instruction(_vector(number), Follows.PLACE_AND_LANE, _bytes_moved(name))
        for name, number in _VECTOR_LANE_MOVES
    },
    "v128.const": Instruction(_vector(12), Follows.BYTES),
    "i8x16.shuffle": Instruction(_vector(13), Follows.BYTES),
}
