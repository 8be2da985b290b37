"""The memory of a kernel: tables of constants first, then arrays and records one behind the other.

What a function makes lies behind everything else and is gone when it returns; what a host makes between calls stays.
"""

import struct
from typing import Any, Final

from kernels import wasm
from kernels.compiler.checking import Table
from kernels.compiler.types import HEADER_BYTES

ALLOCATE: Final = "new"
"""The exported function that makes arrays: how many elements, and the binary logarithm of their size."""
FIRST_ADDRESS: Final = 16


class Tables:
    """Tuples of constants, each once, one after another in the memory."""

    def __init__(self) -> None:
        self.content = bytearray()
        self._places: dict[Table, int] = {}

    @property
    def size(self) -> int:
        return _aligned(FIRST_ADDRESS + len(self.content))

    def place(self, table: Table) -> int:
        """The address of the first element."""
        if table not in self._places:
            self.content += bytes(_aligned(len(self.content)) - len(self.content))
            self.content += struct.pack("<q", len(table.values))
            self._places[table] = FIRST_ADDRESS + len(self.content)
            self.content += struct.pack(f"<{len(table.values)}{table.kind.code}", *table.values)
        return self._places[table]


def _aligned(address: int) -> int:
    return -(-address // HEADER_BYTES) * HEADER_BYTES


def allocation(module: wasm.Module, top: wasm.Global) -> wasm.Function:
    """Makes room behind everything else, growing the memory where that is needed, and fills it with zeros."""
    function = module.function(ALLOCATE, (wasm.I32, wasm.I32), (wasm.I32,))
    count, shift = 0, 1
    address, end, missing = function.local(wasm.I32), function.local(wasm.I64), function.local(wasm.I32)
    code: tuple[tuple[Any, ...], ...] = (
        # A negative count, and one that no memory has room for, stop the kernel.
        ("global.get", top),
        ("i32.const", HEADER_BYTES),
        ("i32.add",),
        ("local.tee", address),
        ("i64.extend_i32_u",),
        ("local.get", count),
        ("i64.extend_i32_u",),
        ("local.get", shift),
        ("i64.extend_i32_u",),
        ("i64.shl",),
        ("i64.add",),
        ("i64.const", HEADER_BYTES - 1),
        ("i64.add",),
        ("i64.const", -HEADER_BYTES),
        ("i64.and",),
        ("local.tee", end),
        ("i64.const", 1 << 31),
        ("i64.gt_u",),
        ("local.get", count),
        ("i32.const", 0),
        ("i32.lt_s",),
        ("i32.or",),
        ("if",),
        ("unreachable",),
        ("end",),
        ("local.get", end),
        ("i64.const", wasm.PAGE - 1),
        ("i64.add",),
        ("i64.const", 16),
        ("i64.shr_u",),
        ("i32.wrap_i64",),
        ("memory.size",),
        ("i32.sub",),
        ("local.tee", missing),
        ("i32.const", 0),
        ("i32.gt_s",),
        ("if",),
        ("local.get", missing),
        ("memory.grow",),
        ("i32.const", -1),
        ("i32.eq",),
        ("if",),
        ("unreachable",),
        ("end",),
        ("end",),
        ("local.get", end),
        ("i32.wrap_i64",),
        ("global.set", top),
        ("local.get", address),
        ("i32.const", HEADER_BYTES),
        ("i32.sub",),
        ("local.get", count),
        ("i32.store",),
        ("local.get", address),
        ("i32.const", 0),
        ("local.get", end),
        ("i32.wrap_i64",),
        ("local.get", address),
        ("i32.sub",),
        ("memory.fill",),
        ("local.get", address),
    )
    for name, *immediates in code:
        function.emit(name, *immediates)
    return function
