"""Numbers in planes, and drawing with exactly the chances that the weights say."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.choice import TRIES, added, draw, subtracted, weighted
from kernels.network import FALSE, TRUE, Network, Wire
from tests.kernels.networks import evaluated


def constant(number: int, bits: int = 8) -> tuple[Wire, ...]:
    return tuple([TRUE if number >> bit & 1 else FALSE for bit in range(bits)])


def number_of(wires: tuple[Wire, ...]) -> int:
    return sum([wire << bit for bit, wire in enumerate(wires)])


@given(st.integers(0, 255), st.integers(0, 255))
def test_sums_and_differences(one: int, other: int) -> None:
    network = Network()
    assert number_of(added(network, constant(one), constant(other))) == one + other
    difference, smaller = subtracted(network, constant(one), constant(other))
    assert (number_of(difference), smaller) == ((one - other) % 256, TRUE if one < other else FALSE)


@pytest.mark.parametrize("weights", [(1, 1, 1), (1, 0, 1, 1, 1), (3, 1), (0, 5, 2), (1,), (4, 0, 0), (1, 2, 3)])
def test_every_possibility_is_drawn_as_often_as_its_weight_says(weights: tuple[int, ...]) -> None:
    """All random bits are tried: among those that were accepted, the shares are exact."""
    network = Network()
    randoms: list[Wire] = []

    def random() -> Wire:
        randoms.append(network.input())
        return randoms[-1]

    present = [network.input() for _ in weights]
    choice = draw(
        network,
        [(weighted(wire, max(weight, 1)), max(weight, 1)) for wire, weight in zip(present, weights, strict=True)],
        random,
    )
    known = dict(zip(present, [weight > 0 for weight in weights], strict=True))
    drawn: Counter[int] = Counter()
    bits = len(randoms) // TRIES
    for row in product([False, True], repeat=bits):
        # The same bits in every try: a later one would only repeat what the first has said.
        accepted, none, *chosen = evaluated(
            network,
            {**known, **dict(zip(randoms, row * TRIES, strict=True))},
            [choice.accepted, choice.none, *choice.chosen],
        )
        assert not none
        if accepted:
            assert sum(chosen) == 1
            drawn[chosen.index(True)] += 1
    total = sum(drawn.values())
    assert [Fraction(drawn[place], total) for place in range(len(weights))] == [
        Fraction(weight, sum(weights)) for weight in weights
    ]


def test_a_later_try_counts_where_the_earlier_ones_did_not_fit() -> None:
    network = Network()
    randoms: list[Wire] = []

    def random() -> Wire:
        randoms.append(network.input())
        return randoms[-1]

    choice = draw(network, [((TRUE,), 1)] * 3, random)
    tries = [randoms[place : place + 2] for place in range(0, len(randoms), 2)]

    def outcome(*numbers: int) -> list[bool]:
        inputs = {
            wire: bool(number >> bit & 1)
            for row, number in zip(tries, numbers, strict=True)
            for bit, wire in enumerate(row)
        }
        return evaluated(network, inputs, [choice.accepted, *choice.chosen])

    assert outcome(3, 2, 0) == [True, False, False, True]
    assert outcome(1, 2, 0) == [True, False, True, False]
    assert outcome(3, 3, 3)[0] is False


def test_nothing_is_drawn_from_nothing() -> None:
    network = Network()
    choice = draw(network, [((FALSE,), 1), ((FALSE,), 1)], network.input)
    assert choice.none == TRUE
