"""Who runs WebAssembly: wasmtime wherever it is installed, the worker's own engine in the browser.

A host loads the bytes of a module and gives an instance: exported functions are called by name, the memory is read and
written in whole stretches. Modules import nothing, so that an instance can reach nothing but its own memory.
"""

import os
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Protocol

Number = int | float


@dataclass(frozen=True, slots=True)
class Limits:
    """What an instance may cost. A browser knows no time limit: there the page ends the worker."""

    seconds: float | None = 60.0
    """How long one call may take. Looking at the clock costs up to half of the speed, so a kernel whose loops are known
    to end may do without: None."""
    memory_bytes: int = 512 * 1024 * 1024


LIMITS: Final = Limits()


class StoppedError(RuntimeError):
    """A call did not come to its end: it broke a limit, or what it did makes no sense. The message says which.

    The instance must not be used again: nobody knows in which state its memory is.
    """


class Instance(Protocol):
    """A module that was loaded: its functions and its memory."""

    def call(self, name: str, *arguments: Number) -> Number | None:
        """What an exported function gives: a whole number, a float, or nothing. Raises StoppedError."""
        ...

    def read(self, address: int, length: int) -> bytes:
        """A copy of a stretch of the memory. Raises IndexError beyond its end."""
        ...

    def write(self, address: int, content: bytes) -> None:
        """Puts bytes into the memory. Raises IndexError beyond its end."""
        ...

    def close(self) -> None:
        """Gives the memory back."""
        ...

    def __enter__(self) -> "Instance": ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...


class Host(Protocol):
    """Loads modules."""

    def load(self, binary: bytes, limits: Limits = LIMITS) -> Instance:
        """A fresh instance. Raises ValueError for bytes that are no module, StoppedError if it may not be as large."""
        ...


_host: Host | None = None
_process = 0


def use_host(host: Host | None) -> None:
    """Makes `host` the one of this process; None forgets it."""
    global _host, _process  # there is one host per process
    _host, _process = host, os.getpid()


def current_host() -> Host:
    """The host of this process: the one that was told, or wasmtime."""
    if _host is None or _process != os.getpid():  # the threads of a host do not survive a fork
        from kernels.in_wasmtime import WasmtimeHost  # browsers have none, and start without it

        use_host(WasmtimeHost())
    assert _host is not None
    return _host
