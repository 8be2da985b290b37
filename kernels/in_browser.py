"""The host in the browser: the worker's own WebAssembly, reached through client_web/src/kernels/host.ts.

Numbers change on the way between Python and JavaScript: a float without a fraction arrives as a whole number, and a
whole number as a float unless it is long. So every number is sent as what the function takes, and floats come back as
their bits.
"""

import struct
from types import TracebackType
from typing import Any, Protocol

from kernels.host import LIMITS, Limits, Number, StoppedError, use_host
from kernels.signatures import signatures
from kernels.wasm import F64, I64, PAGE, ValueType


class Bridge(Protocol):
    """What the worker offers. A text instead of a result says what went wrong."""

    def load(self, binary: bytes, pages: int) -> int | str: ...

    def call(self, instance: int, name: str, result: str, kinds: str, *arguments: Number) -> int | str | None: ...

    def read(self, instance: int, address: int, length: int) -> Any: ...

    def write(self, instance: int, address: int, content: bytes) -> bool: ...

    def close(self, instance: int) -> None: ...


class BrowserHost:
    """See kernels.host.Host."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge

    def load(self, binary: bytes, limits: Limits = LIMITS) -> "BrowserInstance":
        return BrowserInstance(self._bridge, binary, limits)


class BrowserInstance:
    """See kernels.host.Instance."""

    def __init__(self, bridge: Bridge, binary: bytes, limits: Limits) -> None:
        self._bridge = bridge
        self._signatures = signatures(binary)
        loaded = bridge.load(binary, limits.memory_bytes // PAGE)
        if isinstance(loaded, str):
            raise StoppedError(loaded)
        self._number = loaded

    def call(self, name: str, *arguments: Number) -> Number | None:
        parameters, results = self._signatures[name]
        if len(arguments) != len(parameters):
            raise TypeError(f"{name} takes {len(parameters)} arguments, not {len(arguments)}")
        kinds = "".join("L" if kind is I64 else "." for kind in parameters)
        sort = "".join(_sort(kind) for kind in results)
        found = self._bridge.call(self._number, name, sort, kinds, *arguments)
        if isinstance(found, str):
            raise StoppedError(found)
        if found is None or not results:
            return None
        if results[0] is F64:
            number: float = struct.unpack("<d", struct.pack("<q", int(found)))[0]
            return number
        return int(found)

    def read(self, address: int, length: int) -> bytes:
        found = self._bridge.read(self._number, address, length)
        if found is None:
            raise IndexError(f"the memory does not have {length} bytes from {address} on")
        content: bytes = found.to_bytes()
        return content

    def write(self, address: int, content: bytes) -> None:
        if not self._bridge.write(self._number, address, content):
            raise IndexError(f"the memory does not have {len(content)} bytes from {address} on")

    def close(self) -> None:
        self._bridge.close(self._number)

    def __enter__(self) -> "BrowserInstance":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def use_bridge(bridge: Bridge) -> None:
    """Called by the worker when it starts."""
    use_host(BrowserHost(bridge))


def _sort(kind: ValueType) -> str:
    return {F64: "F", I64: "L"}.get(kind, ".")
