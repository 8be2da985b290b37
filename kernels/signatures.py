"""Reads from the bytes of a module what its exported functions take and give; a browser does not tell."""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

from kernels.wasm import ValueType

T = TypeVar("T")
_TYPES, _IMPORTS, _FUNCTIONS, _EXPORTS = 1, 2, 3, 7


class Signature(NamedTuple):
    parameters: tuple[ValueType, ...]
    results: tuple[ValueType, ...]


def signatures(binary: bytes) -> dict[str, Signature]:
    """The exported functions by name. For modules that import nothing, as all kernels do."""
    sections = dict(_sections(binary))
    if _IMPORTS in sections:
        raise ValueError("a module that imports something cannot be loaded as a kernel")
    types = _Reader(sections.get(_TYPES, b"\0")).many(_Reader.signature)
    functions = _Reader(sections.get(_FUNCTIONS, b"\0")).many(_Reader.number)
    exports = _Reader(sections.get(_EXPORTS, b"\0")).many(_Reader.export)
    return {name: types[functions[number]] for name, sort, number in exports if sort == 0}


def _sections(binary: bytes) -> Iterator[tuple[int, bytes]]:
    reader = _Reader(binary[8:])
    while not reader.is_done:
        number = reader.byte()
        yield number, reader.bytes(reader.number())


class _Reader:
    """Reads bytes from the front."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0

    @property
    def is_done(self) -> bool:
        return self._at >= len(self._content)

    def bytes(self, count: int) -> bytes:
        self._at += count
        return self._content[self._at - count : self._at]

    def byte(self) -> int:
        return self.bytes(1)[0]

    def number(self) -> int:
        value = shift = 0
        while (byte := self.byte()) & 0x80:
            value |= (byte & 0x7F) << shift
            shift += 7
        return value | byte << shift

    def many(self, read: "Callable[[_Reader], T]") -> list[T]:
        return [read(self) for _ in range(self.number())]

    def kind(self) -> ValueType:
        return ValueType(self.byte())

    def signature(self) -> Signature:
        self.byte()
        return Signature(tuple(self.many(_Reader.kind)), tuple(self.many(_Reader.kind)))

    def export(self) -> tuple[str, int, int]:
        return self.bytes(self.number()).decode(), self.byte(), self.number()
