"""A kernel gives the same as WebAssembly, as Python and as checked Python; what raises in Python stops it."""

import math
import struct
from array import array
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.chance import Chance, draw_below, draw_bits, draw_fraction, seeded
from kernels.examples.connect_four import DRAWN, FIRST_WON, SECOND_WON, has_line, playout, playouts
from kernels.host import StoppedError
from kernels.kernel import Kernel, Running
from kernels.mathematics import exp, log
from tests.kernels import programs

I32 = st.integers(-(1 << 31), (1 << 31) - 1) | st.integers(-10, 10)
I64 = st.integers(-(1 << 63), (1 << 63) - 1) | st.integers(-10, 10)
FLOATS = st.floats(allow_nan=False)
ARGUMENTS: dict[str, tuple[st.SearchStrategy[Any], ...]] = {
    "fibonacci": (st.integers(0, 12),),
    "divided": (I32, I32),
    "divided_long": (I64, I64),
    "divided_by_constants": (I32,),
    "halves": (FLOATS, FLOATS),
    "root": (FLOATS,),
    "shifted": (I64, st.integers(0, 200)),
    "shifted_short": (I32, st.integers(0, 200)),
    "bit": (st.integers(0, 62),),
    "below": (st.integers(0, 62), I64),
    "constants": (I64,),
    "mixed": (I64,),
    "mixed_short": (I32, I32),
    "product": (I32, I32),
    "counted": (I64, I64),
    "extremes": (I32, I64, FLOATS),
    "logic": (I32, I32),
    "chosen": (I32, FLOATS),
    "looked_up": (st.integers(0, 1),),
    "loops": (st.integers(0, 60),),
    "to_the_end": (st.integers((1 << 31) - 9, (1 << 31) - 1),),
    "changing_bounds": (st.integers(0, 5),),
    "with_arrays": (st.integers(0, 9),),
    "guarded": (I32,),
    "bits_of": (FLOATS,),
    "whole_part": (st.floats(),),
    "narrowed": (I64,),
}
NUMBERS = Kernel(*(getattr(programs, name) for name in ARGUMENTS))
OTHERS = Kernel(programs.sieve, programs.sort, programs.ordered, programs.grow, programs.nothing)
STOPS = (ArithmeticError, ValueError, IndexError, AssertionError)


def everywhere(kernel: Kernel) -> Iterator[Running]:
    """The kernel in every way it can run."""
    with ExitStack() as stack:
        for running in (kernel.start(), kernel.in_python(), kernel.in_python(checked=True)):
            yield stack.enter_context(running)


def bits(number: Any) -> Any:
    """Floats by their bits, so that zeros have signs and what is no number equals itself."""
    return struct.pack("<d", number) if isinstance(number, float) and not math.isnan(number) else repr(number)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_program_gives_the_same_everywhere(name: str) -> None:
    compiled = NUMBERS.start()
    plain, checked = NUMBERS.in_python(), NUMBERS.in_python(checked=True)

    @given(st.tuples(*ARGUMENTS[name]))
    def holds(arguments: tuple[Any, ...]) -> None:
        nonlocal compiled
        try:
            expected = checked.call(name, *arguments)
        except OverflowError:
            return  # a result that does not fit: nothing is promised
        except STOPS:
            with pytest.raises(StoppedError):
                compiled.call(name, *arguments)
            compiled.close()
            compiled = NUMBERS.start()
            return
        for running in (compiled, plain):
            found = running.call(name, *arguments)
            assert bits(found) == bits(expected)
            assert type(found) is type(expected)

    holds()
    compiled.close()


def test_primes_are_counted() -> None:
    for running in everywhere(OTHERS):
        flags = running.array("u8s", 1000)
        assert running.call("sieve", flags) == 168
        assert [number for number, composite in enumerate(flags.read()) if not composite][2:6] == [2, 3, 5, 7]


@given(st.lists(I64, max_size=30))
def test_numbers_are_sorted(numbers: list[int]) -> None:
    for running in everywhere(OTHERS):
        there = running.array("i64s", len(numbers))
        there.write(numbers)
        running.call("sort", there)
        assert list(there.read()) == sorted(numbers)


def test_records_hold_arrays_and_records() -> None:
    results = []
    for running in everywhere(OTHERS):
        chance = running.record(Chance, state=seeded("tree").state)
        visits, values = running.array("i32s", 10), running.array("f64s", 10)
        tree = running.record(programs.Tree, chance=chance, visits=visits, values=values, used=0, finished=False)
        best = running.call("grow", tree, 1000)
        assert tree.get("used") == 9
        assert tree.get("finished") is True
        assert sum(visits.read()) == 1000
        results.append((best, chance.get("state"), visits.read(), values.read()))
    assert results[0] == results[1] == results[2]


def test_things_happen_in_the_order_of_python() -> None:
    for running in everywhere(OTHERS):
        chance = running.record(Chance, state=0)
        visits, values = running.array("i32s", 6), running.array("f64s", 6)
        tree = running.record(programs.Tree, chance=chance, visits=visits, values=values, used=1, finished=True)
        assert running.call("ordered", tree) == 4
        assert list(visits.read()) == [0, 5, 2 + 3, 9, 0, 0]
        assert list(values.read()) == [0, 0, 0, -4, 0, 0]


