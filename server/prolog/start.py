"""Starts the engine of a process, for the server's processes, the command line and tests."""

from functools import cache
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


def engine() -> WasmtimeHost:
    """The one engine of this process, started with the first script, because most processes never need it."""
    host = _engine()
    use_host(host)  # somebody else's may have been used, and ended, since the start
    return host


@cache
def _engine() -> WasmtimeHost:
    return start_engine()


def user_cache() -> Path:
    """A folder that only this user can write: what lies there is run as machine code."""
    return Path.home() / ".cache" / "grintu"
