"""Random numbers for kernels: SplitMix64, the same numbers from the same seed in Python, wasmtime and every browser.

A generator is a record of one whole number, so a kernel keeps as many as it likes and a host sets and reads them. The
numbers are good for simulation, not for secrets; dice that players must be able to verify come from games/dice.py.
"""

import hashlib
from typing import Final

from kernels.language import i32, i64, record, shift_right_unsigned, to_i32, wrap64

STEP: Final = wrap64(0x9E3779B97F4A7C15)
MIX_FIRST: Final = wrap64(0xBF58476D1CE4E5B9)
MIX_SECOND: Final = wrap64(0x94D049BB133111EB)
LOW: Final = 0xFFFFFFFF
WAYS_OF_32_BITS: Final = 1 << 32
LAST_PLACE: Final = 1.0 / (1 << 53)


@record
class Chance:
    """A generator of random numbers."""

    state: i64


def seeded(seed: str) -> Chance:
    """A generator that begins where the text says. For hosts: kernels know no texts."""
    return Chance(int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "little", signed=True))


def draw_bits(chance: Chance) -> i64:
    """64 random bits."""
    chance.state = wrap64(chance.state + STEP)
    z = chance.state
    z = wrap64((z ^ shift_right_unsigned(z, 30)) * MIX_FIRST)
    z = wrap64((z ^ shift_right_unsigned(z, 27)) * MIX_SECOND)
    return z ^ shift_right_unsigned(z, 31)


def draw_below(chance: Chance, ways: i32) -> i32:
    """One of the numbers from 0 to `ways` - 1, each as likely as the others."""
    product = shift_right_unsigned(draw_bits(chance), 32) * ways
    if product & LOW < ways:
        # 32 bits cannot be dealt out evenly: a few of them, so many that the rest can, are thrown away.
        surplus = (WAYS_OF_32_BITS - ways) % ways
        while product & LOW < surplus:
            product = shift_right_unsigned(draw_bits(chance), 32) * ways
    return to_i32(product >> 32)


def draw_fraction(chance: Chance) -> float:
    """A number from 0 up to but not including 1, in steps of 2 to the power of -53."""
    return float(shift_right_unsigned(draw_bits(chance), 11)) * LAST_PLACE
