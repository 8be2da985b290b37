"""A clock that stands still, in WebAssembly.

The engine looks at the clock whenever a fact is asserted; answering that from Python would cost more than the decision.
A function that writes into the engine's memory can only be made after the engine, which in turn wants the function at
its birth; so the engine gets a front that calls through a table, and the table is filled afterwards.
"""

from typing import Final

from wasmtime import Engine, Func, Instance, Memory, Module, Store

NOW_NANOSECONDS: Final = 1_000_000_000 * 1_000_000_000

_FRONT: Final = """
(module
  (type $clock (func (param i32 i64 i32) (result i32)))
  (table (export "table") 1 funcref)
  (func (export "clock_time_get") (type $clock)
    (call_indirect (type $clock) (local.get 0) (local.get 1) (local.get 2) (i32.const 0))))
"""

_BACK: Final = f"""
(module
  (import "engine" "memory" (memory 0))
  (import "front" "table" (table 1 funcref))
  (func $now (param i32 i64 i32) (result i32)
    (i64.store (local.get 2) (i64.const {NOW_NANOSECONDS}))
    (i32.const 0))
  (elem (i32.const 0) func $now))
"""


class StandingClock:
    """Compiled once; makes a clock for every instance of the engine."""

    def __init__(self, engine: Engine) -> None:
        self._front = Module(engine, _FRONT)
        self._back = Module(engine, _BACK)

    def close(self) -> None:
        self._front.close()
        self._back.close()

    def front(self, store: Store) -> Instance:
        """What the engine imports from."""
        return Instance(store, self._front, [])

    def function(self, store: Store, front: Instance) -> Func:
        """The function that the engine calls; it works once the clock is set."""
        found = front.exports(store)["clock_time_get"]
        assert isinstance(found, Func)
        return found

    def set(self, store: Store, front: Instance, memory: Memory) -> None:
        """Lets the clock write into the engine's memory."""
        Instance(store, self._back, [memory, front.exports(store)["table"]])
