"""Random programs in the language of kernels compute the same as WebAssembly as they do as Python."""

import linecache
import math
import struct
from collections.abc import Callable
from itertools import count
from types import FunctionType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels import language
from kernels.host import StoppedError
from kernels.kernel import Kernel, Running

Draw = Callable[[st.SearchStrategy[Any]], Any]
SIZE = 8
"""Elements of each array; indices are cut to it."""
NAMES = {"i32": ("a", "b", "record.short"), "i64": ("c", "d", "record.long"), "float": ("x", "y"), "bool": ("p", "q")}
NUMBERS = {
    "i32": st.integers(-(1 << 31), (1 << 31) - 1) | st.integers(-9, 9),
    "i64": st.integers(-(1 << 63), (1 << 63) - 1) | st.integers(-9, 9),
    "float": st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, 0.5, -2.0]),
    "bool": st.booleans(),
}
DEEP = 2
WHOLE_SHORT = (
    *(f"wrap32(I {sign} I)" for sign in "+-*&|^"),
    "wrap32(I * I - (I << N))",
    "I & I",
    "I + I",
    *(f"I {sign} {by}" for sign in ("//", "%") for by in ("I", 1, 7, 16, -3)),
    "I >> (I & 63)",
    "wrap32(I << (I & 63))",
    "~I",
    "min(I, I)",
    "max(I, I)",
    "I if B else I",
)
WHOLE_LONG = tuple(
    pattern.replace("I", "L").replace("32", "64").replace("(L & 63)", "(I & 63)") for pattern in WHOLE_SHORT
)
SHORT = ("wrap32(L)", "to_i32(L >> 40)", "to_i32(B)", "count_ones(L)", f"numbers[I & {SIZE - 1}]")
LONG = ("wrap64(I * L)", "shift_right_unsigned(L, N)", "to_i64(I)", "float_bits(F) & 65535")
FLOAT = (
    *(f"F {sign} F" for sign in "+-*/"),
    *("F * I", "-F", "abs(F)", "sqrt(abs(F))", "min(F, F)", "max(F, F)", "float(I)", "float(L)"),
    f"floats[I & {SIZE - 1}]",
)
BOOL = (
    *(f"{kind} {sign} {kind}" for kind in "ILF" for sign in ("<", "<=", "==", "!=", ">", ">=")),
    *(f"B {sign} B" for sign in ("and", "or", "==", "!=", "&", "|", "^")),
    "not B",
    "less_unsigned(L, L)",
)
_files = count()


@language.record
class State:
    """What a program may change besides its locals."""

    short: language.i32
    long: language.i64


