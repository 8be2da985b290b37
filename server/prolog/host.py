"""The host of the server: instances of Trealla in wasmtime, every question within fuel, time and memory.

Implements npc.prolog.host.Host. An instance holds the memory of one rule base in one seat of one match.
"""

import atexit
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from wasmtime import Config, Engine, Trap, TrapCode, WasmtimeError

from server.prolog.clock import StandingClock
from server.prolog.compiled import compiled
from server.prolog.instance import Parts, TreallaInstance
from server.prolog.wasi import EngineExitError

TICK_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class Limits:
    """What one question may cost.

    Fuel is counted in WebAssembly instructions, so that it does not depend on the machine.
    """

    fuel: int = 1_000_000_000
    load_fuel: int = 4_000_000_000
    seconds: float = 5.0
    memory_bytes: int = 64 * 1024 * 1024


class WasmtimeHost:
    """One per process. An instance answers one question at a time; whoever asks another one does not wait for it."""

    def __init__(self, engine_file: bytes, cache: Path, limits: Limits | None = None) -> None:
        config = Config()
        config.consume_fuel = True
        config.epoch_interruption = True
        self.limits = limits or Limits()
        engine = Engine(config)
        trealla = compiled(engine, engine_file, cache)
        self._parts = Parts(engine, trealla, StandingClock(engine), self.limits.memory_bytes)
        self._instances: dict[int, TreallaInstance] = {}
        self._last = 0
        self._lock = threading.Lock()
        self._ticker = _Ticker(engine)
        atexit.register(self.stop)

    def open(self) -> int:
        instance = TreallaInstance(self._parts)
        instance.allow(self.limits.load_fuel, self._ticks)
        instance.start()
        return self._named(instance)

    def copy(self, instance: int) -> int:
        original = self._instances[instance]
        with original.lock:
            return self._named(original.copy())

    def run(self, instance: int, goal: str) -> str:
        return self._within(instance, self.limits.load_fuel, lambda engine: engine.run(goal))

    def serve(self, instance: int, goal: str) -> str:
        return self._within(instance, self.limits.load_fuel, lambda engine: engine.serve(goal))

    def ask(self, instance: int, key: str, question: str) -> str:  # noqa: ARG002  # the key is for the browser's watchdog
        return self._within(instance, self.limits.fuel, lambda engine: engine.ask(question))

    def size(self, instance: int) -> int:
        found = self._instances.get(instance)
        return found.size if found is not None else 0

    def close(self, instance: int) -> None:
        self._forget(instance)

    def stop(self) -> None:
        """Forgets all instances, ends the clock and gives the machine code back; at the end of a process too, because
        wasmtime cannot do so itself any more once the interpreter is being taken apart."""
        atexit.unregister(self.stop)
        for instance in list(self._instances):
            self._forget(instance)
        self._ticker.stop()
        self._parts.close()

    @property
    def _ticks(self) -> int:
        return max(2, round(self.limits.seconds / TICK_SECONDS))

    def _named(self, instance: TreallaInstance) -> int:
        with self._lock:
            self._last += 1
            self._instances[self._last] = instance
            return self._last

    def _within(self, name: int, fuel: int, act: Callable[[TreallaInstance], str]) -> str:
        """The reply of an instance, or why it died."""
        instance = self._instances[name]
        with instance.lock:
            instance.allow(fuel, self._ticks)
            try:
                return "+" + act(instance)
            except (Trap, EngineExitError, WasmtimeError) as death:
                reason = cause(death)
        self._forget(name)
        return "-" + reason

    def _forget(self, name: int) -> None:
        instance = self._instances.pop(name, None)
        if instance is not None:
            with instance.lock:
                instance.close()


def cause(death: Exception) -> str:
    """Why an instance died, in a few words."""
    code = death.trap_code if isinstance(death, Trap) else None
    text = str(death)
    if "fuel" in text:
        return "it took too many steps"
    if code is TrapCode.INTERRUPT:
        return "it took too much time"
    if isinstance(death, EngineExitError):
        return text
    return "the engine broke: " + text.strip().splitlines()[-1].strip()


class _Ticker:
    """Advances the engine's epoch, against which deadlines are measured."""

    def __init__(self, engine: Engine) -> None:
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(engine,), name="prolog-clock", daemon=True)
        self._thread.start()

    def _run(self, engine: Engine) -> None:
        while not self._ended.wait(TICK_SECONDS):
            engine.increment_epoch()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()
