"""One running Trealla: how its exported functions are called.

A goal that serves stays open: every question lets it find one more solution, which is ten times cheaper than a new
query. During that solution it calls back twice, first for the question, then with the answer.
"""

import struct
import threading
from collections.abc import Callable
from typing import Final, NamedTuple

from wasmtime import Engine, Func, FuncType, Instance, Memory, Module, Store

from server.prolog.clock import StandingClock
from server.prolog.wasi import EngineExitError, Wasi

HOST_CALL_OK: Final = 1
HOST_CALL_ERROR: Final = 0
PROMPT: Final = b"?"
LONGEST_ANSWER: Final = 4096
BLOCK: Final = 4096
CALL_FUEL: Final = 250_000
"""What a call of the host costs: as many instructions as run in the time that Python takes to answer it."""
_POINTER: Final = struct.Struct("<I")


class Parts(NamedTuple):
    """What instances are made of."""

    engine: Engine
    trealla: Module
    clock: StandingClock
    memory_bytes: int

    def close(self) -> None:
        self.trealla.close()
        self.clock.close()
        self.engine.close()


class TreallaInstance:
    """Raises what wasmtime raises when a limit is hit; then the instance must not be used again."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.lock = threading.Lock()
        """Held by whoever uses the instance."""
        self._store = Store(parts.engine)
        self._store.set_limits(memory_size=parts.memory_bytes)
        self.allow(1_000_000, 1_000)
        self._wasi = Wasi(self._store)
        own = {"host-call": self._host_call, "host-resume": lambda *_: HOST_CALL_ERROR}
        clock = parts.clock.front(self._store)
        imports = []
        for imported in parts.trealla.imports:
            kind, name = imported.type, imported.name or ""
            assert isinstance(kind, FuncType), f"Trealla asks for {name}, which is no function"
            if name == "clock_time_get":
                imports.append(parts.clock.function(self._store, clock))
            else:
                imports.append(Func(self._store, kind, self._paid(own.get(name) or self._wasi.function(name))))
        self._exports = Instance(self._store, parts.trealla, imports).exports(self._store)
        memory = self._exports["memory"]
        assert isinstance(memory, Memory)
        parts.clock.set(self._store, clock, memory)
        self._wasi.memory = self._memory = memory
        self._prolog = 0
        self._serving = 0
        self._question = b""
        self._answer = b""
        self._changes: list[tuple[int, bytes]] | None = None

    def copy(self) -> "TreallaInstance":
        """Another instance in the same state. Between calls all of the state is in the memory."""
        twin = TreallaInstance(self._parts)
        missing = self._memory.size(self._store) - twin._memory.size(twin._store)
        if missing > 0:
            twin._memory.grow(twin._store, missing)
        if self._changes is None:
            self._changes = changes(twin._memory.read(twin._store), self._memory.read(self._store))
        for at, block in self._changes:
            twin._memory.write(twin._store, block, at)
        twin._prolog = self._prolog
        return twin

    @property
    def size(self) -> int:
        """Bytes of its memory."""
        return self._memory.data_len(self._store)

    def close(self) -> None:
        """Gives the memory back. It would stay for ever otherwise: wasmtime keeps our functions until the store ends,
        and our functions keep the store."""
        self._store.close()

    def allow(self, fuel: int, ticks: int) -> None:
        """What the next call may cost."""
        self._store.set_fuel(fuel)
        self._store.set_epoch_deadline(ticks)

    def start(self) -> None:
        """Runs the engine's own start-up."""
        self._call("_start")
        self._prolog = self._call("pl_global")

    def run(self, goal: str) -> str:
        """Runs a goal once: "1" or "0", then what was printed."""
        self._wasi.printed.clear()
        query = self._query(goal)
        succeeded = self._call("get_status", self._prolog)
        if query:
            self._call("pl_done", query)
        return f"{int(bool(succeeded))}{self._wasi.printed.decode(errors='replace')}"

    def serve(self, goal: str) -> str:
        """Opens the goal that answers questions."""
        self._serving = self._query(goal)
        return ""

    def ask(self, question: str) -> str:
        """Answers one question."""
        self._wasi.printed.clear()
        self._question, self._answer = question.encode(), b""
        alive = self._call("pl_redo", self._serving)
        if not alive or not self._answer:
            raise EngineExitError("it used up its memory or halted the engine")
        return self._answer.decode(errors="replace")

    def _paid(self, function: Callable[..., int | None]) -> Callable[..., int | None]:
        """The same, for fuel: else a script that does nothing but call us would have all the time that there is."""

        def paid(*arguments: int) -> int | None:
            self._store.set_fuel(max(0, self._store.get_fuel() - CALL_FUEL))
            return function(*arguments)

        return paid

    def _query(self, goal: str) -> int:
        text = goal.encode() + b"\0"
        at, result = self._put(text), self._put(bytes(_POINTER.size))
        self._call("pl_query", self._prolog, at, result, 0)
        (query,) = _POINTER.unpack(self._wasi.read(result, _POINTER.size))
        self._call("canonical_abi_free", at, len(text), 1)
        self._call("canonical_abi_free", result, _POINTER.size, 1)
        return int(query)

    def _host_call(self, _query: int, message: int, length: int, reply: int, reply_length: int) -> int:
        """Called by the engine: "?" asks for the question; anything else is the answer."""
        said = self._wasi.read(message, min(length, LONGEST_ANSWER))
        if said == PROMPT:
            text = self._question
        else:
            self._answer, text = said, b"ok"
        self._wasi.write(reply, _POINTER.pack(self._put(text + b"\0")))
        self._wasi.write(reply_length, _POINTER.pack(len(text)))
        return HOST_CALL_OK

    def _put(self, data: bytes) -> int:
        """Copies bytes into the engine's memory, which will free them."""
        at = self._call("canonical_abi_realloc", 0, 0, 1, len(data))
        if not at:
            raise EngineExitError("the rule base left the engine without memory")
        self._wasi.write(at, data)
        return at

    def _call(self, name: str, *arguments: int) -> int:
        function = self._exports[name]
        assert isinstance(function, Func)
        result: int | None = function(self._store, *arguments)
        return result or 0


def changes(before: bytes | bytearray, after: bytes | bytearray) -> list[tuple[int, bytes]]:
    """The blocks in which two memories of the same size differ, and where they are."""
    return [
        (at, bytes(after[at : at + BLOCK]))
        for at in range(0, len(after), BLOCK)
        if before[at : at + BLOCK] != after[at : at + BLOCK]
    ]
