"""What tests let a process of programs do: functions that are run there."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path


def grow_old() -> None:
    """From now on the process finds itself too large."""
    sys.modules["__main__"].LARGEST_BYTES = 1  # type: ignore[attr-defined]  # of server.programs.computing


def open_sockets() -> int:
    found = 0
    for entry in list(Path("/proc/self/fd").iterdir()):
        try:
            found += stat.S_ISSOCK(os.fstat(int(entry.name)).st_mode)
        except OSError:
            continue  # the folder itself was open while it was read
    return found


def said(text: str) -> str:
    return text
