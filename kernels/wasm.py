"""A writer of WebAssembly modules: types, imports, functions, one memory, globals, data and exports become bytes.

    module = Module()
    module.memory(pages=1)
    add = module.function("add", (I32, I32), (I32,))
    add.emit("local.get", 0)
    add.emit("local.get", 1)
    add.emit("i32.add")
    binary = module.binary()

Instructions go by the names of the text format (kernels/instructions.py); what follows a name is what the text format
writes behind it. The writer knows what each instruction looks like but does not judge whether a function makes sense:
whoever loads the module does. The same calls give the same bytes everywhere.
"""

import struct
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from operator import index
from typing import Final, SupportsIndex

from kernels.instructions import INSTRUCTIONS, Follows, Instruction, unsigned

PAGE: Final = 65_536
"""Bytes of a page, the unit in which memories are measured."""


class ValueType(IntEnum):
    """The type of a value."""

    I32 = 0x7F
    I64 = 0x7E
    F32 = 0x7D
    F64 = 0x7C
    V128 = 0x7B


I32, I64, F32, F64, V128 = ValueType

Immediate = SupportsIndex | float | bytes | ValueType | None


class WasmError(ValueError):
    """Something that cannot be written: an unknown instruction, or one with the wrong things behind it."""


class Global:
    """A value that all functions share; stands for its number in `global.get` and `global.set`."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __index__(self) -> int:
        return self._number


class Imported:
    """A function that whoever loads the module gives it; stands for its number in `call`."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __index__(self) -> int:
        return self._number


class Function:
    """A function that is being written; stands for its number in `call`. Its `end` is added by itself."""

    def __init__(self, number: int, parameters: Sequence[ValueType]) -> None:
        self._number = number
        self._parameters = len(parameters)
        self._locals: list[ValueType] = []
        self._code = bytearray()

    def __index__(self) -> int:
        return self._number

    def local(self, kind: ValueType) -> int:
        """The number of a new local; the parameters come first. Locals begin as zero."""
        self._locals.append(kind)
        return self._parameters + len(self._locals) - 1

    def emit(self, name: str, *immediates: Immediate) -> None:
        """Appends an instruction. Raises WasmError."""
        self._code += encoded(name, *immediates)

    def append(self, code: bytes) -> None:
        """Appends instructions that `encoded` gave."""
        self._code += code

    def body(self) -> bytes:
        """Locals, runs of one kind together, and code."""
        runs: list[tuple[int, ValueType]] = []
        for kind in self._locals:
            count = runs.pop()[0] if runs and runs[-1][1] is kind else 0
            runs.append((count + 1, kind))
        written = _vector([unsigned(count) + bytes([kind]) for count, kind in runs])
        return _sized(written + self._code + INSTRUCTIONS["end"].number)


class _Written(Function):
    """A function whose body was written before. It may name locals and the memory, but nothing else of a module."""

    def __init__(self, number: int, body: bytes) -> None:
        super().__init__(number, ())
        self._written = body

    def body(self) -> bytes:
        return self._written


class Module:
    """A module that is being written. Imports have to be named before functions, because they are numbered first."""

    def __init__(self) -> None:
        self._types: dict[bytes, int] = {}
        self._imports: list[bytes] = []
        self._functions: list[tuple[int, Function]] = []
        self._memory: bytes | None = None
        self._globals: list[bytes] = []
        self._exports: dict[str, bytes] = {}
        self._start: Function | None = None
        self._data: list[bytes] = []

    def imported(
        self, source: str, name: str, parameters: Sequence[ValueType], results: Sequence[ValueType]
    ) -> Imported:
        """A function from outside, asked for as `source` and `name`."""
        if self._functions:
            raise WasmError(f"the import {source}.{name} has to be named before the first function")
        kind = b"\x00" + unsigned(self._type(parameters, results))
        self._imports.append(_name(source) + _name(name) + kind)
        return Imported(len(self._imports) - 1)

    def function(
        self, export: str | None, parameters: Sequence[ValueType] = (), results: Sequence[ValueType] = ()
    ) -> Function:
        """A new function, offered to the outside under the name `export` unless that is None."""
        function = Function(len(self._imports) + len(self._functions), parameters)
        self._functions.append((self._type(parameters, results), function))
        if export is not None:
            self._export(export, _FUNCTION, function)
        return function

    def written(self, body: bytes, parameters: Sequence[ValueType] = (), results: Sequence[ValueType] = ()) -> Function:
        """A function whose `body` was written for another module, calls none and uses no globals."""
        function = _Written(len(self._imports) + len(self._functions), body)
        self._functions.append((self._type(parameters, results), function))
        return function

    def memory(self, pages: int, most: int | None = None, export: str | None = "memory") -> None:
        """The memory: how many pages it begins with, and how many it may grow to at most."""
        if self._memory is not None:
            raise WasmError("a module has one memory, and this one has it already")
        self._memory = b"\x00" + unsigned(pages) if most is None else b"\x01" + unsigned(pages) + unsigned(most)
        if export is not None:
            self._export(export, _MEMORY, 0)

    def variable(self, kind: ValueType, first: int | float | bytes | None = None, export: str | None = None) -> Global:
        """A global that can be set, beginning with the value `first` or zero."""
        made = Global(len(self._globals))
        if first is None:
            first = bytes(16) if kind is V128 else 0
        constant = encoded(f"{kind.name.lower()}.const", first)
        self._globals.append(bytes([kind, 1]) + constant + INSTRUCTIONS["end"].number)
        if export is not None:
            self._export(export, _GLOBAL, made)
        return made

    def data(self, address: int, content: bytes) -> None:
        """Bytes that the memory holds from the beginning."""
        self._data.append(b"\x00" + encoded("i32.const", address) + INSTRUCTIONS["end"].number + _sized(content))

    def start(self, function: Function) -> None:
        """A function that runs when the module is loaded."""
        self._start = function

    def binary(self) -> bytes:
        """The module as it is loaded."""
        sections = (
            (1, _vector(self._types)),
            (2, _vector(self._imports)),
            (3, _vector([unsigned(kind) for kind, _ in self._functions])),
            (5, _vector([] if self._memory is None else [self._memory])),
            (6, _vector(self._globals)),
            (7, _vector([_name(name) + what for name, what in self._exports.items()])),
            (8, b"\x00" if self._start is None else unsigned(index(self._start))),
            (10, _vector([function.body() for _, function in self._functions])),
            (11, _vector(self._data)),
        )
        empty = {8: self._start is None}
        return b"\x00asm\x01\x00\x00\x00" + b"".join(
            bytes([number]) + _sized(content)
            for number, content in sections
            if not empty.get(number, content == b"\x00")
        )

    def _type(self, parameters: Sequence[ValueType], results: Sequence[ValueType]) -> int:
        written = (
            b"\x60" + _vector([bytes([kind]) for kind in parameters]) + _vector([bytes([kind]) for kind in results])
        )
        return self._types.setdefault(written, len(self._types))

    def _export(self, name: str, sort: int, what: SupportsIndex) -> None:
        if name in self._exports:
            raise WasmError(f"two things are exported as {name!r}")
        self._exports[name] = bytes([sort]) + unsigned(index(what))


