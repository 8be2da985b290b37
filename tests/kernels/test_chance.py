"""The random numbers of kernels: the published ones, evenly spread, and independent as far as simple tests see."""

import math
from collections import Counter
from itertools import pairwise

import pytest

from kernels.chance import Chance, draw_below, draw_bits, draw_fraction, seeded
from kernels.language import wrap64

DRAWS = 60_000
STANDARD_ERRORS = 4.5
PUBLISHED = (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B)
"""The first numbers of SplitMix64 from the state 0, as its authors' program prints them."""


def test_the_numbers_are_those_of_the_published_generator() -> None:
    chance = Chance(0)
    assert [draw_bits(chance) for _ in PUBLISHED] == [wrap64(number) for number in PUBLISHED]


def test_a_seed_gives_the_same_numbers_and_another_one_others() -> None:
    assert [draw_bits(seeded("a")) for _ in range(2)] == [draw_bits(seeded("a"))] * 2
    assert draw_bits(seeded("a")) != draw_bits(seeded("b"))


@pytest.mark.parametrize("ways", [1, 2, 3, 7, 10, 100])
def test_every_way_is_as_likely_as_the_others(ways: int) -> None:
    chance = seeded(f"even {ways}")
    counts = Counter(draw_below(chance, ways) for _ in range(DRAWS))
    assert set(counts) == set(range(ways))
    expected = DRAWS / ways
    chi_square = sum((counts[way] - expected) ** 2 / expected for way in range(ways))
    assert chi_square <= (ways - 1) + STANDARD_ERRORS * math.sqrt(2 * (ways - 1))


def test_ways_that_32_bits_cannot_be_dealt_out_to_are_even_too() -> None:
    """A quarter of all draws is thrown away here; otherwise every third way would come up 2 times where others do 3."""
    chance = seeded("many")
    counts = Counter(draw_below(chance, 3 << 29) % 3 for _ in range(DRAWS))
    for third in range(3):
        assert abs(counts[third] / DRAWS - 1 / 3) < STANDARD_ERRORS * math.sqrt(2 / 9 / DRAWS)


def test_fractions_are_even_and_know_nothing_of_the_one_before() -> None:
    chance = seeded("fractions")
    numbers = [draw_fraction(chance) for _ in range(DRAWS)]
    assert min(numbers) >= 0.0
    assert max(numbers) < 1.0
    assert abs(sum(numbers) / DRAWS - 0.5) < STANDARD_ERRORS * math.sqrt(1 / 12 / DRAWS)
    together = sum((one - 0.5) * (other - 0.5) for one, other in pairwise(numbers)) / (DRAWS - 1)
    assert abs(together) < STANDARD_ERRORS / 12 / math.sqrt(DRAWS)


@pytest.mark.parametrize("bit", range(0, 64, 7))
def test_every_bit_is_set_half_of_the_time(bit: int) -> None:
    chance = seeded(f"bit {bit}")
    count = sum(draw_bits(chance) >> bit & 1 for _ in range(DRAWS // 6))
    assert abs(count - DRAWS / 12) < STANDARD_ERRORS * math.sqrt(DRAWS / 6) / 2
