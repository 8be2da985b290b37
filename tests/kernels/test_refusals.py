"""What is not in the language is refused: where it stands, what is wrong, and what to write instead."""

import linecache
from types import FunctionType
from typing import Any

import pytest

from kernels import chance, language
from kernels.compiler.errors import KernelError
from kernels.kernel import Kernel

FILE = "refused.py"
OUTSIDE = {
    **vars(language),
    "Chance": chance.Chance,
    "NAMES": ("a", "b"),
    "TABLE": (1, 2, 3),
    "TEXT": "text",
    "MUCH": 1 << 70,
}

REFUSED: list[tuple[str, tuple[int, int], str]] = [
    ("def f(a) -> i32:\n    return 1", (1, 7), "the parameter a needs a type"),
    ("def f(a: int) -> i32:\n    return 1", (1, 7), "int is no type of kernels; there are i32, i64, float"),
    ("def f(a: i32):\n    return a", (1, 1), "behind `->`"),
    ("def f(a: i32) -> i32s:\n    return a", (1, 18), "functions give numbers or truth values"),
    ("def f(a: i32 = 1) -> i32:\n    return a", (1, 16), "no defaults"),
    ("def f(*a: i32) -> i32:\n    return 1", (1, 8), "parameters are plain"),
    ("def f(a: i32) -> i32:\n    if a > 1:\n        return a", (1, 1), "without a `return`"),
    ("def f() -> i32:\n    while True:\n        break", (1, 1), "without a `return`"),
    ("def f() -> None:\n    return 1", (2, 5), "gives nothing"),
    ("def f() -> i32:\n    return", (2, 5), "gives i32; write which one"),
    ("def f() -> None:\n    with open('x'):\n        pass", (2, 5), "`with` is not in the language"),
    ("def f() -> None:\n    try:\n        pass\n    finally:\n        pass", (2, 5), "`try` is not"),
    ("def f() -> i32:\n    return [1, 2][0]", (2, 12), "`[1, 2]` is not in the language"),
    ("def f() -> i32:\n    return len('text')", (2, 16), "no str"),
    ("def f() -> i32:\n    return x", (2, 12), "x is not known here"),
    ("def f() -> i32:\n    return TEXT", (2, 12), "TEXT is a str; from outside come numbers"),
    ("def f() -> i64:\n    return MUCH", (2, 12), "does not fit into an i64"),
    ("def f() -> i32:\n    return NAMES[0]", (2, 12), "a tuple, but not one of whole numbers"),
    ("def f() -> None:\n    TABLE[0] = 1", (2, 5), "cannot be changed; use an array"),
    ("def f(a: i32) -> i32:\n    if a > 1:\n        b = 1\n    return b", (4, 12), "b may have no value here"),
    ("def f(a: i32) -> i32:\n    for i in range(a):\n        pass\n    return i", (4, 12), "i may have no value"),
    ("def f() -> i32:\n    x += 1\n    return x", (2, 5), "x has no value yet"),
    ("def f(a: i64) -> None:\n    x = 0\n    x = a", (3, 9), "this is i64, but x is i32; write to_i32"),
    ("def f(a: float) -> None:\n    x = 0\n    x += a", (3, 5), "this is float, but x is i32"),
    ("def f() -> None:\n    x = 0.0\n    x = 1", (3, 9), "write float(…), or 1.0 instead of 1"),
    ("def f() -> None:\n    x: i64 = 0\n    x: i32 = 0", (3, 5), "x is i64 already"),
    ("def f(a: i32) -> i32:\n    if a:\n        return 1\n    return 2", (2, 8), "compare, as in `x != 0`"),
    ("def f(a: i32, b: i32) -> i32:\n    return a / b", (2, 12), "divided by `//`"),
    ("def f(a: i32) -> i32:\n    return a ** 2", (2, 12), "powers are products"),
    ("def f(a: float) -> float:\n    return a % 2.0", (2, 12), "cannot be done with floats"),
    ("def f(a: i64, b: float) -> float:\n    return a + b", (2, 12), "write float(…)"),
    ("def f(a: bool) -> i32:\n    return a + 1", (2, 12), "bool and i32 do not go together"),
    ("def f(a: i32) -> bool:\n    return 1 < a < 3", (2, 12), "write `a < b and b < c`"),
    ("def f(a: i32) -> bool:\n    return a in TABLE", (2, 12), "no `in`"),
    ("def f(a: i32) -> i32:\n    return a << 70", (2, 17), "0 to 63 places"),
    ("def f(a: i64) -> i32:\n    return 1 << a", (2, 17), "shifted by an i32"),
    ("def f(a: i32s) -> i32:\n    return a[-1]", (2, 14), "from 0 on"),
    ("def f(a: i32s, i: i64) -> i32:\n    return a[i]", (2, 14), "an index is an i32"),
    ("def f(a: i32) -> i32:\n    return a[0]", (2, 12), "only arrays have elements"),
    ("def f(c: Chance) -> i64:\n    return c.seed", (2, 12), "no seed: Chance has state"),
    ("def f(c: i32) -> i64:\n    return c.seed", (2, 12), "i32 has no fields"),
    ("def f() -> i32:\n    return print(1)", (2, 12), "print cannot be called from a kernel"),
    ("def f() -> i32:\n    return g.h(1)", (2, 12), "by its name alone"),
    ("def f(a: i32) -> i32:\n    return min(a, key=a)", (2, 12), "without names or stars"),
    ("def f(a: i32) -> i32:\n    return min(a, a, a)", (2, 12), "min takes 2 arguments, not 3"),
    ("def f(a: i32) -> i32:\n    return f(a, a)", (2, 12), "f takes 1 arguments, not 2"),
    ("def f(a: i32) -> i32:\n    return f(1.5)", (2, 14), "this is float, but a of f is i32"),
    ("def f(a: i32) -> None:\n    x = f(a)", (2, 9), "f gives nothing"),
    ("def f(a: i32s) -> None:\n    for x in a:\n        pass", (2, 14), "a loop runs over range"),
    ("def f(a: i32) -> None:\n    for x in range(0, 9, a):\n        pass", (2, 26), "a constant that is not 0"),
    ("def f() -> None:\n    for x in range(3):\n        pass\n    else:\n        pass", (5, 9), "no `else`"),
    ("def f() -> None:\n    for x in range(3):\n        a = new_i32s(4)", (3, 13), "before loops"),
    ("def f() -> None:\n    a, b = 1, 2", (2, 5), "one at a time"),
    ("def f() -> None:\n    a = b = 1", (2, 5), "one name is assigned at a time"),
    ("def f(a: i32) -> None:\n    a == 1", (2, 5), "only calls stand alone"),
    ("def f(a: float) -> i64:\n    return wrap64(a)", (2, 19), "only whole numbers wrap around"),
    ("async def f() -> None:\n    pass", (1, 1), "only functions that `def` makes"),
]


