"""Starts the engine of a process, for the command line and tests; server/programs/engine.py does so for live play."""

import os
from pathlib import Path

from npc.prolog.host import use_host
from server.prolog.engine_file import engine_file
from server.prolog.host import Limits, WasmtimeHost


def start_engine(
    cache: Path | None = None, configured: Path | None = None, limits: Limits | None = None
) -> WasmtimeHost:
    """Runs the engine for npc.prolog from now on. Without a cache folder the compiled engine is kept for this user."""
    host = WasmtimeHost(engine_file(configured), cache or user_cache(), limits)
    use_host(host)
    return host


def user_cache() -> Path:
    """A folder that only this user can write: what lies there is run as machine code."""
    kept = os.environ.get("XDG_CACHE_HOME")  # in containers below the data folder: a home there belongs to root
    return (Path(kept) if kept else Path.home() / ".cache") / "grintu"
