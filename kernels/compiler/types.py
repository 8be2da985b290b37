"""The types of a kernel: whole numbers of two widths, floats, truth values, arrays of numbers, and records."""

from dataclasses import dataclass
from typing import Final

from kernels import wasm

ADDRESS_BYTES: Final = 4
HEADER_BYTES: Final = 8
"""Before the first element of an array stands its length; eight bytes, so that elements stay aligned."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number or a truth value, as a local and in memory."""

    name: str
    kind: wasm.ValueType
    bits: int = 0
    """For whole numbers: how many bits they have, the sign included."""

    @property
    def is_whole(self) -> bool:
        return self.bits > 0

    @property
    def least(self) -> int:
        return -(1 << self.bits - 1)

    @property
    def most(self) -> int:
        return (1 << self.bits - 1) - 1

    @property
    def wasm(self) -> str:
        """The word that WebAssembly's instructions for it begin with."""
        return self.kind.name.lower()

    def holds(self, number: int) -> bool:
        return self.least <= number <= self.most


I32: Final = Scalar("i32", wasm.I32, 32)
I64: Final = Scalar("i64", wasm.I64, 64)
F64: Final = Scalar("float", wasm.F64)
BOOL: Final = Scalar("bool", wasm.I32)


@dataclass(frozen=True, slots=True)
class Array:
    """Numbers one after another; as a value, the address of the first."""

    name: str
    element: Scalar
    code: str
    """What Python's array module calls an element."""
    size: int
    load: str
    store: str
    kind: wasm.ValueType = wasm.I32

    @property
    def shift(self) -> int:
        return self.size.bit_length() - 1


U8S: Final = Array("u8s", I32, "B", 1, "i32.load8_u", "i32.store8")
I32S: Final = Array("i32s", I32, "i", 4, "i32.load", "i32.store")
I64S: Final = Array("i64s", I64, "q", 8, "i64.load", "i64.store")
F64S: Final = Array("f64s", F64, "d", 8, "f64.load", "f64.store")
ARRAYS: Final = {kind.name: kind for kind in (U8S, I32S, I64S, F64S)}
TABLES: Final = {I32: I32S, I64: I64S, F64: F64S}
"""What a tuple of constants becomes, by its elements."""


@dataclass(frozen=True, slots=True)
class Record:
    """Fields under one name, eight bytes each; as a value, the address of the first."""

    name: str
    fields: tuple[tuple[str, "Type"], ...]
    kind: wasm.ValueType = wasm.I32

    FIELD_BYTES = 8

    def field(self, name: str) -> "tuple[int, Type] | None":
        """Where the field begins, and its type."""
        for number, (known, kind) in enumerate(self.fields):
            if known == name:
                return number * self.FIELD_BYTES, kind
        return None

    @property
    def size(self) -> int:
        return len(self.fields) * self.FIELD_BYTES


Type = Scalar | Array | Record
