"""What the writer writes is what others understand: wasmtime's reader of the text format is the oracle."""

import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wasmtime import Engine, Func, FuncType, Instance, Store, ValType, WasmtimeError, wat2wasm
from wasmtime import Module as Loaded

from kernels.instructions import INSTRUCTIONS, Follows
from kernels.wasm import F64, I32, I64, PAGE, V128, Function, Module, ValueType, WasmError, encoded, signed

PATTERN = bytes(range(16))
BEHIND: dict[Follows, tuple[str, tuple[Any, ...]]] = {
    Follows.NOTHING: ("", ()),
    Follows.INDEX: ("3", (3,)),
    Follows.BLOCK: ("(result f64)", (F64,)),
    Follows.TABLE: ("0 2 1", (0, 2, 1)),
    Follows.PLACE: ("offset=300", (300,)),
    Follows.PLACE_AND_LANE: ("offset=300 1", (300, 1)),
    Follows.MEMORY: ("", ()),
    Follows.TWO_MEMORIES: ("", ()),
    Follows.I32: ("-70000", (-70000,)),
    Follows.I64: ("0x8000000000000000", (1 << 63,)),
    Follows.F32: ("1.5", (1.5,)),
    Follows.F64: ("-0.1", (-0.1,)),
    Follows.BYTES: ("i8x16 " + " ".join(map(str, PATTERN)), (PATTERN,)),
    Follows.LANE: ("1", (1,)),
}
"""What the text format writes behind an instruction, and the same for us."""

CLOSED = {"block": "end", "loop": "end", "if": "end"}
ALONE = sorted(set(INSTRUCTIONS) - {"else", "end"})


def loaded(module: Module) -> tuple[Store, Any]:
    store = Store(Engine())
    instance = Instance(store, Loaded(store.engine, module.binary()), [])
    return store, instance.exports(store)


def calling(results: tuple[ValueType, ...], *parameters: ValueType) -> tuple[Module, Function]:
    module = Module()
    return module, module.function("f", parameters, results)


@pytest.mark.parametrize("name", ALONE)
def test_every_instruction_is_written_as_the_text_format_writes_it(name: str) -> None:
    text, immediates = BEHIND[INSTRUCTIONS[name].follows]
    if name == "i8x16.shuffle":
        text = text.removeprefix("i8x16 ")
    locals_ = "(local i32 i32 i32 i32)"
    theirs = wat2wasm(
        "(module (global (mut i32) i32.const 0) (memory 1)"
        f"(func {locals_} unreachable block block block {name} {text} {CLOSED.get(name, '')} end end end))"
    )
    module = Module()
    module.memory(1, export=None)
    module.variable(I32)
    function = module.function(None)
    for _ in range(4):
        function.local(I32)
    for written in ("unreachable", "block", "block", "block"):
        function.emit(written)
    function.emit(name, *immediates)
    for written in (*([CLOSED[name]] if name in CLOSED else []), "end", "end", "end"):
        function.emit(written)
    assert module.binary() == _without_names(theirs)


def _without_names(binary: bytes | bytearray) -> bytes:
    """Without the custom section at the end, which only carries names."""
    at = binary.find(b"\x00", 8)
    while at != -1:
        if binary[at + 2 : at + 7] == b"\x04name":
            return bytes(binary[:at])
        at = binary.find(b"\x00", at + 1)
    return bytes(binary)


def test_a_whole_module_is_what_its_text_says() -> None:
    module = Module()
    tell = module.imported("host", "tell", (I32,), ())
    module.memory(1, most=3)
    counter = module.variable(I64, -5, export="counter")
    module.variable(V128)
    twice = module.function(None, (I32,), (I32,))
    for name, *rest in (("local.get", 0), ("i32.const", 2), ("i32.mul",)):
        twice.emit(name, *rest)
    main = module.function("main")
    number, wide = main.local(I32), [main.local(I64) for _ in range(2)]
    main.emit("global.get", counter)
    main.emit("local.set", wide[1])
    main.emit("local.get", number)
    main.emit("call", twice)
    main.emit("call", tell)
    module.start(main)
    module.data(16, b"hello")
    assert module.binary() == _without_names(
        wat2wasm("""(module
          (type (func (param i32))) (type (func (param i32) (result i32))) (type (func))
          (import "host" "tell" (func (type 0)))
          (memory 1 3)
          (global (mut i64) i64.const -5) (global (mut v128) v128.const i64x2 0 0)
          (export "memory" (memory 0)) (export "counter" (global 0)) (export "main" (func 2))
          (start 2)
          (func (type 1) local.get 0 i32.const 2 i32.mul)
          (func (type 2) (local i32 i64 i64) global.get 0 local.set 2 local.get 0 call 1 call 0)
          (data (i32.const 16) "hello"))""")
    )