_FUNCTION: Final = 0
_MEMORY: Final = 2
_GLOBAL: Final = 3
_NO_RESULT: Final = b"\x40"


def encoded(name: str, *immediates: Immediate) -> bytes:
    """An instruction as bytes. Raises WasmError."""
    try:
        instruction = INSTRUCTIONS[name]
    except KeyError:
        raise WasmError(f"WebAssembly has no instruction {name!r}") from None
    if not immediates and instruction.follows is Follows.NOTHING:
        return instruction.number
    try:
        return instruction.number + _WRITERS[instruction.follows](instruction, *immediates)
    except (TypeError, ValueError, OverflowError, struct.error) as error:
        given = ", ".join(repr(immediate) for immediate in immediates) or "nothing"
        raise WasmError(f"{name} is followed by {instruction.follows.value}, not by {given}: {error}") from None


def signed(number: int) -> bytes:
    """A number in the variable length (LEB128) that also knows negative ones."""
    written = bytearray()
    while not -0x40 <= number < 0x40:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number & 0x7F)
    return bytes(written)


def _natural(number: SupportsIndex) -> bytes:
    value = index(number)
    if not 0 <= value < 1 << 32:
        raise ValueError("it must be from 0 to 2**32 - 1")
    return unsigned(value)


def _whole(bits: int, number: SupportsIndex) -> bytes:
    """Takes unsigned numbers as well, which have the same bits."""
    value = index(number)
    if not -(1 << bits - 1) <= value < 1 << bits:
        raise ValueError(f"it does not fit into {bits} bits")
    return signed(value - (1 << bits) if value >= 1 << bits - 1 else value)


def _block(_: Instruction, kind: ValueType | None = None) -> bytes:
    return _NO_RESULT if kind is None else bytes([ValueType(kind)])


def _table(_: Instruction, *labels: SupportsIndex) -> bytes:
    return unsigned(len(labels) - 1) + b"".join(map(_natural, labels))


def _place(instruction: Instruction, offset: SupportsIndex = 0) -> bytes:
    return unsigned(instruction.bytes_moved.bit_length() - 1) + _natural(offset)


def _sixteen(_: Instruction, content: bytes) -> bytes:
    if not isinstance(content, bytes) or len(content) != 16:
        raise ValueError("there must be sixteen")
    return content


_WRITERS: Final[dict[Follows, Callable[..., bytes]]] = {
    Follows.NOTHING: lambda _: b"",
    Follows.INDEX: lambda _, number: _natural(number),
    Follows.BLOCK: _block,
    Follows.TABLE: _table,
    Follows.PLACE: _place,
    Follows.PLACE_AND_LANE: lambda instruction, offset, lane: _place(instruction, offset) + bytes([lane]),
    Follows.MEMORY: lambda _: b"\x00",
    Follows.TWO_MEMORIES: lambda _: b"\x00\x00",
    Follows.I32: lambda _, number: _whole(32, number),
    Follows.I64: lambda _, number: _whole(64, number),
    Follows.F32: lambda _, number: struct.pack("<f", number),
    Follows.F64: lambda _, number: struct.pack("<d", number),
    Follows.BYTES: _sixteen,
    Follows.LANE: lambda _, lane: bytes([lane]),
}


def _vector(items: Iterable[bytes]) -> bytes:
    written = list(items)
    return unsigned(len(written)) + b"".join(written)


def _sized(content: bytes | bytearray) -> bytes:
    return unsigned(len(content)) + bytes(content)


def _name(text: str) -> bytes:
    return _sized(text.encode())
