"""The engine as machine code: compiled once, then kept in a folder and loaded in milliseconds."""

import hashlib
import os
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

import structlog
from wasmtime import Engine, Module, WasmtimeError

log = structlog.get_logger()


def compiled(engine: Engine, engine_file: bytes, cache: Path) -> Module:
    """The module from the cache, or compiled now and put there if it can be. The cache folder must be ours alone."""
    kept = cache / f"trealla-{hashlib.sha256(engine_file + version('wasmtime').encode()).hexdigest()[:16]}.cwasm"
    if kept.is_file():
        try:
            return Module.deserialize_file(engine, str(kept))
        except WasmtimeError:
            kept.unlink(missing_ok=True)  # made for another machine or by another version: compile anew
    module = Module(engine, engine_file)
    draft = kept.with_suffix(f".{os.getpid()}")
    try:
        cache.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft.write_bytes(module.serialize())
        draft.replace(kept)
    except OSError as error:  # a full disk, or a folder of somebody else: it goes on without, a second slower
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        log.warning("the Prolog engine is compiled anew by each process", cache=str(cache), reason=str(error))
    return module