class Writer:
    """Writes a program; every choice is drawn, so that what fails becomes small."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw

    def program(self) -> str:
        parameters = "numbers: i32s, floats: f64s, record: State, a: i32, b: i32, c: i64, d: i64, x: float, y: float"
        lines = [f"def f({parameters}) -> float:", "    p = a < b", "    q = x < y"]
        lines += self._block(1, DEEP, loops=0)
        lines += ["    numbers[0] = a", "    numbers[1] = b", "    record.long = c ^ d", "    return x if p else y"]
        return "\n".join(lines) + "\n"

    def _one(self, *choices: Any) -> Any:
        return self._draw(st.sampled_from(choices))

    def _block(self, indent: int, depth: int, loops: int) -> list[str]:
        many = self._draw(st.integers(1, 4))
        return [line for _ in range(many) for line in self._statement(indent, depth, loops)]

    def _statement(self, indent: int, depth: int, loops: int) -> list[str]:
        kinds = ["assign", "assign", "assign", "add"]
        if depth:
            kinds += ["if", "for", "while"]
        if loops:
            kinds.append("leave")
        space = "    " * indent
        kind = self._one(*kinds)
        if kind == "assign":
            target, of = self._target()
            return [f"{space}{target} = {self._value(of, DEEP)}"]
        if kind == "add":
            target, of = self._target(numbers=True)
            if of == "float":
                return [f"{space}{target} {self._one('+=', '-=', '*=')} {self._value(of, DEEP)}"]
            return [f"{space}{target} {self._one('+=', '-=', '*=', '|=', '&=', '^=', '>>=')} {self._small()}"]
        if kind == "leave":
            word = self._one("break", "continue")
            return [f"{space}if {self._value('bool', 1)}:", f"{space}    {word}"]
        if kind == "if":
            lines = [f"{space}if {self._value('bool', DEEP)}:", *self._block(indent + 1, depth - 1, loops)]
            if self._draw(st.booleans()):
                lines += [f"{space}else:", *self._block(indent + 1, depth - 1, loops)]
            return lines
        if kind == "for":
            name, step = f"i{indent}", self._one(1, 1, 2, -1, -3)
            bounds = f"{self._one(0, 5, -2)}, {self._one(3, 7, '(b & 7)')}, {step}"
            body = self._block(indent + 1, depth - 1, loops + 1)
            return [f"{space}for {name} in range({bounds}):", f"{space}    a ^= {name}", *body]
        name = f"k{indent}"
        turns = [
            f"{space}{name} = 0",
            f"{space}while {name} < 4 and {self._value('bool', 1)}:",
            f"{space}    {name} += 1",
        ]
        return [*turns, *self._block(indent + 1, depth - 1, loops + 1)]

    def _target(self, *, numbers: bool = False) -> tuple[str, str]:
        of = self._one("i32", "i64", "float") if numbers else self._one(*NAMES)
        element = {"i32": f"numbers[{self._small()} & {SIZE - 1}]", "float": f"floats[{self._small()} & {SIZE - 1}]"}
        return self._one(*NAMES[of], *([element[of]] if of in element else [])), of

    def _small(self) -> str:
        return str(self._draw(st.integers(0, 9)))

    def _value(self, of: str, depth: int) -> str:
        if not depth or self._draw(st.booleans()):
            return self._leaf(of)
        return f"({getattr(self, f'_{of}')(depth - 1)})"

    def _leaf(self, of: str) -> str:
        if self._draw(st.booleans()):
            return str(self._one(*NAMES[of]))
        return repr(self._draw(NUMBERS[of])) if of != "float" else f"({self._draw(NUMBERS[of])!r})"

    def _pattern(self, text: str, depth: int) -> str:
        """A pattern filled in: `I`, `L`, `F`, `B` are values of the four types, `N` is a small number."""
        kinds = {"I": "i32", "L": "i64", "F": "float", "B": "bool"}
        return "".join(
            self._value(kinds[sign], depth) if sign in kinds else self._small() if sign == "N" else sign
            for sign in text
        )

    def _i32(self, depth: int) -> str:
        return self._pattern(self._one(*WHOLE_SHORT, *SHORT), depth)

    def _i64(self, depth: int) -> str:
        return self._pattern(self._one(*WHOLE_LONG, *LONG), depth)

    def _float(self, depth: int) -> str:
        return self._pattern(self._one(*FLOAT), depth)

    def _bool(self, depth: int) -> str:
        return self._pattern(self._one(*BOOL), depth)


@st.composite
def programs(draw: Draw) -> str:
    return Writer(draw).program()


def function(source: str) -> FunctionType:
    name = f"random program {next(_files)}"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    names: dict[str, Any] = {**vars(language), "State": State}
    exec(compile(source, name, "exec"), names)  # noqa: S102  # just written
    made: FunctionType = names["f"]
    return made


def bits(number: Any) -> Any:
    """Floats by their bits; but what is no number may be written in many ways."""
    return struct.pack("<d", number) if isinstance(number, float) and not math.isnan(number) else repr(number)


def outcome(running: Running, arguments: tuple[Any, ...]) -> list[Any]:
    """Everything that can be seen of a program that has run."""
    numbers, floats = running.array("i32s", SIZE), running.array("f64s", SIZE)
    numbers.write(range(SIZE))
    floats.write(number / 4 for number in range(SIZE))
    record = running.record(State, short=3, long=1 << 40)
    given = running.call("f", numbers, floats, record, *arguments)
    seen = [given, *numbers.read(), *floats.read(), record.get("short"), record.get("long")]
    return [bits(number) for number in seen]


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(programs(), st.tuples(*(NUMBERS[of] for of in ("i32", "i32", "i64", "i64", "float", "float"))))
def test_a_random_program_computes_the_same(source: str, arguments: tuple[Any, ...]) -> None:
    kernel = Kernel(function(source))
    try:
        expected = outcome(kernel.in_python(checked=True), arguments)
    except OverflowError:
        return  # a result that does not fit: nothing is promised
    except (ArithmeticError, ValueError):
        with kernel.start() as compiled, pytest.raises(StoppedError):
            outcome(compiled, arguments)
        return
    assert outcome(kernel.in_python(), arguments) == expected
    with kernel.start() as compiled:
        assert outcome(compiled, arguments) == expected
