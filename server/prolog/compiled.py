"""The engine as machine code: compiled once, then kept in a folder and loaded in milliseconds."""

import hashlib
import os
from importlib.metadata import version
from pathlib import Path

from wasmtime import Engine, Module, WasmtimeError


def compiled(engine: Engine, engine_file: bytes, cache: Path) -> Module:
    """The module from the cache, or compiled now and put there. The cache folder must be writable by us alone."""
    kept = cache / f"trealla-{hashlib.sha256(engine_file + version('wasmtime').encode()).hexdigest()[:16]}.cwasm"
    if kept.is_file():
        try:
            return Module.deserialize_file(engine, str(kept))
        except WasmtimeError:
            kept.unlink(missing_ok=True)  # made for another machine or by another version: compile anew
    module = Module(engine, engine_file)
    cache.mkdir(parents=True, exist_ok=True)
    draft = kept.with_suffix(f".{os.getpid()}")
    draft.write_bytes(module.serialize())
    draft.replace(kept)
    return module
