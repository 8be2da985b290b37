"""The host outside of browsers: modules compiled by wasmtime, kept in memory and on disk, run within limits."""

import atexit
import ctypes
import hashlib
import logging
import os
import stat
import threading
from collections import OrderedDict
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Final

from wasmtime import Config, Engine, Func, Memory, Module, Store, Trap, TrapCode, WasmtimeError
from wasmtime import Instance as Loaded

from kernels.host import LIMITS, Limits, Number, StoppedError

TICK_SECONDS: Final = 0.05
KEPT_IN_MEMORY: Final = 64
KEPT_ON_DISK: Final = 256
log = logging.getLogger(__name__)


def own_cache() -> Path:
    """Where compiled kernels are kept unless told otherwise."""
    kept = os.environ.get("XDG_CACHE_HOME")
    return (Path(kept) if kept else Path.home() / ".cache") / "grintu" / "kernels"


class WasmtimeHost:
    """One per process. Instances are independent; each is used by one thread at a time."""

    def __init__(self, cache: Path | None = None) -> None:
        self._engines = {is_timed: _engine(is_timed=is_timed) for is_timed in (True, False)}
        self._disk = _Disk(cache if cache is not None else own_cache())
        self._modules: OrderedDict[bytes, Module] = OrderedDict()
        self._lock = threading.Lock()
        self._clock = _Clock(self._engines[True])
        atexit.register(self.stop)

    def load(self, binary: bytes, limits: Limits = LIMITS) -> "WasmtimeInstance":
        is_timed = limits.seconds is not None
        return WasmtimeInstance(self._engines[is_timed], self._module(binary, is_timed=is_timed), limits)

    def stop(self) -> None:
        """Ends the clock and gives the machine code back, which wasmtime cannot do while the interpreter ends."""
        atexit.unregister(self.stop)
        self._clock.stop()
        with self._lock:
            while self._modules:
                self._modules.popitem()[1].close()
        for engine in self._engines.values():
            engine.close()

    def _module(self, binary: bytes, *, is_timed: bool) -> Module:
        key = hashlib.sha256(f"{version('wasmtime')} timed={is_timed} ".encode() + binary).digest()
        with self._lock:
            module = self._modules.pop(key, None) or self._compiled(self._engines[is_timed], key.hex(), binary)
            self._modules[key] = module
            if len(self._modules) > KEPT_IN_MEMORY:
                self._modules.popitem(last=False)  # instances that still run keep the code alive
            return module

    def _compiled(self, engine: Engine, name: str, binary: bytes) -> Module:
        kept = self._disk.get(name)
        if kept is not None:
            try:
                return Module.deserialize_file(engine, str(kept))
            except WasmtimeError:
                pass  # made for another machine, or damaged: it is compiled and kept anew
        try:
            module = Module(engine, binary)
        except WasmtimeError as error:
            raise ValueError(f"this is no module that can be run: {error}") from None
        self._disk.put(name, bytes(module.serialize()))
        return module


class WasmtimeInstance:
    """A module with its own memory. See kernels.host.Instance."""

    def __init__(self, engine: Engine, module: Module, limits: Limits) -> None:
        self._store = Store(engine)
        self._store.set_limits(memory_size=limits.memory_bytes)
        self._ticks = None if limits.seconds is None else max(2, round(limits.seconds / TICK_SECONDS))
        self._wind_up()
        try:
            exports = Loaded(self._store, module, []).exports(self._store)
        except (Trap, WasmtimeError) as error:
            self._store.close()
            raise StoppedError(cause(error)) from None
        self._functions = {name: item for name, item in exports.items() if isinstance(item, Func)}
        memory = exports.get("memory")
        self._memory = memory if isinstance(memory, Memory) else None

    def call(self, name: str, *arguments: Number) -> Number | None:
        function = self._functions[name]
        self._wind_up()
        try:
            result: Number | None = function(self._store, *arguments)
        except (Trap, WasmtimeError) as error:
            raise StoppedError(cause(error)) from None
        return result

    def read(self, address: int, length: int) -> bytes:
        return ctypes.string_at(self._place(address, length), length)

    def write(self, address: int, content: bytes) -> None:
        ctypes.memmove(self._place(address, len(content)), content, len(content))

    def close(self) -> None:
        self._store.close()

    def __enter__(self) -> "WasmtimeInstance":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _wind_up(self) -> None:
        """Lets the time of a call begin."""
        if self._ticks is not None:
            self._store.set_epoch_deadline(self._ticks)

    def _place(self, address: int, length: int) -> int:
        """Where the memory really is, asked anew each time: it may have moved when it grew."""
        if self._memory is None:
            raise IndexError("this module has no memory")
        size = self._memory.data_len(self._store)
        if address < 0 or length < 0 or address + length > size:
            raise IndexError(f"the memory has {size} bytes; there are no {length} from {address} on")
        return ctypes.addressof(self._memory.data_ptr(self._store).contents) + address


def _engine(*, is_timed: bool) -> Engine:
    config = Config()
    config.epoch_interruption = is_timed
    # Its threads would not survive a fork either, and a child would wait for them.
    config.parallel_compilation = False
    return Engine(config)


def cause(error: Exception) -> str:
    """Why a call ended early, in a few words."""
    code = error.trap_code if isinstance(error, Trap) else None
    if code is TrapCode.INTERRUPT:
        return "it took too much time"
    if code is TrapCode.UNREACHABLE:
        return "it came to where it should never come"
    return str(error).strip().splitlines()[-1].strip()


class _Disk:
    """Machine code in a folder. What lies there is run, so the folder must be ours alone; if not, nothing is kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._usable = _is_ours(folder)
            reason = "others may write there"
        except OSError as error:
            self._usable, reason = False, str(error)
        if not self._usable:
            log.warning("kernels are compiled anew by each process: %s cannot be used: %s", folder, reason)

    def get(self, name: str) -> Path | None:
        file = self._file(name)
        return file if self._usable and file.is_file() else None

    def put(self, name: str, code: bytes) -> None:
        if not self._usable:
            return
        draft = self._folder / f"{name}.{os.getpid()}"
        try:
            draft.write_bytes(code)
            draft.replace(self._file(name))
            self._forget_the_oldest()
        except OSError as error:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            log.warning("a compiled kernel could not be kept in %s: %s", self._folder, error)

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.cwasm"

    def _forget_the_oldest(self) -> None:
        files = sorted(self._folder.glob("*.cwasm"), key=lambda file: file.stat().st_mtime)
        for file in files[:-KEPT_ON_DISK]:
            file.unlink(missing_ok=True)


def _is_ours(folder: Path) -> bool:
    if not hasattr(os, "getuid"):
        return True
    found = folder.stat()
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


class _Clock:
    """Advances the engine's epoch, against which the time of calls is measured."""

    def __init__(self, engine: Engine) -> None:
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(engine,), name="kernel-clock", daemon=True)
        self._thread.start()

    def _run(self, engine: Engine) -> None:
        while not self._ended.wait(TICK_SECONDS):
            engine.increment_epoch()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()