def test_a_function_may_give_nothing() -> None:
    for running in everywhere(OTHERS):
        numbers = running.array("f64s", 2)
        numbers.write([1.5])
        assert running.call("nothing", numbers) is None
        assert numbers.read() == array("d", [-1.5, 0.0])


def test_mathematics_and_chance_have_the_same_bits() -> None:
    kernel = Kernel(exp, log, draw_bits, draw_below, draw_fraction)
    results = []
    for running in everywhere(kernel):
        chance = running.record(Chance, state=5)
        found: list[Any] = []
        for _ in range(300):
            x = running.call("draw_fraction", chance)
            assert x is not None
            found += [x, running.call("exp", 1500 * x - 750), running.call("log", x * 10**-308 if x < 0.5 else x)]
            found += [running.call("draw_bits", chance), running.call("draw_below", chance, 1 << 30)]
        results.append([bits(number) for number in found])
    assert results[0] == results[1] == results[2]


def test_connect_four_is_played_alike() -> None:
    kernel = Kernel(playouts, playout, has_line)
    ends = []
    for running in everywhere(kernel):
        chance, results = running.record(Chance, state=1), running.array("i32s", 3)
        running.call("playouts", chance, 0, 0, 200, results)
        ends.append((chance.get("state"), results.read()))
        assert running.call("has_line", 0b1111) is True
        assert running.call("has_line", 0b1110111) is False
        assert running.call("has_line", sum(1 << 8 * step for step in range(4))) is True
        full = running.call("playout", chance, 0b1110, 0)
        assert full in (DRAWN, FIRST_WON, SECOND_WON)
    assert ends[0] == ends[1] == ends[2]
    assert ends[0][1][FIRST_WON] > ends[0][1][SECOND_WON] > ends[0][1][DRAWN]


def test_arrays_come_and_go_and_may_be_large() -> None:
    """What a function made is given back: a thousand calls need no more room than one."""
    kernel = Kernel(programs.with_arrays, programs.sieve)
    with kernel.start() as running:
        assert len({running.call("with_arrays", 9) for _ in range(1000)}) == 1
        large = running.array("u8s", 3_000_000)
        assert running.call("sieve", large) == 216_816
        with pytest.raises(StoppedError):
            running.array("f64s", 1 << 30)


def test_a_negative_size_stops_it() -> None:
    with NUMBERS.start() as running, pytest.raises(StoppedError):
        running.call("with_arrays", -1)


def test_links_give_names_another_meaning() -> None:
    for running in everywhere(Kernel(programs.guarded, links={"LIMIT": 5})):
        assert running.call("guarded", 4) == 4
        with pytest.raises((StoppedError, AssertionError)):
            running.call("guarded", 5)

    for running in everywhere(Kernel(programs.ordered, programs.fibonacci, links={"push": programs.pop})):
        chance = running.record(Chance, state=0)
        visits, values = running.array("i32s", 6), running.array("f64s", 6)
        tree = running.record(programs.Tree, chance=chance, visits=visits, values=values, used=4, finished=True)
        assert running.call("ordered", tree) == 1


def test_the_same_source_gives_the_same_bytes() -> None:
    assert Kernel(programs.grow, programs.sort).binary == Kernel(programs.grow, programs.sort).binary


@pytest.mark.parametrize(
    ("name", "arguments", "error"),
    [
        ("fibonacci", (1 << 31,), OverflowError),
        ("fibonacci", (1.5,), TypeError),
        ("fibonacci", (), TypeError),
        ("divided", (1,), TypeError),
    ],
)
def test_arguments_are_what_the_function_takes(name: str, arguments: tuple[Any, ...], error: type[Exception]) -> None:
    with NUMBERS.start() as running, pytest.raises(error):
        running.call(name, *arguments)


def test_arrays_and_records_are_what_the_function_takes() -> None:
    with OTHERS.start() as running:
        with pytest.raises(TypeError, match="numbers is i64s, not u8s"):
            running.call("sort", running.array("u8s", 3))
        with pytest.raises(TypeError, match="needs chance"):
            running.record(programs.Tree, used=1)
        with pytest.raises(ValueError, match="u8s, i32s, i64s, f64s"):
            running.array("i16s", 3)
        with pytest.raises(IndexError, match="3 elements"):
            running.array("u8s", 3).write([1, 2, 3, 4])
        with pytest.raises(OverflowError):
            running.array("u8s", 3).write([256])


def test_checked_python_finds_what_does_not_fit() -> None:
    checked = NUMBERS.in_python(checked=True)
    with pytest.raises(OverflowError, match="does not fit into an i32"):
        checked.call("divided", 1 << 30, 1)
    others = OTHERS.in_python(checked=True)
    chance = others.record(Chance, state=0)
    visits, values = others.array("i32s", 6), others.array("f64s", 6)
    tree = others.record(programs.Tree, chance=chance, visits=visits, values=values, used=-3, finished=True)
    with pytest.raises(IndexError, match="indices begin at 0"):
        others.call("ordered", tree)