def function(source: str, name: str = FILE) -> FunctionType:
    """A function as if it stood in a file."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    names: dict[str, Any] = dict(OUTSIDE)
    exec(compile(source, name, "exec"), names)  # noqa: S102  # the sources stand above
    made: FunctionType = names["f"]
    return made


@pytest.mark.parametrize(("source", "place", "said"), REFUSED, ids=[said for _, _, said in REFUSED])
def test_what_is_not_in_the_language_is_refused_where_it_stands(source: str, place: tuple[int, int], said: str) -> None:
    with pytest.raises(KernelError) as refused:
        Kernel(function(source))
    assert (refused.value.line, refused.value.column) == place
    assert said in refused.value.reason
    assert str(refused.value).startswith(f"{FILE}:{place[0]}:{place[1]}: ")


def test_a_function_without_a_source_is_refused() -> None:
    names: dict[str, Any] = dict(OUTSIDE)
    exec("def f() -> None:\n    pass", names)  # noqa: S102  # one line
    with pytest.raises(KernelError, match="source of f cannot be found"):
        Kernel(names["f"])


def test_a_refusal_inside_of_a_longer_file_names_its_own_line() -> None:
    source = "\n\nclass Inside:\n    def f(a: i32) -> i32:\n        return a ** 2\n\nf = Inside.f\n"
    with pytest.raises(KernelError) as refused:
        Kernel(function(source, "longer.py"))
    assert (refused.value.line, refused.value.column) == (5, 16)
