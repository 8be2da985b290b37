"""The exponential and the logarithm of kernels are as good as any, judged by fractions of many digits."""

import math
import random
from collections.abc import Callable
from decimal import Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.mathematics import exp, log, power_of_two

WORST_ULP = 1.0


def error_in_ulp(found: float, true: Decimal) -> float:
    return float(abs(Decimal(found) - true) / Decimal(math.ulp(found)))


def true_exp(x: float) -> Decimal:
    with localcontext() as context:
        context.prec = 60
        return Decimal(x).exp()


def true_log(x: float) -> Decimal:
    with localcontext() as context:
        context.prec = 60
        return Decimal(x).ln()


def spread(seed: str, count: int, draw: Callable[[random.Random], float]) -> list[float]:
    rng = random.Random(seed)
    return [draw(rng) for _ in range(count)]


@pytest.mark.parametrize("width", [1e-9, 0.4, 3.0, 40.0, 700.0])
def test_the_exponential_is_within_a_unit_in_the_last_place(width: float) -> None:
    worst = max(
        error_in_ulp(exp(x), true_exp(x)) for x in spread(f"exp {width}", 2000, lambda r: r.uniform(-width, width))
    )
    assert worst < WORST_ULP


@pytest.mark.parametrize("power", [0.001, 0.4, 3.0, 40.0, 700.0])
def test_the_logarithm_is_within_a_unit_in_the_last_place(power: float) -> None:
    numbers = spread(f"log {power}", 2000, lambda r: math.exp(r.uniform(-power, power)))
    assert max(error_in_ulp(log(x), true_log(x)) for x in numbers if x != 1.0) < WORST_ULP


@given(st.floats(-745.0, -708.0))
def test_tiny_exponentials_are_off_by_one_step_at_most(x: float) -> None:
    assert abs(exp(x) - math.exp(x)) <= math.ulp(0.0)


@given(st.floats(min_value=0.0, exclude_min=True, max_value=1e-300))
def test_logarithms_of_tiny_numbers_hold(x: float) -> None:
    assert error_in_ulp(log(x), true_log(x)) < WORST_ULP


def test_the_ends_of_the_range() -> None:
    assert exp(0.0) == 1.0
    assert log(1.0) == 0.0
    assert exp(math.inf) == exp(710.0) == math.inf
    assert exp(-math.inf) == exp(-746.0) == 0.0
    assert exp(709.782712893384) == pytest.approx(math.exp(709.782712893384), rel=1e-15)
    assert log(0.0) == -math.inf
    assert log(math.inf) == math.inf
    assert log(5e-324) == math.log(5e-324)
    assert math.isnan(exp(math.nan))
    assert math.isnan(log(math.nan))
    assert math.isnan(log(-1.0))


def test_powers_of_two_are_exact() -> None:
    assert all(power_of_two(k) == 2.0**k for k in range(-1022, 1024))