def test_a_module_runs_with_what_it_imports_and_its_memory_holds_its_data() -> None:
    module = Module()
    ask = module.imported("host", "ask", (I32,), (I32,))
    module.memory(1)
    module.data(PAGE - 4, struct.pack("<i", 40))
    function = module.function("f", (), (I32,))
    function.emit("i32.const", 0)
    function.emit("i32.load", PAGE - 4)
    function.emit("call", ask)
    store = Store(Engine())
    told = Func(store, FuncType([ValType.i32()], [ValType.i32()]), lambda number: number + 2)
    instance = Instance(store, Loaded(store.engine, module.binary()), [told])
    assert instance.exports(store)["f"](store) == 42  # type: ignore[operator]  # it is a function


@given(st.integers(-(1 << 63), (1 << 63) - 1))
def test_whole_numbers_arrive_as_they_are(number: int) -> None:
    module, function = calling((I64,))
    function.emit("i64.const", number)
    store, exports = loaded(module)
    assert exports["f"](store) == number


@given(st.floats(allow_nan=False))
def test_floats_arrive_with_all_their_bits(number: float) -> None:
    module, function = calling((F64,))
    function.emit("f64.const", number)
    store, exports = loaded(module)
    assert struct.pack("<d", exports["f"](store)) == struct.pack("<d", number)


def test_an_unsigned_number_is_the_signed_one_of_the_same_bits() -> None:
    assert encoded("i32.const", (1 << 32) - 1) == encoded("i32.const", -1)
    assert signed(-1) == b"\x7f"


def test_vectors_compute_lane_by_lane() -> None:
    module, function = calling((I32,), I32)
    function.emit("local.get", 0)
    function.emit("i32x4.splat")
    function.emit("v128.const", struct.pack("<4i", 1, 2, 3, 4))
    function.emit("i32x4.mul")
    function.emit("i32x4.extract_lane", 2)
    store, exports = loaded(module)
    assert exports["f"](store, 14) == 42


@pytest.mark.parametrize(
    ("name", "immediates", "said"),
    [
        ("i32.plus", (), "no instruction 'i32.plus'"),
        ("i32.add", (1,), "followed by nothing"),
        ("local.get", (), "the number of a local"),
        ("local.get", (-1,), "from 0 to"),
        ("i32.const", (1 << 32,), "does not fit into 32 bits"),
        ("i32.const", (0.5,), "a whole number of 32 bits"),
        ("v128.const", (b"short",), "there must be sixteen"),
        ("i32x4.extract_lane", (256,), "a lane"),
    ],
)
def test_what_cannot_be_written_is_refused_with_what_was_expected(
    name: str, immediates: tuple[Any, ...], said: str
) -> None:
    with pytest.raises(WasmError, match=said.replace("(", r"\(")):
        encoded(name, *immediates)


def test_a_module_is_put_together_in_order() -> None:
    module = Module()
    module.memory(1)
    module.function("f")
    with pytest.raises(WasmError, match="one memory"):
        module.memory(2)
    with pytest.raises(WasmError, match="before the first function"):
        module.imported("host", "late", (), ())
    with pytest.raises(WasmError, match="exported as 'f'"):
        module.function("f")


def test_whoever_loads_a_module_judges_it() -> None:
    module, function = calling((I32,))
    function.emit("f64.const", 1.0)
    with pytest.raises(WasmtimeError):
        loaded(module)
