"""The little of WASI that Trealla needs, and nothing else: no files, no environment, no network.

The clock is elsewhere (server/prolog/clock.py). It stands still, so that decisions can be repeated.
"""

import struct
from collections.abc import Callable
from typing import Final

from wasmtime import Memory, Store

SUCCESS: Final = 0
BAD_DESCRIPTOR: Final = 8
NOT_SUPPORTED: Final = 52
ARGUMENTS: Final = (b"tpl", b"--ns", b"-q", b"-g", b"use_module(user), halt")
CHARACTER_DEVICE: Final = bytes([2, 0, 0, 0, 0, 0, 0, 0]) + b"\xff" * 16
STANDARD_STREAMS: Final = range(3)
LONGEST_OUTPUT: Final = 64 * 1024


class EngineExitError(Exception):
    """The engine ended its own process."""


class Wasi:
    """The system calls of one instance. `printed` collects what it writes, up to a limit."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.memory: Memory | None = None
        self.printed = bytearray()

    def function(self, name: str) -> Callable[..., int | None]:
        """The call of that name; one that we do not offer says so to whoever calls it."""
        found: Callable[..., int | None] | None = getattr(self, f"_{name}", None)
        return found or (lambda *_: NOT_SUPPORTED)

    def read(self, start: int, length: int) -> bytes:
        assert self.memory is not None
        return bytes(self.memory.read(self._store, start, start + length))

    def write(self, start: int, data: bytes) -> None:
        assert self.memory is not None
        self.memory.write(self._store, data, start)

    def _args_sizes_get(self, count: int, size: int) -> int:
        self.write(count, struct.pack("<I", len(ARGUMENTS)))
        self.write(size, struct.pack("<I", sum(len(argument) + 1 for argument in ARGUMENTS)))
        return SUCCESS

    def _args_get(self, pointers: int, texts: int) -> int:
        for number, argument in enumerate(ARGUMENTS):
            self.write(pointers + 4 * number, struct.pack("<I", texts))
            self.write(texts, argument + b"\0")
            texts += len(argument) + 1
        return SUCCESS

    def _environ_sizes_get(self, count: int, size: int) -> int:
        self.write(count, bytes(4))
        self.write(size, bytes(4))
        return SUCCESS

    def _environ_get(self, _pointers: int, _texts: int) -> int:
        return SUCCESS

    def _fd_fdstat_get(self, descriptor: int, result: int) -> int:
        if descriptor not in STANDARD_STREAMS:
            return BAD_DESCRIPTOR
        self.write(result, CHARACTER_DEVICE)
        return SUCCESS

    def _fd_prestat_get(self, _descriptor: int, _result: int) -> int:
        return BAD_DESCRIPTOR

    def _fd_close(self, _descriptor: int) -> int:
        return SUCCESS

    def _fd_read(self, _descriptor: int, _buffers: int, _count: int, result: int) -> int:
        self.write(result, bytes(4))
        return SUCCESS

    def _fd_write(self, _descriptor: int, buffers: int, count: int, result: int) -> int:
        total = 0
        for number in range(count):
            start, length = struct.unpack("<II", self.read(buffers + 8 * number, 8))
            room = LONGEST_OUTPUT - len(self.printed)
            self.printed += self.read(start, min(length, max(room, 0)))
            total += length
        self.write(result, struct.pack("<I", total))
        return SUCCESS

    def _proc_exit(self, code: int) -> None:
        raise EngineExitError(f"the engine ended itself with code {code}")
