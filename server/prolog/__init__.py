"""Trealla Prolog on the server: its WebAssembly, run by wasmtime within limits."""

from server.prolog.engine_file import EngineFileError, engine_file
from server.prolog.host import Limits, WasmtimeHost
from server.prolog.start import start_engine, user_cache

__all__ = ["EngineFileError", "Limits", "WasmtimeHost", "engine_file", "start_engine", "user_cache"]
